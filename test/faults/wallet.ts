/** A shop's service outside of the room, as its user would write it: what has been charged under a key isn't again. */
export class Wallet {
  readonly #charges = new Map<string, number>();
  #asked = 0;

  /** How often it was asked, repeats included. */
  get asked(): number {
    return this.#asked;
  }

  /** What was charged, by key. */
  get charges(): ReadonlyMap<string, number> {
    return this.#charges;
  }

  charge(key: string, price: number): { readonly paid: number } {
    this.#asked++;
    const before = this.#charges.get(key);
    if (before === undefined) this.#charges.set(key, price);
    return { paid: before ?? price };
  }
}
