const KEPT = 1200;

/** How late the newest windows began: a minute of them at 20 windows/s. */
export class Lateness {
  readonly #samplesMs = new Float64Array(KEPT);
  #count = 0;

  record(latenessMs: number): void {
    this.#samplesMs[this.#count % KEPT] = latenessMs;
    this.#count++;
  }

  /** The lateness that `share` (0 … 1) of the windows didn't exceed; 0 before the first one. */
  quantileMs(share: number): number {
    const kept = Math.min(this.#count, KEPT);
    if (kept === 0) return 0;
    const sorted = this.#samplesMs.slice(0, kept).sort();
    return sorted[Math.min(kept - 1, Math.floor(share * kept))] as number;
  }
}
