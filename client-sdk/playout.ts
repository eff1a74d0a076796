import { Spread } from "./spread.ts";

/** Snapshots that come later than this for 1.5 s in a row come by another way. */
const STEP_MS = 30;
/** Later than this is an outage. */
const OUTAGE_MS = 400;
/** Further behind than this, catching up smoothly would take longer than anybody wants to watch. */
const JUMP_MS = 500;
const FASTEST = 1.15;
const SLOWEST = 0.8;

/**
 * Which moment of the room's past is shown of what isn't predicted [V4]: the time of the quickest arrivals,
 * minus two snapshot intervals, minus how late others have been. When that changes, time runs a little
 * slower or faster; it never jumps back.
 */
export class Playout {
  readonly #tickMs: number;
  #intervalTicks: number;
  /** Of a snapshot's time in the room minus its arrival here: larger is quicker. */
  readonly #spread = new Spread(STEP_MS, OUTAGE_MS);
  #newestTick = -1;
  #tick = Number.NEGATIVE_INFINITY;
  #jitterMs = 0;
  #starved = false;

  constructor(tickMs: number, windowTicks: number) {
    this.#tickMs = tickMs;
    this.#intervalTicks = windowTicks;
  }

  /** The moment to show, in ticks with a fraction. */
  get tick(): number {
    return this.#tick;
  }
  /** Average distance between snapshots. */
  get intervalTicks(): number {
    return this.#intervalTicks;
  }
  get jitterMs(): number {
    return this.#jitterMs;
  }
  get delayMs(): number {
    return 2 * this.#intervalTicks * this.#tickMs + this.#jitterMs;
  }
  /** True when time stands still because nothing newer has come. */
  get starved(): boolean {
    return this.#starved;
  }

  arrived(tick: number, nowMs: number): void {
    if (this.#newestTick >= 0 && tick > this.#newestTick) {
      const gap = Math.min(tick - this.#newestTick, 4 * this.#intervalTicks);
      this.#intervalTicks += (gap - this.#intervalTicks) * 0.05;
    }
    this.#newestTick = Math.max(this.#newestTick, tick);
    this.#spread.add(tick * this.#tickMs - nowMs);
    this.#jitterMs = this.#spread.lateness;
    if (this.#tick === Number.NEGATIVE_INFINITY) this.#tick = this.#targetTick(nowMs);
  }

  /** The room ran fewer ticks than the wall clock had: earlier arrivals would look early for ever. */
  slip(ticks: number): void {
    this.#spread.shift(-ticks * this.#tickMs);
  }

  /** Another incarnation or connection: arrivals relate to the wall clock in a new way. */
  restart(): void {
    this.#spread.clear();
    this.#newestTick = -1;
  }

  /** Lets time pass. */
  advance(nowMs: number, elapsedMs: number): void {
    if (this.#newestTick < 0) return;
    const errorMs = (this.#targetTick(nowMs) - this.#tick) * this.#tickMs - elapsedMs;
    const speed = Math.min(Math.max(1 + errorMs / 400, SLOWEST), FASTEST);
    const next =
      errorMs > JUMP_MS ? this.#targetTick(nowMs) : this.#tick + (elapsedMs * speed) / this.#tickMs;
    // Beyond what can be shown time stops, or the way back to the target would be a long freeze.
    const limit = this.#newestTick + this.#intervalTicks;
    this.#starved = next > limit;
    this.#tick = Math.max(this.#tick, Math.min(next, limit));
  }

  #targetTick(nowMs: number): number {
    return (nowMs + this.#spread.level - this.delayMs) / this.#tickMs;
  }
}
