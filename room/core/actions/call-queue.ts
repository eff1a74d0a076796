import { LIMITS, type StoredDebt, toJsonText } from "../../../protocol/index.ts";
import type { CompiledSchema } from "../../../sim/index.ts";
import { type CallJob, callJob } from "./call-job.ts";
import { Debts } from "./debts.ts";
import { awaitsCall, type PendingAction } from "./pending-action.ts";

/** Answers on their way in and calls on their way out. Neither is part of the state: see `restart`. */
export class CallQueue {
  /** By action, as JSON; kept until a committed window has taken or refused it [T6]. */
  readonly #answers = new Map<string, string>();
  readonly debts: Debts;
  #starting: CallJob[] = [];
  #stopping: string[] = [];

  constructor(schema: CompiledSchema) {
    this.debts = new Debts(schema);
  }

  /**
   * An answer came.
   * @returns why it can't be used, if so: then it is as if it had never come, and the deadline ends the action
   */
  offer(action: PendingAction | undefined, value: unknown): string | undefined {
    if (!action || !awaitsCall(action)) return "nothing waits for it";
    // The first one counts, as it would have after a restart: the call is idempotent.
    if (this.#answers.has(action.key)) return undefined;
    try {
      this.#answers.set(action.key, toJsonText(value ?? null, LIMITS.answerBytes));
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** The answer that waits for a tick to take it. */
  waiting(key: string): string | undefined {
    return this.#answers.get(key);
  }

  /** A window is stored that took what waited, and changed what is pending. */
  settle(before: ReadonlyMap<string, PendingAction>, after: ReadonlyMap<string, PendingAction>): void {
    for (const [key, action] of before) {
      const now = after.get(key);
      if (now && awaitsCall(now)) continue;
      this.#answers.delete(key);
      if (awaitsCall(action)) this.#stopping.push(key);
    }
    for (const [key, action] of after) {
      if (!before.has(key) && awaitsCall(action)) this.#starting.push(callJob(action));
    }
    this.debts.settle();
  }

  /** The room's memory was built anew: whoever made the calls is gone, and with them their answers [A3]. */
  restart(pending: Iterable<PendingAction>, debts: readonly StoredDebt[]): void {
    this.debts.restore(debts);
    this.#answers.clear();
    this.#stopping = [];
    this.#starting = [];
    for (const action of pending) if (awaitsCall(action)) this.#starting.push(callJob(action));
  }

  /** What is to be called, and which calls nobody waits for any more, since the last time. */
  take(): { readonly start: readonly CallJob[]; readonly stop: readonly string[] } {
    const taken = { start: [...this.#starting, ...this.debts.take()], stop: this.#stopping };
    this.#starting = [];
    this.#stopping = [];
    return taken;
  }
}
