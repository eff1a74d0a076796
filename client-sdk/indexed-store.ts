import { createStore, delMany, getMany, setMany } from "idb-keyval";
import type { SavedActions, SavedQueue, SavedSession, SessionStore } from "./session-store.ts";

/** Name of the browser's database that keeps sessions. */
const DATABASE = "tickroom";

/** Keeps a session in IndexedDB under a name of its own. */
export class IndexedSessionStore implements SessionStore {
  readonly #database = createStore(DATABASE, "sessions");
  readonly #queueKey: string;
  readonly #actionsKey: string;

  constructor(name: string) {
    this.#queueKey = `${name} queue`;
    this.#actionsKey = `${name} actions`;
  }

  async load(): Promise<SavedSession | undefined> {
    const [queue, actions] = await getMany<unknown>([this.#queueKey, this.#actionsKey], this.#database);
    // They are written together; one without the other was tampered with.
    return queue && actions ? { queue: queue as SavedQueue, actions: actions as SavedActions } : undefined;
  }

  save({ queue, actions }: SavedSession): Promise<void> {
    return setMany(
      [
        [this.#queueKey, queue],
        [this.#actionsKey, actions],
      ],
      this.#database,
    );
  }

  clear(): Promise<void> {
    return delMany([this.#queueKey, this.#actionsKey], this.#database);
  }
}
