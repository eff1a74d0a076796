import type { ActionOutcome, StoredDebt } from "../../../protocol/index.ts";
import type { CompiledSchema } from "../../../sim/index.ts";
import { type CallJob, callJob } from "./call-job.ts";
import { actionKey } from "./identity.ts";
import { type CarriedAction, carriedAction, type PendingAction } from "./pending-action.ts";

/** How often a room that nobody is in sees whether what it owes was paid, or was forgotten with its memory. */
const WATCH_MS = 10_000;

interface Debt extends CarriedAction {
  readonly stored: StoredDebt;
}

/**
 * Failed actions whose call may have had its effect: each is owed a compensation, which is asked for until one is
 * confirmed [A9]. They are stored with the room's state, so that neither a crash nor an empty room forgets one.
 */
export class Debts {
  readonly #schema: CompiledSchema;
  #compensates: (action: string) => boolean = () => false;
  #owed = new Map<string, Debt>();
  /** By the open window. */
  #incurred: Debt[] = [];
  /** Confirmed; kept until a commit has them off the books, or a crash would have them asked for again for ever. */
  readonly #paid = new Set<string>();
  #starting: CallJob[] = [];

  constructor(schema: CompiledSchema) {
    this.#schema = schema;
  }

  /** Those that are in the next commit. */
  get size(): number {
    return this.#owed.size + this.#incurred.length - this.#paid.size;
  }

  /** Whether a commit would store others than the last one did. */
  get changed(): boolean {
    return this.#incurred.length > 0 || this.#paid.size > 0;
  }

  /** When a room must be awake for them that nobody else keeps awake. */
  watchAtMs(nowMs: number): number | undefined {
    return this.#owed.size > 0 || this.changed ? nowMs + WATCH_MS : undefined;
  }

  /** Says which actions have a compensation. *Default* none. */
  ask(compensates: (action: string) => boolean): void {
    this.#compensates = compensates;
  }

  /** An action failed whose call was made. */
  incur({ stored, ...action }: PendingAction, outcome: ActionOutcome): void {
    if (outcome === "settled" || !action.action.call || !this.#compensates(action.action.name)) return;
    const { session, seq, slot, seat, params, capture } = stored;
    this.#incurred.push({ ...action, stored: { session, seq, slot, seat, params, capture, outcome } });
  }

  /** It is compensated. @returns whether it was owed */
  pay(key: string): boolean {
    if (!this.#owed.has(key)) return false;
    this.#paid.add(key);
    return true;
  }

  write(): StoredDebt[] {
    const kept = [...this.#owed.values()].filter(({ stored }) => !this.#paid.has(actionKey(stored)));
    return [...kept, ...this.#incurred].map(({ stored }) => stored);
  }

  settle(): void {
    for (const key of this.#paid) this.#owed.delete(key);
    this.#paid.clear();
    for (const debt of this.#incurred) {
      this.#owed.set(debt.key, debt);
      this.#starting.push(this.#job(debt));
    }
    this.#incurred = [];
  }

  undo(): void {
    this.#incurred = [];
  }

  /** @throws WireError or RangeError when something else than a debt of this game was stored */
  restore(stored: readonly StoredDebt[]): void {
    this.undo();
    this.#paid.clear();
    this.#owed = new Map(
      stored.map((debt) => [actionKey(debt), { ...carriedAction(this.#schema, debt), stored: debt }]),
    );
    this.#starting = [...this.#owed.values()].map((debt) => this.#job(debt));
  }

  /** What is to be asked for, since the last time. */
  take(): CallJob[] {
    return this.#starting.splice(0);
  }

  #job(debt: Debt): CallJob {
    const { outcome } = debt.stored;
    return { ...callJob(debt), compensates: outcome };
  }
}
