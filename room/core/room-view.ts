import type { CompiledArchetype, FlatField, GameShape } from "../../sim/index.ts";
import type { Doorkeeper } from "./doorkeeper.ts";
import type { LoggedEntry } from "./log-book.ts";
import type { RoomState } from "./room-state.ts";
import { linkOf, type SeatRecord } from "./seat-record.ts";

export type FieldValue = number | boolean | string;

export interface EntityView {
  readonly id: number;
  readonly archetype: string;
  /** Seat, 0 = nobody. */
  readonly owner: number;
  /** By `fragment.field`. */
  readonly fields: Readonly<Record<string, FieldValue>>;
}

export interface SeatView {
  readonly seat: number;
  readonly name: string;
  readonly kind: "player" | "bot";
  readonly state: SeatRecord<GameShape>["state"]["at"];
  readonly inputSession: number;
  readonly consumed: number;
  readonly durable: number;
  /** Commands that wait in the room. */
  readonly depth: number;
  /** Ticks without a command since the input session began. */
  readonly missed: number;
  /** Ticks that its newest acknowledgement is behind; undefined without a connection. */
  readonly behindTicks: number | undefined;
}

/** A room as it is at this boundary, for any game. Holds players' names, unlike anything that is logged. */
export interface RoomView {
  readonly room: string;
  readonly tick: number;
  /** The game's archetypes; `place` are the fields that say where an entity is, x first. */
  readonly archetypes: readonly { readonly name: string; readonly place: readonly string[] }[];
  readonly entities: readonly EntityView[];
  /** All there are, of which `entities` may be the first. */
  readonly entityCount: number;
  readonly seats: readonly SeatView[];
  readonly log: readonly LoggedEntry[];
}

export interface ViewParts<S extends GameShape> {
  readonly room: string;
  readonly state: RoomState<S>;
  readonly door: Doorkeeper<S>;
  readonly log: readonly LoggedEntry[];
  /** Entities to show at most: writing them out takes the room's time. */
  readonly maxEntities: number;
}

export function roomView<S extends GameShape>(parts: ViewParts<S>): RoomView {
  const { room, state, log, maxEntities } = parts;
  const { world, game, seats } = state;
  const { archetypes } = game.schema;
  const entities: EntityView[] = [];
  world.eachRow((index, cells, at) => {
    if (entities.length < maxEntities)
      entities.push(entityOf(archetypes[index] as CompiledArchetype, cells, at));
  });
  return {
    room,
    tick: world.tick,
    archetypes: archetypes.map(({ name, place }) => ({ name, place: place.map(({ path }) => path) })),
    entities,
    entityCount: world.count,
    seats: [...seats.all()].map((seat) => seatView(seat, parts)),
    log,
  };
}

function entityOf({ name, fields }: CompiledArchetype, cells: Uint32Array, at: number): EntityView {
  const [id = 0, , owner = 0, presence = 0] = cells.subarray(at, at + 4);
  const floats = new Float32Array(cells.buffer, cells.byteOffset, cells.length);
  const ints = new Int32Array(cells.buffer, cells.byteOffset, cells.length);
  const values: Record<string, FieldValue> = {};
  for (const field of fields) {
    if ((presence & (1 << field.fragment)) === 0) continue;
    values[field.path] = fieldValue(
      field,
      floats[at + field.cell] as number,
      ints[at + field.cell] as number,
    );
  }
  return { id, archetype: name, owner, fields: values };
}

function fieldValue({ kind, values }: FlatField, float: number, int: number): FieldValue {
  switch (kind) {
    case "num":
    case "angle":
      // JSON has no other numbers, and who looks for a fault must see them.
      return Number.isFinite(float) ? float : String(float);
    case "flag":
      return int !== 0;
    case "oneOf":
      return values[int] ?? int;
    case "int":
    case "ref":
      return int;
    default:
      return kind satisfies never;
  }
}

function seatView<S extends GameShape>(record: SeatRecord<S>, { state, door }: ViewParts<S>): SeatView {
  const { id, name, kind, input, state: at } = record;
  const linkId = linkOf(at);
  const link = linkId === undefined ? undefined : [...door.links()].find((one) => one.id === linkId);
  return {
    seat: id,
    name,
    kind,
    state: at.at,
    inputSession: input.id,
    consumed: input.consumed,
    durable: input.durable,
    depth: input.depth,
    missed: input.missed,
    behindTicks: link && Math.max(0, state.world.tick - link.ackTick),
  };
}
