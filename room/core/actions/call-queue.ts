import { LIMITS, toJsonText } from "../../../protocol/index.ts";
import { type ActionId, actionKey } from "./identity.ts";
import { awaitsCall, type PendingAction } from "./pending-action.ts";

/** A call to be made for an admitted action, until it answers or is stopped. */
export interface CallJob extends ActionId {
  /** The action's identity as one text. */
  readonly key: string;
  /** Name of the action. */
  readonly action: string;
  readonly seat: number;
  readonly params: Readonly<Record<string, number | boolean>>;
  readonly capture: unknown;
}

/** Answers on their way in and calls on their way out. Neither is part of the state: see `restart`. */
export class CallQueue {
  /** By action, as JSON; kept until a committed window has taken or refused it [T6]. */
  readonly #answers = new Map<string, string>();
  #starting: CallJob[] = [];
  #stopping: string[] = [];

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
      if (!before.has(key) && awaitsCall(action)) this.#starting.push(this.#job(action));
    }
  }

  /** The room's memory was built anew: whoever made the calls is gone, and with them their answers [A3]. */
  restart(pending: Iterable<PendingAction>): void {
    this.#answers.clear();
    this.#stopping = [];
    this.#starting = [];
    for (const action of pending) if (awaitsCall(action)) this.#starting.push(this.#job(action));
  }

  /** What is to be called, and which calls nobody waits for any more, since the last time. */
  take(): { readonly start: readonly CallJob[]; readonly stop: readonly string[] } {
    const taken = { start: this.#starting, stop: this.#stopping };
    this.#starting = [];
    this.#stopping = [];
    return taken;
  }

  #job({ stored, action, params, capture }: PendingAction): CallJob {
    const { session, seq, slot, seat } = stored;
    return { key: actionKey(stored), action: action.name, session, seq, slot, seat, params, capture };
  }
}
