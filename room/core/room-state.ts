import {
  decodeRoom,
  encodeLedger,
  encodeRoom,
  type LedgerSession,
  STORAGE_VERSION,
  type StoredRoom,
  WireError,
} from "../../protocol/index.ts";
import { type Game, type GameShape, type RoomSeed, World } from "../../sim/index.ts";
import { SeatTable } from "./seat-table.ts";
import { LEDGER_SLOTS, type RoomWrite } from "./store.ts";
import type { WindowResult } from "./window.ts";

/** Stored bytes that this build must not continue from [D7]. */
export class StateError extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = "StateError";
  }
}

/** All that is stored of a room, in memory. */
export class RoomState<S extends GameShape> {
  readonly game: Game<S>;
  readonly world: World<S>;
  readonly seats: SeatTable<S>;
  /** Number of the last commit, 0 before the room was made. */
  commit = 0;
  incarnation = 1;
  slippedTicks = 0;
  /** Creation options as JSON. */
  options = "{}";

  constructor(game: Game<S>, seed: RoomSeed) {
    this.game = game;
    this.world = new World(game, { role: "server", seed });
    this.seats = new SeatTable(game);
  }

  get created(): boolean {
    return this.commit > 0;
  }

  /**
   * Goes on from stored bytes: the same state, one incarnation later [D3].
   * @throws StateError when they belong to another game, version or schema, or are damaged
   */
  restore(bytes: Uint8Array): void {
    const stored = readState(bytes, this.game);
    try {
      this.world.restore(stored.world);
    } catch (cause) {
      throw new StateError("the stored world is damaged", { cause });
    }
    if (this.world.hash() !== stored.hash || this.world.tick !== stored.tick) {
      throw new StateError("the stored world doesn't match its hash");
    }
    const { nextSeat, nextInputSession, tick } = stored;
    this.seats.restore(stored.seats, { nextSeat, nextInputSession, tick });
    this.commit = stored.commit;
    this.incarnation = stored.incarnation + 1;
    this.slippedTicks = stored.slippedTicks;
    this.options = stored.options;
  }

  /** The write of the open window: state row, ledger row and alarm together [D1]. */
  write(window: CommitParts): RoomWrite {
    const { world, seats, game, incarnation } = this;
    const commit = this.commit + 1;
    const hash = world.hash();
    const sessions: LedgerSession[] = [];
    for (const record of seats.all()) {
      const session = record.input.windowRecord(record.id);
      if (session) sessions.push(session);
    }
    const state = encodeRoom({
      formatVersion: STORAGE_VERSION,
      game: game.name,
      gameVersion: game.version,
      fingerprint: game.schema.fingerprint,
      commit,
      tick: world.tick,
      incarnation,
      nextSeat: seats.nextSeat,
      nextInputSession: seats.nextInputSession,
      slippedTicks: window.slippedTicks,
      options: window.options,
      world: window.world,
      hash,
      seats: seats.stored(),
    });
    const ledger = encodeLedger({
      formatVersion: STORAGE_VERSION,
      commit,
      fromTick: window.fromTick,
      toTick: world.tick,
      incarnation,
      hash,
      sessions,
      joins: window.result.joins,
      leaves: window.result.leaves,
    });
    return { state, ledgerSlot: commit % LEDGER_SLOTS, ledger, alarmAtMs: window.alarmAtMs };
  }
}

export interface CommitParts {
  readonly result: WindowResult;
  readonly fromTick: number;
  /** Exact save of the world at the boundary. */
  readonly world: Uint8Array;
  readonly slippedTicks: number;
  readonly options: string;
  readonly alarmAtMs: number | undefined;
}

function readState(bytes: Uint8Array, game: Game): StoredRoom {
  try {
    return decodeRoom(bytes, game);
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause;
    throw new StateError(cause.message, { cause });
  }
}
