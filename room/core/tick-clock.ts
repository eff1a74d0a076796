/** What one pump should run. */
export interface DueTicks {
  /** A multiple of the window, 0 when no whole window is due. */
  readonly ticks: number;
  /** Ticks of wall time to forget [T3]. */
  readonly slipTicks: number;
  /** How late the oldest due window is. */
  readonly latenessMs: number;
}

export interface TickClockOptions {
  readonly tickRate: number;
  readonly windowTicks: number;
  readonly maxCatchUpTicks: number;
}

/** Nothing is due. */
export const NO_TICKS: DueTicks = { ticks: 0, slipTicks: 0, latenessMs: 0 };

/**
 * Maps wall time to ticks. The tick counter is the truth; this only says how many are due. Asking changes
 * nothing, so that a window that was rolled back is simply due again.
 */
export class TickClock {
  readonly #tickMs: number;
  readonly #windowTicks: number;
  readonly #maxTicks: number;
  /** Wall time at which tick 0 would have ended, had the room always run in time. */
  #originMs = 0;
  #tick = 0;

  constructor({ tickRate, windowTicks, maxCatchUpTicks }: TickClockOptions) {
    this.#tickMs = 1000 / tickRate;
    this.#windowTicks = windowTicks;
    this.#maxTicks = Math.max(1, Math.floor(maxCatchUpTicks / windowTicks)) * windowTicks;
  }

  get windowMs(): number {
    return this.#windowTicks * this.#tickMs;
  }

  /** Says that `tick` is the present: what lies before isn't made up for (a start, a wake-up) [T7]. */
  anchor(tick: number, nowMs: number): void {
    this.#tick = tick;
    this.#originMs = nowMs - tick * this.#tickMs;
  }

  /** Whole windows whose end lies behind `nowMs`. */
  due(nowMs: number): DueTicks {
    // A thousandth of a tick of tolerance: 3 × (1000 / 60) isn't exactly 50, and an alarm in time must count.
    const elapsed = (nowMs - this.#originMs) / this.#tickMs - this.#tick + 1e-3;
    const windows = Math.floor(elapsed / this.#windowTicks);
    if (windows < 1) return NO_TICKS;
    const ticks = windows * this.#windowTicks;
    return {
      ticks: Math.min(ticks, this.#maxTicks),
      slipTicks: Math.max(0, ticks - this.#maxTicks),
      latenessMs: Math.max(0, nowMs - this.nextWindowMs()),
    };
  }

  /** The ticks were run and committed. */
  advance(due: DueTicks): void {
    this.#tick += due.ticks;
    this.#originMs += due.slipTicks * this.#tickMs;
  }

  /** When the next window is due, `ticks` later than the present one. */
  nextWindowMs(after?: DueTicks): number {
    const tick = this.#tick + (after?.ticks ?? 0) + (after?.slipTicks ?? 0) + this.#windowTicks;
    return this.#originMs + tick * this.#tickMs;
  }

  /** True when the loop has missed a whole window: then a message may do the alarm's work [T4]. */
  overdue(nowMs: number): boolean {
    return nowMs >= this.nextWindowMs() + this.#windowTicks * this.#tickMs;
  }
}
