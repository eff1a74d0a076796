import {
  decodeLedger,
  decodeRoom,
  encodeRoom,
  type LedgerEntry,
  type LedgerFinish,
  type LedgerRejection,
  type LedgerRow,
  type RoomExport,
  type StoredSeat,
  WireError,
} from "../../protocol/index.ts";
import type { Game, GameShape, SeatId } from "../../sim/index.ts";
import { actionKey } from "./actions/identity.ts";
import { forgetOld } from "./barrier.ts";
import type { RoomHooks } from "./hooks.ts";
import { LedgerBook } from "./ledger-book.ts";
import { ReplayStore } from "./replay-store.ts";
import { RoomState } from "./room-state.ts";
import type { Suspect } from "./suspects.ts";
import { WindowLoop } from "./window-loop.ts";

/** Where a replay parted from what was recorded. */
export interface ReplayDifference {
  /** Number of the commit whose record differs. */
  readonly commit: number;
  /** The commit before agreed at this boundary. */
  readonly fromTick: number;
  /** First tick of which a difference is known. */
  readonly tick: number;
  readonly what: string;
  readonly expected: string;
  readonly actual: string;
}

export interface ReplayReport {
  /** Ticks and commits that were run again. */
  readonly ticks: number;
  readonly commits: number;
  readonly agree: boolean;
  readonly firstDifference: ReplayDifference | undefined;
}

export interface ReplayRequest<S extends GameShape> {
  readonly game: Game<S>;
  /** The room's own callbacks and bots; nothing of them is called that would reach outside. */
  readonly hooks: RoomHooks<S>;
  readonly recorded: RoomExport;
}

/**
 * Runs a room's recorded past again: from its oldest checkpoint, with the recorded commands, missed ticks, joins,
 * leaves and answers, and compares state hashes at every commit and the outcome of every command [D4].
 * @throws WireError when the records are unreadable or another game's, RangeError when they have a hole
 */
export function replay<S extends GameShape>({ game, hooks, recorded }: ReplayRequest<S>): ReplayReport {
  const [checkpoint] = recorded.checkpoints;
  if (!checkpoint) throw new RangeError("there is no checkpoint to begin with");
  const again = new Replay(game, hooks, recorded.roomName, checkpoint);
  let commits = 0;
  for (const bytes of recorded.ledger) {
    const firstDifference = again.run(decodeLedger(bytes));
    if (firstDifference) return { ticks: again.ticks, commits, agree: false, firstDifference };
    commits++;
  }
  return { ticks: again.ticks, commits, agree: true, firstDifference: undefined };
}

class Replay<S extends GameShape> {
  readonly #state: RoomState<S>;
  readonly #loop: WindowLoop<S>;
  readonly #store = new ReplayStore();
  readonly #firstTick: number;
  /** Calls that the room rejected by itself in the present tick, and why. */
  readonly #screening = new Map<string, string>();
  #commit: number;

  constructor(game: Game<S>, hooks: RoomHooks<S>, roomName: string, checkpoint: Uint8Array) {
    const stored = decodeRoom(checkpoint, game);
    this.#state = new RoomState(game, 0, { retentionTicks: 0 });
    this.#state.actions.follow((session, { seq, slot }) =>
      this.#screening.get(actionKey({ session, seq, slot })),
    );
    this.#state.restore({ state: encodeRoom({ ...stored, seats: stored.seats.map(bare) }), receipts: [] });
    this.#commit = stored.commit;
    this.#firstTick = stored.tick;
    const store = this.#store;
    const never = Number.POSITIVE_INFINITY;
    this.#loop = new WindowLoop(this.#state, {
      roomName,
      hooks,
      store,
      ledger: new LedgerBook(this.#state, { roomName, store, checkpointTicks: never }),
      maxFaults: never,
      graceTicks: never,
      commitEvery: never,
    });
  }

  get ticks(): number {
    return this.#state.world.tick - this.#firstTick;
  }

  run(row: LedgerRow): ReplayDifference | undefined {
    const { world } = this.#state;
    if (row.commit !== this.#commit + 1 || row.fromTick !== world.tick) {
      throw new RangeError(
        `commit ${row.commit} doesn't follow commit ${this.#commit} at tick ${world.tick}`,
      );
    }
    this.#requireGame(row);
    this.#commit = row.commit;
    while (world.tick < row.toTick) {
      const difference = this.#tick(row);
      if (difference) return { commit: row.commit, fromTick: row.fromTick, ...difference };
    }
    this.#closeSessions(row);
    const [expectedEnds, actualEnds] = [row.finished, this.#store.takeFinished()].map(endsText);
    const { commit, fromTick, toTick: tick } = row;
    if (expectedEnds !== actualEnds) {
      const what = "ends of actions";
      return { commit, fromTick, tick, what, expected: expectedEnds ?? "", actual: actualEnds ?? "" };
    }
    const [expected, actual] = [row.hash, world.hash()].map((hash) => hash.toString(16));
    if (expected === actual) return undefined;
    return { commit, fromTick, tick, what: "state hash", expected: expected ?? "", actual: actual ?? "" };
  }

  /** A window of one tick: each command is there for its own tick only. */
  #tick(row: LedgerRow): Omit<ReplayDifference, "commit" | "fromTick"> | undefined {
    const boundary = this.#state.world.tick;
    const tick = boundary + 1;
    this.#closeSessions(row);
    this.#comeAndGo(row, boundary);
    const consumed = this.#offer(row, tick);
    for (const { answer, ...at } of row.answers) {
      if (at.tick === tick) this.#state.actions.answer(actionKey(at), JSON.parse(answer));
    }
    const turn = this.#loop.turn({
      due: { ticks: 1, slipTicks: 0, latenessMs: 0 },
      create: undefined,
      recorded: { rejected: row.rejected.flatMap((one) => suspectOf(one, tick)) },
      endsWindow: row.boundaries.includes(tick),
      alarmAtMs: () => undefined,
    });
    if (turn.outcome === "faulted") {
      return { tick, what: turn.fault.callback, expected: "no fault", actual: turn.fault.message };
    }
    if (turn.outcome === "not-stored") throw turn.error;
    this.#letGo();
    for (const { session, entry } of consumed) {
      const actual = this.#store.outcomeOf(session, entry.seq);
      const expected = outcomeText(entry);
      if (actual !== undefined && outcomeText(actual) !== expected) {
        const what = `outcome of command ${entry.seq} of session ${session}`;
        return { tick, what, expected, actual: outcomeText(actual) };
      }
    }
    return undefined;
  }

  /** Commands of another game would mean something else to this one [D7]. */
  #requireGame({ commit, game: name, gameVersion, fingerprint }: LedgerRow): void {
    const { game } = this.#state;
    if (name === game.name && gameVersion === game.version && fingerprint === game.schema.fingerprint) return;
    const detail = `commit ${commit} is of "${name}" version ${gameVersion}, replayed is "${game.name}" version ${game.version}`;
    throw new WireError("stored-game", detail);
  }

  /** Receipts and closed sessions would pile up: nobody is here to confirm them. */
  #letGo(): void {
    const { seats, actions, world } = this.#state;
    actions.confirmAll();
    for (const record of seats.all()) forgetOld({ seats, actions }, record, world.tick);
  }

  #offer({ sessions }: LedgerRow, tick: number) {
    const consumed: { session: number; entry: LedgerEntry }[] = [];
    this.#screening.clear();
    for (const { seat, inputSession: session, entries } of sessions) {
      const record = this.#state.seats.get(seat as SeatId);
      const entry = entries.find((candidate) => candidate.tick === tick);
      if (!entry || !record || record.input.id !== session) continue;
      record.input.recall(entry.seq, entry.bytes);
      consumed.push({ session, entry });
      for (const { slot, reason, byRoom } of entry.actions) {
        if (byRoom) this.#screening.set(actionKey({ session, seq: entry.seq, slot }), reason);
      }
    }
    return consumed;
  }

  #comeAndGo(row: LedgerRow, boundary: number): void {
    const { seats } = this.#state;
    for (const { seat, tick } of row.leaves) {
      const record = seats.get(seat as SeatId);
      if (record && tick === boundary) record.state = { at: "leaving" };
    }
    const joins = row.joins.filter(({ tick }) => tick === boundary);
    const players = joins.filter(({ kind }) => kind === "player");
    const sessions = players.map(
      ({ seat }) => row.sessions.find((session) => session.seat === seat)?.inputSession ?? 0,
    );
    const bots = joins.filter(({ kind }) => kind === "bot");
    seats.plan({ seats: [...players, ...bots].map(({ seat }) => seat), sessions });
    for (const { name } of players) {
      const state = { at: "joining", linkId: "" } as const;
      seats.add({ name, kind: "player", secretHash: new Uint8Array(32), state }, boundary);
    }
  }

  /** Input sessions that ended at the present boundary. */
  #closeSessions({ ended }: LedgerRow): void {
    const { seats, actions, world } = this.#state;
    for (const { seat, session: id, opened, reason, finalConsumed: consumed, tick } of ended) {
      const record = seats.get(seat as SeatId);
      if (!record || opened === 0 || tick !== world.tick || record.input.id !== id) continue;
      seats.plan({ seats: [], sessions: [opened] });
      seats.replaceSession(record, { id, reason, sinceTick: tick, consumed });
      actions.openStream(opened, seat);
    }
  }
}

/** What a record says must not have its way in a tick; a leave takes effect at the boundary before. */
function suspectOf(rejection: LedgerRejection, tick: number): Suspect[] {
  const { kind, seat, session, seq, slot } = rejection;
  if (rejection.tick !== (kind === "leave" ? tick - 1 : tick)) return [];
  if (kind === "action") return [{ kind, action: { session, seq, slot }, tick }];
  return [{ kind, seat: seat as SeatId, tick: rejection.tick }];
}

/** Without receipts: a replay gives none out, so it needs none of those that were. */
function bare(seat: StoredSeat): StoredSeat {
  const sessions = seat.sessions.map((session) => {
    return { ...session, confirmed: session.receiptHead, reclaimed: session.receiptHead };
  });
  return { ...seat, sessions };
}

function endsText(ends: readonly LedgerFinish[]): string {
  return ends.map((end) => `${actionKey(end)} ${end.outcome} at ${end.tick}`).join(", ");
}

function outcomeText({ disposition, actions }: LedgerEntry): string {
  const slots = actions.map(({ slot, disposition: answer, reason, rewoundTick }) => {
    const seen = rewoundTick === 0 ? "" : ` at ${rewoundTick}`;
    return `${slot} ${answer} ${reason}`.trim() + seen;
  });
  return [`disposition ${disposition}`, ...slots].join(", ");
}
