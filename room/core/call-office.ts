import type { GameShape } from "../../sim/index.ts";
import type { ActionBook, CallJob } from "./actions/index.ts";
import type { RoomLogEntry } from "./options.ts";

/** Who makes the calls of admitted actions, outside the room's ticks. */
export interface RoomCalls {
  /**
   * Makes a call until it answers (`RoomCore.answer` under the job's key) or is stopped. Also called again for
   * the same key, after a restart.
   */
  startCall(job: CallJob): void;
  /** Nobody waits for this one any more. */
  stopCall(key: string): void;
  /**
   * Whether an action's call can be undone. Then `startCall` is also given jobs that say what they compensate:
   * they are never stopped, and end with `RoomCore.compensated`. *Default* none can.
   */
  compensates?(action: string): boolean;
}

interface OfficeOptions {
  readonly roomName: string;
  readonly calls: RoomCalls | undefined;
  readonly log: (entry: RoomLogEntry) => void;
}

/** Hands calls out once their admission is stored, and answers in [A3]. */
export class CallOffice {
  readonly #prefix: string;
  readonly #options: OfficeOptions;

  constructor(options: OfficeOptions) {
    this.#options = options;
    this.#prefix = `${options.roomName}/`;
  }

  /** After a commit, or a restart. */
  handOut<S extends GameShape>(actions: ActionBook<S>): void {
    const { start, stop } = actions.takeCalls();
    const { calls } = this.#options;
    for (const key of stop) this.#safely(() => calls?.stopCall(this.#prefix + key));
    for (const job of start) {
      if (!calls) this.#log("warn", "call-impossible", { action: job.action });
      this.#safely(() => calls?.startCall({ ...job, key: this.#prefix + job.key }));
    }
  }

  /** An answer waits for the next tick. One that can't be used is as good as none: the deadline comes. */
  handIn<S extends GameShape>(actions: ActionBook<S>, key: string, value: unknown): void {
    const own = key.startsWith(this.#prefix) ? key.slice(this.#prefix.length) : "";
    const refused = actions.answer(own, value);
    if (refused !== undefined) this.#log("warn", "answer-refused", { key, reason: refused });
  }

  /** What a failed action's call had done is undone [A9]. */
  handBack<S extends GameShape>({ debts }: ActionBook<S>, key: string): void {
    const owed = key.startsWith(this.#prefix) && debts.pay(key.slice(this.#prefix.length));
    if (!owed) this.#log("warn", "compensation-refused", { key, reason: "it isn't owed" });
  }

  /** What makes calls isn't the game's code in a window: its failure must not undo one that is stored. */
  #safely(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#log("error", "call-failed", { error: String(error) });
    }
  }

  #log(level: RoomLogEntry["level"], event: string, detail: Readonly<Record<string, string>>): void {
    this.#options.log({ level, event, ...detail });
  }
}
