import { ClientCore, type ClientCoreOptions } from "../../../client-sdk/index.ts";
import {
  type ClientFrame,
  decodeClientFrame,
  type ExactRow,
  encodeEntities,
  encodeServerFrame,
  PROTOCOL_VERSION,
  type ServerFrame,
  type Snapshot,
  snapshotFrame,
  type WelcomeFrame,
} from "../../../protocol/index.ts";
import {
  CELL_EPOCH,
  CELL_OWNER,
  CELL_PRESENCE,
  type Game,
  type GameShape,
  HEADER_CELLS,
  QuantisedState,
  RoomWorld,
} from "../../../sim/index.ts";

export const SEAT = 3;

/** A snapshot to be said; with `baseTick` as a difference against the one of that tick that was said before. */
export type Said = Partial<Snapshot & { baseTick: number; shared: Uint8Array }> & {
  tick: number;
  consumed: number;
};

/** A client whose room says what the test tells it to say, frame by frame. */
export class ScriptedRoom<S extends GameShape> {
  readonly client: ClientCore<S>;
  /** What the room would answer from; put entities in with `put`. */
  readonly world: RoomWorld<S>;
  readonly sent: ClientFrame[] = [];
  readonly #game: Game<S>;
  readonly #said = new Map<number, Snapshot>();

  constructor(game: Game<S>, options: Partial<ClientCoreOptions<S>> = {}) {
    this.#game = game;
    this.world = new RoomWorld(game, 0);
    this.client = new ClientCore<S>({
      game,
      secret: new Uint8Array(32).fill(7),
      name: "Ada",
      link: { send: (bytes) => this.sent.push(decodeClientFrame(bytes, game.schema)) },
      ...options,
    });
  }

  /** Frames of a kind that the client has sent. */
  sentOf<T extends ClientFrame["type"]>(type: T): Extract<ClientFrame, { type: T }>[] {
    return this.sent.filter((frame): frame is Extract<ClientFrame, { type: T }> => frame.type === type);
  }

  welcome(nowMs: number, more: Partial<WelcomeFrame> = {}): void {
    const frame: WelcomeFrame = {
      type: "welcome",
      protocol: PROTOCOL_VERSION,
      seat: SEAT,
      incarnation: 1,
      tick: 600,
      tickRate: this.#game.tickRate,
      windowTicks: 3,
      inputSession: 1,
      consumed: 0,
      durable: 0,
      credit: (more.consumed ?? 0) + 128,
      roomName: "test:room",
      receiptHead: 0,
      openSessions: [],
      ...more,
    };
    this.client.received(encodeServerFrame(frame), nowMs);
  }

  /** Any frame, as the room would encode it. */
  say(nowMs: number, frame: Exclude<ServerFrame, { type: "unknown" }>): void {
    this.client.received(encodeServerFrame(frame), nowMs);
  }

  /** A snapshot of the world as it is now. */
  snapshot(nowMs: number, more: Said): void {
    this.client.received(this.encodeSnapshot(more), nowMs);
  }

  encodeSnapshot({ baseTick = 0, shared, ...more }: Said): Uint8Array {
    const state = this.world.quantise();
    state.tick = more.tick;
    const snapshot: Snapshot = {
      requestId: 0,
      incarnation: 1,
      inputSession: 1,
      durable: more.consumed,
      credit: more.consumed + 128,
      bufferDepth: 2,
      missed: 0,
      slippedTicks: 0,
      echoMs: 0,
      heldMs: 0xffff,
      seatRandom: 0,
      receiptHead: 0,
      own: this.#own(),
      ...more,
    };
    // A difference is one to the same world at an earlier tick; one of a tick that was never said can't be read.
    const known = this.#said.get(baseTick) ?? { ...snapshot, tick: baseTick };
    const base = baseTick === 0 ? undefined : known;
    const before = baseTick === 0 ? QuantisedState.empty() : this.world.quantise();
    shared ??= encodeEntities(this.#game.schema, before, state);
    this.#said.set(snapshot.tick, snapshot);
    return encodeServerFrame(snapshotFrame(snapshot, base, shared));
  }

  #own(): ExactRow[] {
    return [...this.world.ids()].flatMap((id) => {
      const row = this.world.rowOf(id);
      if (!row || row.cells[CELL_OWNER] !== SEAT) return [];
      const [epoch = 1, owner = 0, presence = 1] = [CELL_EPOCH, CELL_OWNER, CELL_PRESENCE].map(
        (c) => row.cells[c],
      );
      return [{ id, epoch, archetype: row.archetype, owner, presence, cells: row.cells.slice(HEADER_CELLS) }];
    });
  }
}
