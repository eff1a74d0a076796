import { Lateness, type LatenessHistogram } from "./lateness.ts";
import type { RoomStats } from "./stats.ts";

type Counted = Pick<
  RoomStats,
  | "windows"
  | "commits"
  | "latenessP50Ms"
  | "latenessP99Ms"
  | "inputsConsumed"
  | "inputsMissing"
  | "faults"
  | "storageErrors"
  | "alarms"
  | "messagesIn"
  | "connectionsMade"
  | "bytesIn"
  | "bytesOut"
  | "eventsDropped"
>;

/** What a room counts while it runs. */
export class Counters {
  readonly #lateness = new Lateness();
  #windows = 0;
  #inputsConsumed = 0;
  #inputsMissing = 0;
  commits = 0;
  faults = 0;
  storageErrors = 0;
  #alarms = 0;
  #waits = false;
  connectionsMade = 0;
  #messagesIn = 0;
  #bytesIn = 0;
  #bytesOut = 0;
  #eventsDropped = 0;

  window(
    latenessMs: number,
    inputs: { readonly inputsConsumed: number; readonly inputsMissing: number },
  ): void {
    this.#windows++;
    this.#lateness.record(latenessMs);
    this.#inputsConsumed += inputs.inputsConsumed;
    this.#inputsMissing += inputs.inputsMissing;
  }

  /** @param waits the pump was promised another one within this alarm */
  pumped(byAlarm: boolean, waits: boolean): void {
    if (byAlarm && !this.#waits) this.#alarms++;
    this.#waits = waits;
  }

  received(data: ArrayBuffer | string): void {
    this.#messagesIn++;
    this.#bytesIn += typeof data === "string" ? data.length : data.byteLength;
  }

  sent({ bytesOut, eventsDropped }: { readonly bytesOut: number; readonly eventsDropped: number }): void {
    this.#bytesOut += bytesOut;
    this.#eventsDropped += eventsDropped;
  }

  lateness(): LatenessHistogram {
    return this.#lateness.histogram();
  }

  snapshot(): Counted {
    return {
      windows: this.#windows,
      commits: this.commits,
      latenessP50Ms: this.#lateness.quantileMs(0.5),
      latenessP99Ms: this.#lateness.quantileMs(0.99),
      inputsConsumed: this.#inputsConsumed,
      inputsMissing: this.#inputsMissing,
      faults: this.faults,
      storageErrors: this.storageErrors,
      alarms: this.#alarms,
      messagesIn: this.#messagesIn,
      connectionsMade: this.connectionsMade,
      bytesIn: this.#bytesIn,
      bytesOut: this.#bytesOut,
      eventsDropped: this.#eventsDropped,
    };
  }
}
