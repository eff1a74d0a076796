import { LIMITS } from "../../protocol/index.ts";

/** What one commit writes, all of it or nothing [D1]. */
export interface RoomWrite {
  /** Whole state at the boundary, as `encodeRoom` makes it. */
  readonly state: Uint8Array;
  /** Recycled slot of the ledger row, 0 … `LEDGER_SLOTS` - 1. */
  readonly ledgerSlot: number;
  readonly ledger: Uint8Array;
  /** When the loop wants to run next; undefined takes the alarm away: the room sleeps [T7]. */
  readonly alarmAtMs: number | undefined;
}

/**
 * A room's storage. Synchronous, because a window must not be interleaved with another event between its
 * simulation and its commit. Whatever throws has written nothing.
 */
export interface RoomStore {
  load(): { readonly state: Uint8Array } | undefined;
  ledger(slot: number): Uint8Array | undefined;
  commit(write: RoomWrite): void;
  setAlarm(atMs: number): void;
  /** The alarm as far as this store knows, undefined when there is none. */
  alarmMs(): number | undefined;
  /** Rows written since this store was made: what the platform bills. */
  readonly rowsWritten: number;
}

/** @throws RangeError when a state is too large to be stored [D5] */
export function requireStorable({ byteLength }: Uint8Array): void {
  const { value } = LIMITS.storedStateBytes;
  if (byteLength > value)
    throw new RangeError(`a state of ${byteLength} bytes exceeds the limit of ${value}`);
}

/** How many ledger rows are kept; the oldest is overwritten, so that nothing is ever deleted [D5]. */
export const LEDGER_SLOTS = 256;
