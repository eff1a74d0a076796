interface Timer {
  readonly atMs: number;
  readonly act: () => void;
}

/** What the world outside does at a time: it doesn't end with the room's process. */
export class Timers {
  #timers: Timer[] = [];

  get nextMs(): number {
    return this.#timers[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  /** Equal times keep the order in which they were set. */
  set(atMs: number, act: () => void): void {
    let at = this.#timers.length;
    while (at > 0 && (this.#timers[at - 1] as Timer).atMs > atMs) at--;
    this.#timers.splice(at, 0, { atMs, act });
  }

  run(nowMs: number): void {
    while (this.nextMs <= nowMs) this.#timers.shift()?.act();
  }
}
