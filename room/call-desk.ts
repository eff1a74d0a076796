import type { GameShape } from "../sim/index.ts";
import type { CallContext, CallHandlers, CallJob, RoomCalls } from "./core/index.ts";

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

export interface CallDeskOptions<S extends GameShape> {
  /** Asked anew for every call, so that a subclass's field counts. */
  readonly handlers: () => CallHandlers<S>;
  readonly env: Cloudflare.Env;
  readonly answer: (key: string, value: unknown) => void;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly log: (event: string, detail: Readonly<Record<string, string | number>>) => void;
}

type Handler = (context: unknown) => Promise<unknown>;

/** Makes the calls of admitted actions: again and again until one answers, or the room stops waiting [A3]. */
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

  async #make(job: CallJob): Promise<void> {
    const { key, action, seat, params, capture } = job;
    const { handlers, env, answer, wait, log } = this.#options;
    for (let failures = 0; this.#isWanted(job); failures++) {
      let value: unknown;
      try {
        const handler = (handlers() as Readonly<Record<string, Handler>>)[action];
        if (!handler) {
          log("call-impossible", { action });
          return;
        }
        value = await handler({ key, seat, params, capture, env } as unknown as CallContext<S, never>);
      } catch (error) {
        log("call-failed", { key, failures: failures + 1, error: String(error) });
        await wait(Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS));
        continue;
      }
      // One that was stopped in the meantime would be refused; its deadline has spoken.
      if (!this.#isWanted(job)) return;
      this.#wanted.delete(key);
      answer(key, value);
      return;
    }
  }

  #isWanted(job: CallJob): boolean {
    return this.#wanted.get(job.key) === job;
  }
}
