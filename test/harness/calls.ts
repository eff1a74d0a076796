import type { CallJob, RoomCalls } from "../../room/core/index.ts";
import type { ProcessLife } from "./process-life.ts";

/**
 * A call that the room's process has made for an action, and that somebody is to answer; or what undoes one, if it
 * says what it `compensates`: any answer then says that it is done.
 */
export interface HarnessCall extends CallJob {
  /** Clock time at which it was made. */
  readonly startedMs: number;
  /** How often this action's call was made before, by this or an earlier process. */
  readonly repeats: number;
  /** Whether it still waits for its first answer. */
  readonly isOpen: boolean;
  /** Answers it, any number of times. An answer to a process that has ended is heard by nobody. */
  answer(value: unknown): void;
}

export type Responder = (call: HarnessCall) => void;

export interface CallsPort {
  readonly nowMs: number;
  /** Hands an answer to the room. */
  deliver(life: ProcessLife, call: HarnessCall, value: unknown): void;
  /** Whether an action's call can be undone. */
  compensates(action: string): boolean;
}

/** The outside of the room's calls: who is called answers when the test says so, or by itself. */
export class Calls {
  readonly #port: CallsPort;
  readonly #open = new Map<string, HarnessCall>();
  readonly #made = new Map<string, number>();
  #respond: Responder | undefined;

  constructor(port: CallsPort) {
    this.#port = port;
  }

  /** Calls of the present process that have no answer yet, oldest first. */
  get open(): readonly HarnessCall[] {
    return [...this.#open.values()];
  }

  /** How often the call of each key was made, by all processes together; those that undo it are under `undo <key>`. */
  get made(): ReadonlyMap<string, number> {
    return this.#made;
  }

  /** From now on every call goes to `respond`, which may answer now, later, twice or never; those open now too. */
  auto(respond: Responder): void {
    this.#respond = respond;
    for (const call of this.open) respond(call);
  }

  /** From now on calls wait in `open` for a hand. */
  byHand(): void {
    this.#respond = undefined;
  }

  /** @internal The process that made them is gone. */
  clear(): void {
    this.#open.clear();
  }

  /** @internal What a room's process is given to make its calls with. */
  openFor(life: ProcessLife): RoomCalls {
    return {
      startCall: (job) => {
        life.pass("before-call");
        this.#start(job, life);
        life.pass("after-call");
      },
      stopCall: (key) => {
        if (life.alive) this.#open.delete(key);
      },
      compensates: (action) => this.#port.compensates(action),
    };
  }

  #start(job: CallJob, life: ProcessLife): void {
    const { key } = job;
    const what = job.compensates ? `undo ${key}` : key;
    const repeats = this.#made.get(what) ?? 0;
    this.#made.set(what, repeats + 1);
    const open = this.#open;
    const call: HarnessCall = {
      ...job,
      startedMs: this.#port.nowMs,
      repeats,
      get isOpen() {
        return open.get(key) === call;
      },
      answer: (value) => {
        if (!life.alive) return;
        if (call.isOpen) open.delete(key);
        this.#port.deliver(life, call, value);
      },
    };
    open.set(key, call);
    this.#respond?.(call);
  }
}
