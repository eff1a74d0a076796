import type { ClientEvents, Off } from "./types.ts";

type Listener = (detail: never) => void;

/** Listeners of a client, by event. */
export class Events {
  readonly #listeners = new Map<keyof ClientEvents, Set<Listener>>();

  readonly on = <E extends keyof ClientEvents>(
    event: E,
    listener: (detail: ClientEvents[E]) => void,
  ): Off => {
    const set = this.#listeners.get(event) ?? new Set<Listener>();
    this.#listeners.set(event, set);
    set.add(listener);
    return () => set.delete(listener);
  };

  emit<E extends keyof ClientEvents>(event: E, detail: ClientEvents[E]): void {
    for (const listener of this.#listeners.get(event) ?? [])
      (listener as (d: ClientEvents[E]) => void)(detail);
  }
}
