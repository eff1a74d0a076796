import {
  type ActionOutcome,
  type LedgerAnswer,
  type LedgerFinish,
  LIMITS,
  type Receipt,
  receiptReason,
  type SlotOutcome,
} from "../../../protocol/index.ts";
import type {
  ActionCall,
  AdmissionResult,
  Game,
  GameShape,
  SystemContext,
  Tick,
} from "../../../sim/index.ts";
import type { ActionPart, ActionWrite, CarriedCalls, StoredActions, StreamNumbers } from "../action-part.ts";
import { Refusal } from "../refusal.ts";
import type { Suspect } from "../suspects.ts";
import type { CallJob } from "./call-job.ts";
import { CallQueue } from "./call-queue.ts";
import { type ActionId, actionKey } from "./identity.ts";
import { idOf, type PendingAction } from "./pending-action.ts";
import { PendingTable } from "./pending-table.ts";
import { ReceiptBook, type ReceiptContent } from "./receipt-book.ts";
import { type RecordedScreening, Screening } from "./screening.ts";
import { admittedAction, hasSettle, settleAction } from "./settlement.ts";

/** Reason of a rejection for which the game wasn't asked: its code threw, or what it made is too large to be stored. */
const FAULT_REASON = "fault";

export interface ActionBookOptions {
  /** How long a confirmed receipt is kept. */
  readonly retentionTicks: number;
}

/**
 * The actions of a room: admitted in the tick that consumes their command, then pending until a tick settles
 * them or their deadline comes, each answered by receipts. All that is decided in a window is settled or undone
 * with it; answers from outside wait until a tick takes them [A3].
 *
 *   call ──admit──▶ admitted (pending) ──settle / answer──▶ settled
 *     └─────────▶ rejected    └────────deadline─────────▶ timedOut
 */
export class ActionBook<S extends GameShape> implements ActionPart<S> {
  readonly #game: Game<S>;
  readonly #options: ActionBookOptions;
  readonly #receipts = new ReceiptBook();
  readonly #calls: CallQueue;
  readonly #pending: PendingTable;
  #answers: LedgerAnswer[] = [];
  /** Actions at fault, each with the tick in which it must not have its way. */
  #ended = new Set<string>();
  /** Actions that the open window has ended. */
  #finished: LedgerFinish[] = [];
  #answersTaken = false;
  readonly #screening = new Screening();
  #writtenTick = 0;

  constructor(game: Game<S>, options: ActionBookOptions) {
    this.#game = game;
    this.#options = options;
    this.#pending = new PendingTable(game.schema);
    this.#calls = new CallQueue(game.schema);
  }

  get changed(): boolean {
    return this.#pending.changed || this.#receipts.dirty || this.debts.changed;
  }

  /** Admitted actions without a final receipt. */
  get pendingCount(): number {
    return this.#pending.now.size;
  }

  /** Failed actions that are to be compensated [A9]. */
  get debts(): CallQueue["debts"] {
    return this.#calls.debts;
  }

  get receipts(): ReceiptBook {
    return this.#receipts;
  }

  /** Actions that the open window has ended, then those that wait: one of them may be at fault. */
  suspects(): ActionId[] {
    return [...this.#finished, ...this.#pending.all().map(({ stored }) => stored)].map(idOf);
  }

  open(rejected: readonly Suspect[]): void {
    this.#finished = [];
    this.#ended = new Set();
    for (const suspect of rejected) {
      if (suspect.kind === "action") this.#ended.add(`${actionKey(suspect.action)}@${suspect.tick}`);
    }
    this.#answersTaken = false;
  }

  beginTick(): void {
    this.#screening.beginTick();
  }

  screen(carried: CarriedCalls<S>): readonly ActionCall[] {
    const reasons = this.#screening.reasons(carried, this.#receipts, this.#pending.all(), this.debts.size);
    return carried.calls.filter((call, i) => {
      const reason = reasons[i];
      if (reason !== undefined) {
        carried.record.input.answer(this.#reject(carried, call, { reason, byRoom: true }));
      }
      return reason === undefined;
    });
  }

  rejectFaulted(carried: CarriedCalls<S>): void {
    const { input } = carried.record;
    for (const call of carried.calls) {
      input.answer(this.#reject(carried, call, { reason: FAULT_REASON, byRoom: true }));
    }
  }

  admission(carried: CarriedCalls<S>, call: ActionCall, result: AdmissionResult): SlotOutcome {
    if (!result.admitted) return this.#reject(carried, call, { ...result, byRoom: false });
    const { record, session, tick } = carried;
    const { slot, seq } = call;
    const action = this.#game.schema.actions[slot];
    if (!action) throw new RangeError(`no action has slot ${slot}`);
    const outcome: SlotOutcome = {
      slot,
      disposition: "admitted",
      reason: "",
      byRoom: false,
      rewoundTick: result.rewoundTick,
    };
    if (!action.call && !hasSettle(this.#game, action.name)) {
      // Nothing to wait for: its final receipt says that it was admitted, too.
      this.#stage(record.id, { session, seq, slot }, { revision: 2, status: "settled", tick });
    } else {
      this.#stage(record.id, { session, seq, slot }, { revision: 1, status: "admitted", tick });
      this.#pending.put(admittedAction(carried, { ...call, action }, result.capture));
    }
    return outcome;
  }

  /** Time-outs first: at its deadline an action is over, whatever has come in the meantime [A3]. */
  settlePending(context: SystemContext<S>): void {
    const { tick } = context;
    for (const action of this.#takeAnswers(tick)) {
      const { stored } = action;
      if (stored.admittedTick === tick) continue;
      if (this.#ended.has(`${action.key}@${tick}`)) this.#timeOut(action, "fault", tick);
      else if (tick >= stored.deadlineTick) this.#timeOut(action, "deadline", tick);
      else this.#trySettle(action, context);
    }
  }

  hasPending(session: number): boolean {
    return this.#pending.all().some(({ stored }) => stored.session === session);
  }

  /** From here on calls are screened as the records say. For replays. */
  follow(recorded: RecordedScreening): void {
    this.#screening.follow(recorded);
  }

  /** As if every client had confirmed all its receipts. For replays, which give none out. */
  confirmAll(): void {
    this.#receipts.confirmAll();
  }

  openStream(session: number, seat: number): void {
    this.#receipts.open(session, seat);
  }

  forgetStream(session: number): void {
    this.#receipts.endSession(session);
    this.#pending.forget(({ stored }) => stored.session === session);
  }

  endSeat(seat: number, tick: number): void {
    this.#receipts.endSeat(seat);
    for (const action of this.#pending.all())
      if (action.stored.seat === seat) this.#end(action, "left", tick);
  }

  streamOf(session: number): StreamNumbers {
    return this.#receipts.numbers(session);
  }

  receiptsOf(session: number, seq: number): readonly Receipt[] {
    return this.#receipts.ofCommand(session, seq);
  }

  write(committedTick: number): ActionWrite {
    this.#writtenTick = committedTick;
    const { retentionTicks } = this.#options;
    const isPending = (id: ActionId) => this.#pending.now.has(actionKey(id));
    return {
      pending: this.#pending.all().map(({ stored }) => stored),
      answers: this.#answers,
      finished: this.#finished,
      debts: this.debts.write(),
      receipts: this.#receipts.write(committedTick, { retentionTicks, isPending }),
    };
  }

  settle(): void {
    this.#receipts.settle(this.#writtenTick);
    this.#calls.settle(this.#pending.boundary, this.#pending.now);
    this.#pending.settle();
    this.#answers = [];
  }

  undo(): void {
    this.#receipts.undo();
    this.#pending.undo();
    this.debts.undo();
    this.#answers = [];
  }

  /** @throws WireError or RangeError when what is stored doesn't fit together */
  restore(stored: StoredActions): void {
    const fault = this.#receipts.restore(stored);
    if (fault !== undefined) throw new RangeError(fault);
    this.#pending.restore(stored.pending);
    this.#calls.restart(this.#pending.all(), stored.debts);
  }

  /**
   * Before a seat's commands are taken.
   * @throws Refusal when its client confirms nothing although all its actions are rejected for that
   */
  requireConfirmed(seat: number): void {
    const unconfirmed = this.#receipts.unconfirmedOf(seat);
    if (unconfirmed <= 2 * LIMITS.receiptsRetained) return;
    throw new Refusal("credit-exceeded", { detail: `${unconfirmed} receipts wait for a confirmation` });
  }

  /** A call answered. @returns why that is of no use, if so */
  answer(key: string, value: unknown): string | undefined {
    return this.#calls.offer(this.#pending.now.get(key), value);
  }

  /** Calls to start and to stop since the last time. */
  takeCalls(): { readonly start: readonly CallJob[]; readonly stop: readonly string[] } {
    return this.#calls.take();
  }

  /** In the first tick of a window the answers that have come are taken, if in time [A3]. */
  #takeAnswers(tick: Tick): PendingAction[] {
    if (!this.#answersTaken) {
      this.#answersTaken = true;
      for (const { key, stored, answer } of this.#pending.all()) {
        const text = this.#calls.waiting(key);
        if (text === undefined || answer || tick >= stored.deadlineTick) continue;
        this.#answers.push({ ...idOf(stored), tick, answer: text });
        this.#pending.put({ ...stored, answer: text });
      }
    }
    return this.#pending.all();
  }

  #trySettle(action: PendingAction, context: SystemContext<S>): void {
    const { tick } = context;
    const settled = settleAction(this.#game, action, context);
    if (!settled) return;
    this.#end(action, "settled", tick);
    this.#stageFinal(action, { status: "settled", ...settled, tick });
  }

  #timeOut(action: PendingAction, reason: "deadline" | "fault", tick: number): void {
    this.#end(action, reason, tick);
    this.#stageFinal(action, { status: "timedOut", reason, tick });
  }

  #end(action: PendingAction, outcome: ActionOutcome, tick: number): void {
    this.#finished.push({ ...idOf(action.stored), tick, outcome });
    // A call starts with the commit of its admission: before that there is nothing to undo.
    if (this.#pending.boundary.has(action.key)) this.debts.incur(action, outcome);
    this.#pending.delete(action.key);
  }

  #stageFinal(
    { stored }: PendingAction,
    content: Partial<ReceiptContent> & Omit<ReceiptContent, Blank | "revision">,
  ): void {
    this.#stage(stored.seat, stored, { ...content, revision: stored.revision + 1 });
  }

  #reject(
    { record, session, tick }: CarriedCalls<S>,
    { slot, seq }: ActionCall,
    because: { readonly reason: string; readonly byRoom: boolean; readonly rewoundTick?: number },
  ): SlotOutcome {
    const reason = receiptReason(because.reason);
    this.#stage(record.id, { session, seq, slot }, { revision: 1, status: "rejected", reason, tick });
    const { byRoom, rewoundTick = 0 } = because;
    return { slot, disposition: "rejected", reason, byRoom, rewoundTick };
  }

  #stage(seat: number, id: ActionId, content: Partial<ReceiptContent> & Omit<ReceiptContent, Blank>): void {
    this.#receipts.stage(seat, id, { reason: "", result: null, ...content });
  }
}

type Blank = "reason" | "result";
