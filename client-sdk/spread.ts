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
  readonly #most: number;
  #recent: number[] = [];
  #late: number[] = [];
  #level = Number.NEGATIVE_INFINITY;

  /**
   * @param step a level that falls by more than this is another link: what was late before it says nothing
   * @param most what is later than this is an outage: being prepared for the next would cost more than it saves
   */
  constructor(step: number, most: number) {
    this.#step = step;
    this.#most = most;
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
    if (this.#recent.push(earliness) > LEVEL_REPORTS) this.#recent.shift();
    // A page that has just been loaded hears late because it is busy itself, which mustn't be remembered for long.
    else if (this.#recent.length === LEVEL_REPORTS) this.#late.splice(0, LEVEL_REPORTS / 2);
    const level = Math.max(...this.#recent);
    // What has come in one heap after an outage looks like a slower link, till the last of it looks like a quicker one.
    if (level > this.#level + this.#step) this.#late = [];
    const fell = level < this.#level - this.#step;
    this.#level = level;
    const late = (fell ? this.#recent : [earliness]).map((early) => level - early);
    this.#late = [...(fell ? [] : this.#late), ...late.filter((by) => by <= this.#most)].slice(
      -MEMORY_REPORTS,
    );
  }

  /** Everything so far is off by so much. */
  shift(by: number): void {
    this.#recent = this.#recent.map((recent) => recent + by);
    this.#level += by;
  }

  clear(): void {
    this.#recent = [];
    this.#late = [];
    this.#level = Number.NEGATIVE_INFINITY;
  }
}
