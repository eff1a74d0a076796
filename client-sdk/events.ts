import { Listeners } from "./listeners.ts";
import type { ClientEvents, Listen } from "./types.ts";

type Listener = (detail: never) => void;

/** Listeners of a client, by event. */
export class Events {
  readonly #listeners = new Listeners<Listener>();

  readonly on: Listen = (event, listener) => this.#listeners.add(event, listener);

  emit<E extends keyof ClientEvents>(event: E, detail: ClientEvents[E]): void {
    for (const listener of this.#listeners.of(event)) (listener as (d: ClientEvents[E]) => void)(detail);
  }
}
