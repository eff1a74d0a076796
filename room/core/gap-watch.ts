/** Commands that are missing while later ones wait. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

export interface GapRules {
  readonly gapTimeoutTicks: number;
  readonly gapDeadlineTicks: number;
}

/** Times a gap in a stream of commands [I9]. Nothing of it is stored: after a restart no command waits. */
export class GapWatch {
  readonly #rules: GapRules;
  #open: { readonly gap: Gap; readonly sinceTick: number; readonly askAtTick: number } | undefined;

  constructor(rules: GapRules) {
    this.#rules = rules;
  }

  /** Takes note of the gap at this tick, if there is one; true when it has been open for too long. */
  watch(gap: Gap | undefined, tick: number): boolean {
    const { gapTimeoutTicks, gapDeadlineTicks } = this.#rules;
    const before = this.#open;
    if (!gap) {
      this.#open = undefined;
      return false;
    }
    // A part of it came: the rest is another gap, with its own time.
    this.#open =
      before?.gap.from === gap.from
        ? { ...before, gap }
        : { gap, sinceTick: tick, askAtTick: tick + gapTimeoutTicks };
    return tick >= this.#open.sinceTick + gapDeadlineTicks;
  }

  /** What to ask for again now. Asks once per time-out. */
  takeResend(tick: number): Gap | undefined {
    if (!this.#open || tick < this.#open.askAtTick) return undefined;
    this.#open = { ...this.#open, askAtTick: tick + this.#rules.gapTimeoutTicks };
    return this.#open.gap;
  }
}
