/** Reports that tell the present level: 1.5 s at 20 a second. */
const LEVEL_REPORTS = 30;
/** Reports that tell what the link does now and then: 20 s. Of its stalls there are few, and a short memory is always between two. */
const MEMORY_REPORTS = 400;
/** Of these, the share of the latest that is let go: what comes so seldom isn't worth waiting for [V4]. */
const SPIKES = 1 / 200;

/**
 * How early things come at best, and how much later they come now and then. Lateness is kept relative to the level of
 * its time: so the level can be followed at once, while rare stalls are remembered. Any unit.
 */
export class Spread {
  readonly #step: number;
  #recent: number[] = [];
  #late: number[] = [];
  #level = 0;

  /** @param step a level that falls by more than this is another link: what was late before it says nothing */
  constructor(step: number) {
    this.#step = step;
  }

  get count(): number {
    return this.#recent.length;
  }

  /** How early the best of the newest was. */
  get level(): number {
    return this.#level;
  }

  /** How much later than the level to expect some of them. */
  get lateness(): number {
    const sorted = this.#late.toSorted((a, b) => b - a);
    return sorted[Math.floor(sorted.length * SPIKES)] ?? 0;
  }

  add(earliness: number): void {
    this.#recent.push(earliness);
    if (this.#recent.length > LEVEL_REPORTS) this.#recent.shift();
    const level = Math.max(...this.#recent);
    const late = level - earliness;
    if (this.#late.length > 0 && level < this.#level - this.#step) {
      this.#late = this.#recent.map((recent) => level - recent);
    } else {
      this.#late.push(late);
      if (this.#late.length > MEMORY_REPORTS) this.#late.shift();
    }
    this.#level = level;
  }

  /** Everything so far is off by so much. */
  shift(by: number): void {
    this.#recent = this.#recent.map((recent) => recent + by);
    this.#level += by;
  }

  clear(): void {
    this.#recent = [];
    this.#late = [];
  }
}
