import type { GameShape } from "../sim/index.ts";
import type { CallHandlers, CallJob, Compensations, RoomCalls } from "./core/index.ts";

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

export interface CallDeskOptions<S extends GameShape> {
  /** Asked anew for every call, so that a subclass's field counts. */
  readonly handlers: () => CallHandlers<S>;
  readonly compensations: () => Compensations<S>;
  readonly env: Cloudflare.Env;
  readonly answer: (key: string, value: unknown) => void;
  readonly compensated: (key: string) => void;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly log: (event: string, detail: Readonly<Record<string, string | number>>) => void;
}

type Handlers = Readonly<Record<string, ((context: unknown) => Promise<unknown>) | undefined>>;

/**
 * Makes the calls of admitted actions: again and again until one answers, or the room stops waiting [A3]. Those that
 * undo one are asked for until they are done [A9].
 */
export class CallDesk<S extends GameShape> implements RoomCalls {
  readonly #options: CallDeskOptions<S>;
  readonly #wanted = new Map<string, CallJob>();

  constructor(options: CallDeskOptions<S>) {
    this.#options = options;
  }

  startCall(job: CallJob): void {
    this.#wanted.set(job.key, job);
    void this.#make(job);
  }

  stopCall(key: string): void {
    this.#wanted.delete(key);
  }

  compensates(action: string): boolean {
    return this.#handlers("deadline")[action] !== undefined;
  }

  /** Of calls, or of what undoes them for a reason. */
  #handlers(reason: CallJob["compensates"]): Handlers {
    const { handlers, compensations } = this.#options;
    return (reason === undefined ? handlers() : compensations()) as unknown as Handlers;
  }

  async #make(job: CallJob): Promise<void> {
    const { key, action, seat, params, capture, compensates: reason } = job;
    const { env, answer, compensated, wait, log } = this.#options;
    for (let failures = 0; this.#isWanted(job); failures++) {
      let value: unknown;
      try {
        const handler = this.#handlers(reason)[action];
        if (!handler) {
          // One that undoes a call stays owed: a build that lost its handler mustn't lose money, too.
          log("call-impossible", { seat, action, reason: reason ?? "no handler" });
          return;
        }
        value = await handler({ key, seat, params, capture, env, ...(reason && { reason }) });
      } catch (error) {
        log("call-failed", { seat, key, failures: failures + 1, reason: String(error) });
        await wait(Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS));
        continue;
      }
      // One that was stopped in the meantime would be refused; its deadline has spoken.
      if (!this.#isWanted(job)) return;
      this.#wanted.delete(key);
      if (reason) compensated(key);
      else answer(key, value);
      return;
    }
  }

  #isWanted(job: CallJob): boolean {
    return this.#wanted.get(job.key) === job;
  }
}
