import { type CloseName, LIMITS } from "../../protocol/index.ts";

type At = "open" | "closed" | "refused" | "stopped" | "unstorable";

/** What a connection is closed with that can't be taken in. */
const TURNED_AWAY: Readonly<Record<Exclude<At, "open">, CloseName>> = {
  closed: "room-closed",
  refused: "state-refused",
  stopped: "room-fault",
  unstorable: "storage-failed",
};

/** How long a room whose storage fails is left alone: a reconnecting crowd mustn't load it again and again. */
const STORAGE_PAUSE_MS = 10_000;

/** Why nobody is let in. */
export interface Closed {
  readonly close: CloseName;
  readonly reason: string;
}

/**
 * Where a room is in its life: `sleeping` (nobody is here, no alarm [T7]) and `running` follow from its seats;
 * `refused` (its stored state isn't this build's [D7]) and `stopped` (its game keeps throwing [T6]) last until its
 * memory is built again, and so does `closed` (by its operator), unless it is opened before; `unstorable` (storage keeps failing [D6]) lasts until it is tried again.
 */
export class RoomLife {
  #at: At = "open";
  #reason = "";
  #retryAtMs: number | undefined;
  /** Windows in a row that storage refused. */
  #refusedInARow = 0;

  get at(): At {
    return this.#at;
  }

  get isOpen(): boolean {
    return this.#at === "open";
  }

  /** Undefined while the room is open. */
  get closed(): Closed | undefined {
    return this.#at === "open" ? undefined : { close: TURNED_AWAY[this.#at], reason: this.#reason };
  }

  /** When an unstorable room is to be tried again. */
  get retryAtMs(): number | undefined {
    return this.#retryAtMs;
  }

  refuse(reason: string): void {
    this.#at = "refused";
    this.#reason = reason;
  }

  close(reason: string): void {
    this.#at = "closed";
    this.#reason = reason;
  }

  /** Only a room that its operator closed: the other reasons don't go away by that. */
  open(): void {
    if (this.#at === "closed") this.#at = "open";
  }

  stop(reason: string): void {
    this.#at = "stopped";
    this.#reason = reason;
  }

  stored(): void {
    this.#refusedInARow = 0;
  }

  /** A window couldn't be stored. @returns whether that has been so for too long: the room is unstorable now */
  notStored(nowMs: number): boolean {
    if (++this.#refusedInARow < LIMITS.storageFailures) return false;
    this.giveUp("nothing can be stored", nowMs);
    return true;
  }

  giveUp(reason: string, nowMs: number): void {
    this.#at = "unstorable";
    this.#reason = reason;
    this.#retryAtMs = nowMs + STORAGE_PAUSE_MS;
  }

  /** Whether storage has had its pause. If so, the room is open again and must be loaded. */
  reopen(nowMs: number): boolean {
    if (this.#retryAtMs === undefined || nowMs < this.#retryAtMs) return false;
    this.#at = "open";
    this.#retryAtMs = undefined;
    this.#refusedInARow = 0;
    return true;
  }
}

/** The earliest of some times; undefined when there is none. */
export function earliestMs(...timesMs: readonly (number | undefined)[]): number | undefined {
  const known = timesMs.filter((ms) => ms !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
