import type { StepOptions } from "./admissions.ts";
import { TickContext } from "./context.ts";
import type { ArchetypeName, CommandOf, Entity, EntityInit, Game, GameShape } from "./definition.ts";
import type { FragmentValues } from "./entity.ts";
import type { EventAudience, EventData, EventName, Outbox } from "./events.ts";
import type { EntityRef, NetId, SeatId, Tick } from "./ids.ts";
import { entityRef, refEpochLow, refId } from "./ids.ts";
import { runPredictedPhases } from "./phases.ts";
import type { QuantisedState } from "./quantised.ts";
import {
  eachRow,
  poseRow,
  putQuantisedRow,
  putRow,
  type RowPose,
  type RowVisitor,
  renameRow,
} from "./raw-rows.ts";
import type { WorldScalars } from "./save.ts";
import { CELL_EPOCH, CELL_OWNER } from "./schema.ts";
import { type EventIdentity, type SpawnRequest, Structure } from "./structure.ts";
import type { EntityRow, Table } from "./table.ts";

export type WorldRole = "server" | "client";

/** What a world's state consists of, for the room's side of it. */
interface WorldParts<S extends GameShape> {
  readonly structure: Structure;
  readonly scalars: WorldScalars;
  readonly context: TickContext<S>;
}

/**
 * The state of a game as its systems see it, and the predicted part of the fixed step that advances it. A page's world
 * is this one, and the room's a RoomWorld. No clock, no I/O: equal state and equal commands give an equal state, bit for
 * bit.
 */
export class World<S extends GameShape = GameShape> {
  readonly game: Game<S>;
  readonly role: WorldRole;
  /** Events on their way out of the room; a client's world has none. */
  readonly outbox: Outbox | undefined;
  protected readonly parts: WorldParts<S>;
  readonly #structure: Structure;
  readonly #scalars: WorldScalars;
  /** True while predicted phases run: the room's stream is out of reach then. */
  protected isPredicting = false;
  readonly #scratch = new Float32Array(1);
  readonly #context: TickContext<S>;

  constructor(game: Game<S>, role: WorldRole = "client") {
    this.game = game;
    this.role = role;
    this.#structure = new Structure(game.schema, game.entityClasses);
    this.#scalars = { tick: 0, roomRandom: new Uint32Array(4), seatRandom: new Map() };
    this.#context = new TickContext(this, this.#structure, this.#scalars);
    this.parts = { structure: this.#structure, scalars: this.#scalars, context: this.#context };
  }

  /** The last completed tick. */
  get tick(): Tick {
    return this.#scalars.tick as Tick;
  }

  /** Entities in the world, those about to go included. */
  get count(): number {
    return this.#structure.places.size;
  }

  /**
   * Asks for a new entity. It exists from the next structural step on; its reference is good at once.
   * @throws TypeError for an unknown archetype, RangeError when all 64,511 ids are taken
   */
  spawn<N extends ArchetypeName<S>>(
    archetype: N,
    init: EntityInit<S, N> = {},
    options: { owner?: SeatId } = {},
  ): EntityRef {
    const index = this.#structure.archetypeIndex(archetype);
    const values = init as Readonly<Record<string, FragmentValues | undefined>>;
    const { id, epoch } = this.#structure.requestSpawn(index, options.owner ?? 0, values);
    return entityRef(id, epoch);
  }

  /** A spawn that belongs to an action. `local`: in a client, its id until the room has named it. */
  spawnFor(event: EventIdentity, request: SpawnRequest, local?: { id: number; epoch: number }): EntityRef {
    const index = this.#structure.archetypeIndex(request.archetype);
    const { id, epoch } = this.#structure.requestSpawn(index, request.owner, request.init, { event, local });
    return entityRef(id, epoch);
  }

  /** Asks for an entity to go at the next structural step. Asking twice, or for one that is gone, does nothing. */
  despawn(entity: { readonly ref: EntityRef } | EntityRef): void {
    const ref = typeof entity === "number" ? entity : entity.ref;
    const found = this.#structure.places.get(refId(ref));
    if (found && !this.#refersTo(ref)) return;
    this.#structure.requestDespawn(refId(ref));
  }

  /** The entity that a reference means, if it still exists. */
  get(ref: EntityRef): Entity<S> | undefined {
    if (!this.#refersTo(ref)) return undefined;
    return this.byId(refId(ref));
  }

  /** The entity that has an id now, whatever its epoch. */
  byId(id: number): Entity<S> | undefined {
    const place = this.#structure.places.get(id);
    if (!place) return undefined;
    return this.#structure.objectAt(place.table, place.row) as unknown as Entity<S>;
  }

  /** All entities of an archetype, in the order of their rows (the same after a restore). */
  *all<N extends ArchetypeName<S>>(archetype: N): Iterable<Entity<S, N>> {
    const index = this.#structure.archetypeIndex(archetype);
    for (const row of this.#rows(index)) {
      yield this.#structure.objectAt(index, row) as unknown as Entity<S, N>;
    }
  }

  /** All entities that a seat owns. */
  *owned(seat: SeatId): Iterable<Entity<S>> {
    for (const [index, table] of this.#structure.tables.entries()) {
      for (const row of this.#rows(index)) {
        if (table.u32[row * table.stride + CELL_OWNER] === seat) {
          yield this.#structure.objectAt(index, row) as unknown as Entity<S>;
        }
      }
    }
  }

  /**
   * A number in [0, 1) from the room's own stream, which clients can't foresee.
   * @throws Error in a client and in the predicted phases, where the two sides would part ways
   */
  random(): number {
    throw new Error(
      "world.random() is the room's own stream: use it in the gameplay phase and in room hooks. " +
        "Predicted phases (input to postPhysics) draw from context.random(entity).",
    );
  }

  /**
   * Tells pages that something happened, to be shown with its tick [R9]. A page that is away never hears of it: what must
   * not be missed is state or a receipt. Does nothing in a client's world.
   * @throws TypeError for an unknown name, or data that is no JSON
   */
  emit<N extends EventName<S>>(_name: N, _data: EventData<S, N>, _audience: EventAudience = {}): void {
    // The room's word comes.
  }

  /** State of a seat's predicted stream, 0 if it has none. */
  seatRandomState(seat: SeatId): number {
    return this.#scalars.seatRandom.get(seat) ?? 0;
  }

  setSeatRandomState(seat: SeatId, state: number): void {
    this.#scalars.seatRandom.set(seat, state >>> 0);
  }

  /**
   * Runs the predicted phases of one tick and sets the world's tick to it. Of the structural steps only what
   * concerns entities that actions have spawned. For client worlds.
   * @throws SystemFault when the game's code throws
   */
  predict(
    tick: number,
    commands: ReadonlyMap<SeatId, CommandOf<S>>,
    options: StepOptions<S> & { replaying?: boolean } = {},
  ): void {
    this.#structure.forgetRequests();
    this.runPredicted(tick as Tick, commands, options.replaying ?? false, options);
    this.#structure.commit(true);
    this.#scalars.tick = tick;
  }

  /** An entity's raw cells. */
  rowOf(id: number): EntityRow | undefined {
    const place = this.#structure.places.get(id);
    if (!place) return undefined;
    const table = this.#structure.tables[place.table] as Table;
    const base = place.row * table.stride;
    return { archetype: place.table, cells: table.u32.subarray(base, base + table.stride) };
  }

  /** Puts an entity in, or overwrites it, at once. For client worlds. `cells`: a row without its header. */
  put(
    id: number,
    epoch: number,
    archetype: number,
    owner: number,
    presence: number,
    cells: Uint32Array,
  ): void {
    putRow(this.#structure, id, epoch, archetype, owner, presence, cells);
  }

  /** Puts an entity in, or overwrites it, from quantised values. For client worlds. */
  putQuantised(state: QuantisedState, row: number): void {
    putQuantisedRow(this.#structure, state, row, this.#scratch);
  }

  /** Overwrites the fields of an entity that is there. For client worlds. */
  pose(id: number, pose: RowPose): void {
    poseRow(this.#structure, id, pose);
  }

  /** Gives an entity another id and epoch. For client worlds. */
  rename(from: number, id: number, epoch: number): void {
    renameRow(this.#structure, from, id, epoch);
  }

  /** Shows every row, archetype by archetype. */
  eachRow(visit: RowVisitor): void {
    eachRow(this.#structure, visit);
  }

  /** Takes an entity out at once. For client worlds. */
  remove(id: number): void {
    this.#structure.remove(id, false);
  }

  /** Ids of all entities, in no particular order. */
  ids(): Iterable<NetId> {
    return this.#structure.places.keys() as Iterable<NetId>;
  }

  #refersTo(ref: EntityRef): boolean {
    const cells = this.rowOf(refId(ref))?.cells;
    return cells !== undefined && ((cells[CELL_EPOCH] as number) & 0xffff) === refEpochLow(ref);
  }

  *#rows(archetype: number): Iterable<number> {
    const table = this.#structure.tables[archetype] as Table;
    for (let row = 0; row < table.rowCount; row++) if (table.idAt(row) !== 0) yield row;
  }

  protected runPredicted(
    tick: Tick,
    commands: ReadonlyMap<SeatId, CommandOf<S>>,
    replaying: boolean,
    options: StepOptions<S>,
  ): void {
    this.#setPredicting(true);
    try {
      runPredictedPhases(this, this.#context.begin(tick, commands, replaying), options);
    } finally {
      this.#setPredicting(false);
    }
  }

  #setPredicting(predicting: boolean): void {
    this.isPredicting = predicting;
    for (const table of this.#structure.tables) table.isPredicting = predicting;
  }
}
