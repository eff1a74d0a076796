import { NO_ECHO } from "../protocol/index.ts";

/** Samples looked at: enough to contain a quick one, few enough to follow a change of route. */
const WINDOW = 32;
/** An exchange slower than this says nothing about the clock. */
const MAX_RTT_MS = 30_000;

interface Exchange {
  readonly rttMs: number;
  /** Server tick at the client's time 0, if the way there and the way back took equally long. */
  readonly offsetTicks: number;
}

/**
 * Where the room's clock is [C1]. Each snapshot echoes the newest timestamp that the room had from us. The
 * exchange with the shortest round trip waited least in queues, so its half is nearest to the true one-way
 * time; the newest packet may have sat behind a stall.
 */
export class ServerClock {
  readonly #tickMs: number;
  #window: Exchange[] = [];
  #offsetTicks: number | undefined;

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  /** Median round trip: what a player feels, without the odd spike. 0 before the first exchange. */
  get rttMs(): number {
    if (this.#window.length === 0) return 0;
    const sorted = this.#window.map((exchange) => exchange.rttMs).sort((a, b) => a - b);
    return sorted[sorted.length >> 1] as number;
  }

  /** The room's tick now, with a fraction; undefined before the first exchange. */
  tickAt(nowMs: number): number | undefined {
    return this.#offsetTicks === undefined ? undefined : this.#offsetTicks + nowMs / this.#tickMs;
  }

  /** The stamp that goes out with an input frame and comes back with a snapshot. */
  static stamp(nowMs: number): number {
    return Math.floor(nowMs) >>> 0;
  }

  /**
   * @param tick tick of the snapshot, the room's present when it was sent
   * @param echoMs our newest stamp that the room had then
   * @param heldMs how long it had had it
   */
  exchange(tick: number, echoMs: number, heldMs: number, nowMs: number): void {
    if (heldMs === NO_ECHO) return;
    const rttMs = ((ServerClock.stamp(nowMs) - echoMs) | 0) - heldMs;
    // Stamps and holding times are whole milliseconds, so that a round trip of 0 can come out as -1.
    if (rttMs < -2 || rttMs > MAX_RTT_MS) return;
    const rtt = Math.max(0, rttMs);
    this.#window.push({ rttMs: rtt, offsetTicks: tick + (rtt / 2 - nowMs) / this.#tickMs });
    if (this.#window.length > WINDOW) this.#window.shift();
    this.#settle();
  }

  /** The room ran fewer ticks than the wall clock had: earlier exchanges are off by as many. */
  slip(ticks: number): void {
    this.#window = this.#window.map((e) => ({ ...e, offsetTicks: e.offsetTicks - ticks }));
    if (this.#offsetTicks !== undefined) this.#offsetTicks -= ticks;
  }

  /** Another incarnation: its ticks relate to the wall clock in a new way. */
  reset(): void {
    this.#window = [];
    this.#offsetTicks = undefined;
  }

  #settle(): void {
    let best = this.#window[0] as Exchange;
    for (const exchange of this.#window) if (exchange.rttMs <= best.rttMs) best = exchange;
    const error = best.offsetTicks - (this.#offsetTicks ?? best.offsetTicks);
    const far = Math.abs(error) * this.#tickMs > 250;
    this.#offsetTicks = best.offsetTicks - (far ? 0 : error * 0.8);
  }
}
