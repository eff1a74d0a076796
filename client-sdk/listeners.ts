import type { Off } from "./types.ts";

/** Who listens to what. */
export class Listeners<L> {
  readonly #byName = new Map<string, Set<L>>();

  add(name: string, listener: L): Off {
    const set = this.#byName.get(name) ?? new Set<L>();
    this.#byName.set(name, set.add(listener));
    return () => set.delete(listener);
  }

  of(name: string): Iterable<L> {
    return this.#byName.get(name) ?? [];
  }
}
