const KEPT = 1200;

/** Upper bounds of the histogram's buckets, inclusive; one more bucket takes what is later. */
const BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] as const;

export interface LatenessHistogram {
  readonly boundsMs: readonly number[];
  /** Windows per bucket, one more than there are bounds. */
  readonly counts: readonly number[];
  readonly sumMs: number;
}

/** How late windows began: the newest ones (a minute of them at 20 windows/s) one by one, all of them by bucket. */
export class Lateness {
  readonly #samplesMs = new Float64Array(KEPT);
  readonly #counts = new Float64Array(BOUNDS_MS.length + 1);
  #sumMs = 0;
  #count = 0;

  record(latenessMs: number): void {
    this.#samplesMs[this.#count % KEPT] = latenessMs;
    this.#count++;
    this.#sumMs += latenessMs;
    let bucket = 0;
    while (bucket < BOUNDS_MS.length && latenessMs > (BOUNDS_MS[bucket] as number)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
  }

  histogram(): LatenessHistogram {
    return { boundsMs: BOUNDS_MS, counts: [...this.#counts], sumMs: this.#sumMs };
  }

  /** The lateness that `share` (0 … 1) of the windows didn't exceed; 0 before the first one. */
  quantileMs(share: number): number {
    const kept = Math.min(this.#count, KEPT);
    if (kept === 0) return 0;
    const sorted = this.#samplesMs.slice(0, kept).sort();
    return sorted[Math.min(kept - 1, Math.floor(share * kept))] as number;
  }
}
