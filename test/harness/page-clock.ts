/** A page's clock: it begins anywhere, and may stand still while the room's goes on. */
export class PageClock {
  readonly #now: () => number;
  /** From the room's clock to the page's. */
  #offsetMs: number;
  #stoppedAtMs: number | undefined;

  constructor(now: () => number, offsetMs: number) {
    this.#now = now;
    this.#offsetMs = offsetMs;
  }

  get nowMs(): number {
    return (this.#stoppedAtMs ?? this.#now()) + this.#offsetMs;
  }

  stop(): void {
    this.#stoppedAtMs ??= this.#now();
  }

  go(): void {
    if (this.#stoppedAtMs !== undefined) this.#offsetMs -= this.#now() - this.#stoppedAtMs;
    this.#stoppedAtMs = undefined;
  }
}
