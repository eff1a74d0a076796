/**
 * A shop's service outside of the room, as its user would write it: what has been charged under a key isn't again, and
 * what was undone isn't charged any more.
 */
export class Wallet {
  readonly #charges = new Map<string, number>();
  readonly #undone = new Set<string>();
  #asked = 0;

  /** How often it was asked, repeats included. */
  get asked(): number {
    return this.#asked;
  }

  /** What was charged and not undone, by key. */
  get charges(): ReadonlyMap<string, number> {
    return new Map([...this.#charges].filter(([key]) => !this.#undone.has(key)));
  }

  undo(key: string): void {
    this.#undone.add(key);
  }

  charge(key: string, price: number): { readonly paid: number } {
    this.#asked++;
    const before = this.#charges.get(key);
    if (before === undefined) this.#charges.set(key, price);
    return { paid: before ?? price };
  }
}
