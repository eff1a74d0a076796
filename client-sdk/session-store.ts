import type { SavedAction } from "./action-table.ts";
import type { SavedCommand } from "./delivery-queue.ts";
import type { SavedCursor } from "./receipt-inbox.ts";

/** The delivery queue and what it belongs to: one record. */
export interface SavedQueue {
  readonly secret: Uint8Array;
  readonly inputSession: number;
  readonly nextSeq: number;
  readonly incarnation: number;
  readonly commands: readonly SavedCommand[];
  /** Of the game whose commands these are. */
  readonly build?: string;
}

/** The action table and the cursors that it was brought to: one record. */
export interface SavedActions {
  readonly actions: readonly SavedAction[];
  readonly cursors: readonly SavedCursor[];
}

/** What a client needs to go on after its page was reloaded [S3]. */
export interface SavedSession {
  readonly queue: SavedQueue;
  readonly actions: SavedActions;
}

/**
 * Keeps a client's session beyond its page. Both records are written in one transaction: a cursor without the
 * actions that it covers would skip their receipts for ever.
 */
export interface SessionStore {
  load(): Promise<SavedSession | undefined> | SavedSession | undefined;
  /** Replaces what is kept. A promise when it takes its time; rejects when nothing was written. */
  save(session: SavedSession): Promise<void> | void;
  /** The seat was given up. */
  clear(): Promise<void> | void;
}

/** Lasts as long as the page. */
export class MemorySessionStore implements SessionStore {
  #saved: SavedSession | undefined;

  load(): SavedSession | undefined {
    return this.#saved;
  }
  save(session: SavedSession): void {
    this.#saved = session;
  }
  clear(): void {
    this.#saved = undefined;
  }
}
