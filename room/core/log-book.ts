import type { RoomLogEntry } from "./options.ts";

/** A log line with the wall time at which it was written. */
export interface LoggedEntry extends RoomLogEntry {
  readonly atMs: number;
}

const KEPT = 200;

/** The newest lines of a room's log, for whoever looks at it now. They live as long as the room's memory. */
export class LogBook {
  #entries: LoggedEntry[] = [];

  add(entry: RoomLogEntry, atMs: number): void {
    this.#entries.push({ ...entry, atMs });
    // Cut by half, so that a flood of lines doesn't move the whole list for each.
    if (this.#entries.length >= 2 * KEPT) this.#entries = this.#entries.slice(-KEPT);
  }

  /** Oldest first. */
  newest(): readonly LoggedEntry[] {
    return this.#entries.slice(-KEPT);
  }
}
