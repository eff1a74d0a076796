export interface TokenBucketOptions {
  readonly ratePerSecond: number;
  readonly burst: number;
}

/** Longest stall of the room that is forgiven in full. */
const MAX_PARDON_MS = 30_000;

/**
 * Bounds how often something may happen. What piled up while the room itself stood still isn't the
 * client's fault: `forgive` lets as much more through as a client may send in that time [X1].
 */
export class TokenBucket {
  readonly #ratePerMs: number;
  readonly #burst: number;
  #tokens: number;
  #pardon = 0;
  #atMs: number;

  constructor({ ratePerSecond, burst }: TokenBucketOptions, nowMs: number) {
    this.#ratePerMs = ratePerSecond / 1000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#atMs = nowMs;
  }

  /** Takes so many tokens; false when there are too few, and then none is taken. */
  take(nowMs: number, amount = 1): boolean {
    const elapsedMs = Math.max(0, nowMs - this.#atMs);
    this.#atMs = nowMs;
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsedMs * this.#ratePerMs);
    const pardoned = Math.max(0, amount - this.#tokens);
    if (pardoned > this.#pardon) return false;
    this.#tokens -= amount - pardoned;
    this.#pardon -= pardoned;
    return true;
  }

  forgive(stalledMs: number): void {
    const most = MAX_PARDON_MS * this.#ratePerMs;
    this.#pardon = Math.min(most, this.#pardon + stalledMs * this.#ratePerMs);
  }
}
