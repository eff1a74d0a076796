import type { StepOptions } from "./admissions.ts";
import { TickContext } from "./context.ts";
import type { ArchetypeName, CommandOf, Entity, EntityInit, Game, GameShape } from "./definition.ts";
import type { FragmentValues } from "./entity.ts";
import { type EventAudience, type EventData, type EventName, Outbox } from "./events.ts";
import { hashWords } from "./hash.ts";
import type { EntityRef, NetId, SeatId, Tick } from "./ids.ts";
import { entityRef, refEpochLow, refId } from "./ids.ts";
import { runGameplay, runPredictedPhases, snapExternals } from "./phases.ts";
import type { QuantisedState } from "./quantised.ts";
import { nextRoomRandom, type RoomSeed, seedRoomRandom } from "./random.ts";
import {
  eachRow,
  poseRow,
  predictedBy,
  putQuantisedRow,
  putRow,
  type RowPose,
  type RowVisitor,
  renameRow,
} from "./raw-rows.ts";
import { restoreWords, saveWords, type WorldScalars } from "./save.ts";
import { CELL_EPOCH, CELL_OWNER } from "./schema.ts";
import { quantiseWorld } from "./snapshot.ts";
import { type EventIdentity, type SpawnRequest, Structure } from "./structure.ts";
import type { EntityRow, Table } from "./table.ts";

export type WorldRole = "server" | "client";

export interface WorldOptions {
  readonly role: WorldRole;
  /** First state of the room's stream. Clients never draw from it; any value will do there. */
  readonly seed: RoomSeed;
}

/**
 * The state of a game and the fixed step that advances it. No clock, no I/O: equal state and equal
 * commands give an equal state, bit for bit.
 */
export class World<S extends GameShape = GameShape> {
  readonly game: Game<S>;
  readonly role: WorldRole;
  /** For the room, to send from. */
  readonly outbox: Outbox;
  readonly #structure: Structure;
  readonly #scalars: WorldScalars;
  /** True while predicted phases run: the room's stream is out of reach then. */
  #predictedPhase = false;
  readonly #scratch = new Float32Array(1);
  readonly #context: TickContext<S>;

  constructor(game: Game<S>, options: WorldOptions) {
    this.game = game;
    this.role = options.role;
    this.outbox = new Outbox(game.schema.events);
    this.#structure = new Structure(game.schema, game.entityClasses);
    this.#scalars = { tick: 0, roomRandom: seedRoomRandom(options.seed), seatRandom: new Map() };
    this.#context = new TickContext(this, this.#structure, this.#scalars);
  }

  /** The last completed tick. */
  get tick(): Tick {
    return this.#scalars.tick as Tick;
  }

  /** Entities in the world, those about to go included. */
  get count(): number {
    return this.#structure.count;
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
    const found = this.#structure.place(refId(ref));
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
    const place = this.#structure.place(id);
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

  /** Ids of the entities that a seat's client predicts: those that it owns, and the members of its island. */
  predictedBy(seat: number): Iterable<NetId> {
    return predictedBy(this.#structure, seat);
  }

  /**
   * A number in [0, 1) from the room's own stream, which clients can't foresee.
   * @throws Error in a client and in the predicted phases, where the two sides would part ways
   */
  random(): number {
    if (this.role === "client" || this.#predictedPhase) {
      throw new Error(
        "world.random() is the room's own stream: use it in the gameplay phase and in room hooks. " +
          "Predicted phases (input to postPhysics) draw from context.random(entity).",
      );
    }
    return nextRoomRandom(this.#scalars.roomRandom) / 4294967296;
  }

  /**
   * Tells pages that something happened, to be shown with its tick [R9]. A page that is away never hears of it: what must
   * not be missed is state or a receipt. Does nothing in a client's world, since the room's word comes.
   * @throws TypeError for an unknown name, or data that is no JSON
   */
  emit<N extends EventName<S>>(name: N, data: EventData<S, N>, audience: EventAudience = {}): void {
    if (this.role === "server") this.outbox.put(this.#scalars.tick + 1, name, data, audience);
  }

  /** Starts a seat's predicted stream from the room's. */
  openSeatStream(seat: SeatId): void {
    this.#scalars.seatRandom.set(seat, nextRoomRandom(this.#scalars.roomRandom));
  }

  closeSeatStream(seat: SeatId): void {
    this.#scalars.seatRandom.delete(seat);
  }

  /** State of a seat's predicted stream, 0 if it has none. */
  seatRandomState(seat: SeatId): number {
    return this.#scalars.seatRandom.get(seat) ?? 0;
  }

  setSeatRandomState(seat: SeatId, state: number): void {
    this.#scalars.seatRandom.set(seat, state >>> 0);
  }

  /** The structural step: spawns and despawns that were asked for happen now. */
  commitStructure(): void {
    this.#structure.commit();
  }

  /**
   * Advances the room by one whole tick.
   * @param commands the command of each seat that has one, by the missing-input rule if need be
   * @throws SystemFault when the game's code throws; the world is then half a tick on: restore it
   */
  step(commands: ReadonlyMap<SeatId, CommandOf<S>>, options: StepOptions<S> = {}): void {
    const tick = (this.#scalars.tick + 1) as Tick;
    this.#structure.commit();
    this.#runPredicted(tick, commands, false, options);
    runGameplay(this, this.#context.begin(tick, commands, false), options);
    snapExternals(this.game.schema, this.#structure.tables);
    this.#structure.commit();
    this.#scalars.tick = tick;
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
    this.#runPredicted(tick as Tick, commands, options.replaying ?? false, options);
    this.#structure.commitPredicted();
    this.#scalars.tick = tick;
  }

  /** The whole state, in the machine's byte order (little endian). */
  save(): Uint8Array {
    const words = saveWords(this.#structure, this.#scalars);
    return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  }

  /**
   * Puts a saved state back, bit for bit. Requests that waited for a structural step, and events, are forgotten.
   * @throws RangeError when the bytes aren't a saved state of this game
   */
  restore(bytes: Uint8Array): void {
    if (bytes.byteLength % 4 !== 0) throw new RangeError("a saved world is a whole number of words");
    const words = new Uint32Array(bytes.slice().buffer);
    restoreWords(words, this.#structure, this.#scalars);
    this.outbox.cut(0);
  }

  /** Hash of the whole state: equal states have equal hashes. */
  hash(): bigint {
    return hashWords(saveWords(this.#structure, this.#scalars));
  }

  /** The state as others see it, quantised, sorted by id. `into` is reused when given. */
  quantise(into?: QuantisedState): QuantisedState {
    return quantiseWorld(this.#structure, this.#scalars.tick, into);
  }

  /** An entity's raw cells. */
  rowOf(id: number): EntityRow | undefined {
    const place = this.#structure.place(id);
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
    return this.#structure.ids() as Iterable<NetId>;
  }

  #refersTo(ref: EntityRef): boolean {
    const cells = this.rowOf(refId(ref))?.cells;
    return cells !== undefined && ((cells[CELL_EPOCH] as number) & 0xffff) === refEpochLow(ref);
  }

  *#rows(archetype: number): Iterable<number> {
    const table = this.#structure.tables[archetype] as Table;
    for (let row = 0; row < table.rowCount; row++) if (table.idAt(row) !== 0) yield row;
  }

  #runPredicted(
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
    this.#predictedPhase = predicting;
    for (const table of this.#structure.tables) table.isPredicting = predicting;
  }
}
