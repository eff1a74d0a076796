import { Spread } from "./spread.ts";

/** A frame longer than this was no frame but a pause: its time isn't made up for. */
const PAUSE_MS = 250;
/** How long it is known what lead a report was about: no round trip takes longer. */
const MEMORY_MS = 5000;
const MIN_REPORTS = 4;
/** Before anything in hand is given up, the link must have been seen for so long: 1 s. */
const SETTLE_REPORTS = 20;
/** Depths that are lower by more than this for 1.5 s come by a slower link. */
const STEP_TICKS = 2;
/** Later than this is an outage. */
const OUTAGE_TICKS = 24;
const SPEED_RANGE = 0.05;
/** Used when the error is more than SPEED_RANGE could mend in about a second. */
const WIDE_SPEED_RANGE = 0.1;
const WIDE_ERROR_TICKS = 4;
/** Excess that speed can't mend in 2 s is withheld at once. */
const HOLD_TICKS = 12;

/** What a snapshot says about this seat's buffer in the room. Counters only grow. */
export interface BufferReport {
  readonly depth: number;
  readonly missed: number;
  readonly slipped: number;
}

/**
 * When the next local tick is due. It follows the page's clock, a little faster or slower, so that commands
 * arrive in the room shortly before their tick: the room reports how many were left after its last window,
 * and what they fall to now and then, not the newest, says how much slack there is. A command
 * takes a round trip to show in a report; so each report is reduced to what it would have been at lead 0,
 * and what has been done about it since then is added back, instead of being done twice.
 */
export class Pacing {
  readonly #tickMs: number;
  readonly #lowTicks: number;
  readonly #highTicks: number;
  #due = 0;
  #standing = true;
  #speed = 1;
  #holdTicks = 0;
  /** Ticks made beyond what the page's clock alone would have made. */
  #lead = 0;
  #leads: { atMs: number; lead: number }[] = [];
  /** Of the depths that the room would have had at lead 0, had nothing been missed. */
  readonly #depths = new Spread(STEP_TICKS, OUTAGE_TICKS);
  #missed = 0;
  #slipped = 0;

  constructor(tickMs: number, windowTicks: number) {
    this.#tickMs = tickMs;
    // Commands travel in batches of a window, so a report can be a window too optimistic.
    this.#lowTicks = 1 + (windowTicks - 1) / 4;
    this.#highTicks = Math.max(2, windowTicks);
  }

  get speed(): number {
    return this.#speed;
  }

  /** How far the present has got from the last tick to the next one, 0 … 1. Stands at 1 when none may be made. */
  get fraction(): number {
    return this.#standing ? 1 : Math.min(this.#due, 1);
  }

  /**
   * Lets time pass and makes the ticks that are due.
   * @param extra ticks to make at once on top
   * @param tick makes one; false when none may be made now: the rest is dropped, not kept for later
   */
  run(elapsedMs: number, extra: number, tick: () => boolean): void {
    const ticks = elapsedMs / this.#tickMs;
    const isPause = elapsedMs > PAUSE_MS;
    if (isPause) this.restart();
    const scaled = isPause ? 1 - this.#due : ticks * this.#speed;
    this.#lead += scaled - ticks + extra;
    this.#due += scaled + extra;
    while (this.#due >= 1 - 1e-9) {
      this.#due = Math.max(0, this.#due - 1);
      if (this.#holdTicks > 0) {
        this.#holdTicks--;
        this.#standing = true;
        continue;
      }
      if (!tick()) {
        this.restart();
        this.#due %= 1;
        this.#standing = true;
        return;
      }
      this.#standing = false;
    }
  }

  report(report: BufferReport, rttMs: number, nowMs: number): void {
    // The room stood still: what its reports have said so far, this one included, was about that and not about the
    // link. Remembered as a tight moment, it would keep the commands of the whole stall queued for seconds.
    const stalled = report.slipped > this.#slipped;
    this.#missed = report.missed;
    this.#slipped = report.slipped;
    this.#leads.push({ atMs: nowMs, lead: this.#lead });
    if (stalled) {
      this.#depths.clear();
      return;
    }
    this.#depths.add(report.depth - this.#leadAt(nowMs - rttMs) - report.missed - report.slipped);
    while (this.#leads.length > 1 && (this.#leads[1]?.atMs ?? nowMs) < nowMs - MEMORY_MS) this.#leads.shift();
    this.#adapt();
  }

  /** After a gap in our commands, what was reported before it says nothing about the pace from now on. */
  restart(): void {
    this.#depths.clear();
    this.#leads = [];
    this.#holdTicks = 0;
    this.#speed = 1;
  }

  /** Ticks in hand in a tight moment, with what has been done since. */
  get slackTicks(): number {
    return this.#depths.level - this.#depths.lateness + this.#lead + this.#missed + this.#slipped;
  }

  #adapt(): void {
    if (this.#depths.count < MIN_REPORTS) return;
    const slack = this.slackTicks;
    const error =
      slack < this.#lowTicks ? this.#lowTicks - slack : slack > this.#highTicks ? this.#highTicks - slack : 0;
    if (error < -HOLD_TICKS) {
      this.#holdTicks = Math.floor(-error);
      this.#lead -= this.#holdTicks;
      this.#speed = 1;
      return;
    }
    if (error < 0 && this.#depths.count < SETTLE_REPORTS) return;
    const range = Math.abs(error) > WIDE_ERROR_TICKS ? WIDE_SPEED_RANGE : SPEED_RANGE;
    this.#speed = 1 + Math.min(Math.max(error * SPEED_RANGE, -range), range);
  }

  #leadAt(atMs: number): number {
    let found = this.#leads[0]?.lead ?? this.#lead;
    for (const past of this.#leads) if (past.atMs <= atMs) found = past.lead;
    return found;
  }
}
