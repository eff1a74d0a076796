/** Running totals of a room, from which its rates are taken. */
export interface Totals {
  readonly windows: number;
  readonly commits: number;
  readonly rows: number;
  readonly alarms: number;
  readonly messagesIn: number;
  readonly connectionsMade: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** The same per second, over the seconds that `overSeconds` says. */
export type Rates = Totals & { readonly overSeconds: number };

interface Sample {
  readonly atMs: number;
  readonly totals: Totals;
}

const SAMPLE_MS = 1000;
const KEPT_MS = 60_000;
const NONE: Totals = {
  windows: 0,
  commits: 0,
  rows: 0,
  alarms: 0,
  messagesIn: 0,
  connectionsMade: 0,
  bytesIn: 0,
  bytesOut: 0,
};

/** Remembers totals once a second for a minute. Between two samples it costs a comparison per window. */
export class RateMeter {
  #samples: Sample[] = [];
  #nextMs = Number.NEGATIVE_INFINITY;

  /** Call with every window. */
  sample(nowMs: number, totals: () => Totals): void {
    // A wall clock that was set back must not keep the meter waiting for it to come round again.
    if (nowMs < this.#nextMs && nowMs > this.#nextMs - 2 * SAMPLE_MS) return;
    this.#nextMs = nowMs + SAMPLE_MS;
    this.#samples = this.#samples.filter(({ atMs }) => atMs <= nowMs && atMs > nowMs - KEPT_MS);
    this.#samples.push({ atMs: nowMs, totals: totals() });
  }

  /** Rates since the oldest sample of the last minute; a room that has slept for a minute has none. */
  rates(nowMs: number, totals: Totals): Rates {
    const since = this.#samples.find(({ atMs }) => atMs > nowMs - KEPT_MS && atMs < nowMs);
    if (!since) return { ...NONE, overSeconds: 0 };
    const overSeconds = (nowMs - since.atMs) / 1000;
    const rate = (name: keyof Totals) => (totals[name] - since.totals[name]) / overSeconds;
    return {
      windows: rate("windows"),
      commits: rate("commits"),
      rows: rate("rows"),
      alarms: rate("alarms"),
      messagesIn: rate("messagesIn"),
      connectionsMade: rate("connectionsMade"),
      bytesIn: rate("bytesIn"),
      bytesOut: rate("bytesOut"),
      overSeconds,
    };
  }
}
