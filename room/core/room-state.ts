import {
  decodeRoom,
  encodeLedger,
  encodeRoom,
  type LedgerRejection,
  STORAGE_VERSION,
  type StoredRoom,
  WireError,
} from "../../protocol/index.ts";
import { type Game, type GameShape, type RoomSeed, RoomWorld } from "../../sim/index.ts";
import { ActionBook } from "./actions/index.ts";
import { type Migration, migrated } from "./migrations.ts";
import { PoseHistory } from "./pose-history.ts";
import { SeatTable } from "./seat-table.ts";
import { type SessionRules, sessionRules } from "./session-progress.ts";
import { StateError } from "./state-error.ts";
import { LEDGER_SLOTS, type RoomWrite, type StoredRows } from "./store.ts";
import type { Suspect } from "./suspects.ts";
import type { WindowResult } from "./window.ts";

/** All that is stored of a room, in memory. */
export class RoomState<S extends GameShape> {
  readonly game: Game<S>;
  readonly world: RoomWorld<S>;
  readonly seats: SeatTable<S>;
  readonly actions: ActionBook<S>;
  readonly poses: PoseHistory<S>;
  /** Ends of the windows since the last commit. */
  boundaries: readonly number[] = [];
  /** Number of the last commit, 0 before the room was made. */
  commit = 0;
  /** Boundary of the last commit. */
  committedTick = 0;
  incarnation = 1;
  slippedTicks = 0;
  /** Creation options as JSON. */
  options = "{}";

  constructor(game: Game<S>, seed: RoomSeed, rules?: Partial<SessionRules>) {
    this.game = game;
    this.world = new RoomWorld(game, seed);
    this.seats = new SeatTable(game, sessionRules(game.tickRate, rules));
    this.poses = new PoseHistory(game.schema);
    this.actions = new ActionBook(game, { retentionTicks: this.seats.rules.retentionTicks });
  }

  get created(): boolean {
    return this.commit > 0;
  }

  /** Something is to be stored, and no tick comes to do it. */
  get hasQuietNews(): boolean {
    return !this.seats.awake && this.actions.debts.changed;
  }

  /**
   * Goes on from stored bytes: the same state, one incarnation later [D3].
   * @returns the version that they are migrated from, if they are
   * @throws StateError when they belong to another game, version or schema and aren't migrated, or are damaged
   */
  restore({ state, receipts }: StoredRows, migrations: readonly Migration[] = []): number | undefined {
    const { bytes, fromVersion } = migrated(state, this.game, migrations);
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
    const sessions = stored.seats.flatMap(({ seat, sessions: all }) =>
      all.map((session) => ({ seat, session })),
    );
    try {
      this.actions.restore({ pending: stored.pending, debts: stored.debts, sessions, receipts });
    } catch (cause) {
      throw new StateError("the stored actions or receipts are damaged", { cause });
    }
    try {
      this.poses.restore(stored.poses);
    } catch (cause) {
      throw new StateError("the stored poses are damaged", { cause });
    }
    this.boundaries = [];
    this.commit = stored.commit;
    this.committedTick = tick;
    this.incarnation = stored.incarnation + 1;
    this.slippedTicks = stored.slippedTicks;
    this.options = stored.options;
    return fromVersion;
  }

  /** The write of the open window and of those since the last commit: everything together [D1]. */
  write(window: CommitParts): RoomWrite {
    const { world, seats, actions, game, incarnation } = this;
    const commit = this.commit + 1;
    const hash = world.hash();
    const { pending, answers, finished, debts, receipts } = actions.write(world.tick);
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
      seats: seats.stored(actions),
      pending,
      poses: this.poses.stored(),
      debts,
    });
    const ledger = encodeLedger({
      formatVersion: STORAGE_VERSION,
      commit,
      fromTick: this.committedTick,
      toTick: world.tick,
      incarnation,
      hash,
      sessions: seats.ledgerSessions(),
      joins: window.result.joins,
      leaves: window.result.leaves,
      answers,
      ended: window.result.ended,
      rejected: window.rejected.flatMap(rejectionOf),
      finished,
      boundaries: [...this.boundaries, world.tick],
      game: game.name,
      gameVersion: game.version,
      fingerprint: game.schema.fingerprint,
    });
    return { state, ledgerSlot: commit % LEDGER_SLOTS, ledger, receipts, alarmAtMs: window.alarmAtMs };
  }
}

export interface CommitParts {
  readonly result: WindowResult;
  /** What had no effect in the window, because it made it throw. */
  readonly rejected: readonly Suspect[];
  /** Exact save of the world at the boundary. */
  readonly world: Uint8Array;
  readonly slippedTicks: number;
  readonly options: string;
  readonly alarmAtMs: number | undefined;
}

/** A refused join leaves nothing behind that a replay could miss. */
function rejectionOf(suspect: Suspect): LedgerRejection[] {
  const none = { seat: 0, session: 0, seq: 0, slot: 0 };
  switch (suspect.kind) {
    case "join":
      return [];
    case "action":
      return [{ ...none, ...suspect.action, kind: "action", tick: suspect.tick }];
    default:
      return [{ ...none, ...suspect }];
  }
}

function readState(bytes: Uint8Array, game: Game): StoredRoom {
  try {
    return decodeRoom(bytes, game);
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause;
    throw new StateError(cause.message, { cause });
  }
}
