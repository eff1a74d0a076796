/**
 * Numbers of recycled storage rows. A free one is always taken before a new one, so that the table never grows
 * beyond what was once in use together [D5].
 */
export class SlotPool {
  #next = 0;
  #free: number[] = [];

  /** A pool that has given out exactly these. */
  static using(taken: Iterable<number>): SlotPool {
    const pool = new SlotPool();
    const used = new Set(taken);
    for (const slot of used) pool.#next = Math.max(pool.#next, slot + 1);
    for (let slot = pool.#next - 1; slot >= 0; slot--) if (!used.has(slot)) pool.#free.push(slot);
    return pool;
  }

  take(): number {
    return this.#free.pop() ?? this.#next++;
  }

  give(slot: number): void {
    this.#free.push(slot);
  }
}
