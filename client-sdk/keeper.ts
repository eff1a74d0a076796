import type { SavedSession, SessionStore } from "./session-store.ts";

export interface KeeperOptions {
  readonly store: SessionStore;
  readonly take: () => SavedSession;
  /** This is stored now. */
  readonly onSaved: (saved: SavedSession) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Saves what has changed, one save at a time: a slow disk must see the newest state next, not every one of them. */
export class Keeper {
  readonly #options: KeeperOptions;
  #busy = false;
  /** Was asked to save while it did. */
  #again = false;
  #changed = false;
  #ended = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Something that a reload needs has changed. */
  touch(): void {
    this.#changed = true;
  }

  /** Saves if anything has changed. */
  save(): void {
    if (!this.#changed || this.#ended) return;
    this.#again = this.#busy;
    if (this.#busy) return;
    this.#changed = false;
    const session = this.#options.take();
    try {
      const saving = this.#options.store.save(session);
      if (!saving) {
        this.#options.onSaved(session);
        return;
      }
      this.#busy = true;
      saving.then(
        () => this.#done(() => this.#options.onSaved(session)),
        (error: unknown) => this.#done(() => this.#failed(error)),
      );
    } catch (error) {
      this.#failed(error);
    }
  }

  /** The seat is given up: nothing is to be found by the next page. */
  clear(): void {
    this.#ended = true;
    Promise.resolve(this.#options.store.clear()).catch(this.#options.onFailed);
  }

  #done(then: () => void): void {
    this.#busy = false;
    then();
    if (this.#again) this.save();
  }

  /** The next change tries again; what wasn't saved isn't confirmed. */
  #failed(error: unknown): void {
    this.#changed = false;
    this.#options.onFailed(error);
  }
}
