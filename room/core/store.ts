import { LIMITS } from "../../protocol/index.ts";

/** A row of a table whose rows are numbered slots that are used again. */
export interface SlotBytes {
  readonly slot: number;
  readonly bytes: Uint8Array;
}

/** What one commit writes, all of it or nothing [D1]. */
export interface RoomWrite {
  /** Whole state at the boundary, as `encodeRoom` makes it. */
  readonly state: Uint8Array;
  /** Recycled slot of the ledger row, 0 … `LEDGER_SLOTS` - 1. */
  readonly ledgerSlot: number;
  readonly ledger: Uint8Array;
  /** New receipts, each in a slot of its own. */
  readonly receipts: readonly SlotBytes[];
  /** A state that is kept for replays [D4], now and then; slot 0 … `CHECKPOINT_SLOTS` - 1. */
  readonly checkpoint?: SlotBytes | undefined;
  /** When the loop wants to run next; undefined takes the alarm away: the room sleeps [T7]. */
  readonly alarmAtMs: number | undefined;
}

/** What a room goes on from. */
export interface StoredRows {
  readonly state: Uint8Array;
  /** Every receipt slot ever used, by ascending slot; whether it still counts stands in its row. */
  readonly receipts: readonly SlotBytes[];
}

/**
 * A room's storage. Synchronous, because a window must not be interleaved with another event between its
 * simulation and its commit. Whatever throws has written nothing.
 */
export interface RoomStore {
  load(): StoredRows | undefined;
  ledger(slot: number): Uint8Array | undefined;
  checkpoint(slot: number): Uint8Array | undefined;
  commit(write: RoomWrite): void;
  /** Forgets everything but the alarm. Only for a room that begins anew. */
  clear(): void;
  setAlarm(atMs: number): void;
  /** The alarm as far as this store knows, undefined when there is none. */
  alarmMs(): number | undefined;
  /** Rows written since this store was made: what the platform bills. */
  readonly rowsWritten: number;
  /** Size of all that is stored, as the platform bills it. */
  readonly storedBytes: number;
}

/** @throws RangeError when a state is too large to be stored [D5] */
export function requireStorable({ byteLength }: Uint8Array): void {
  const largest = LIMITS.storedStateBytes;
  if (byteLength > largest)
    throw new RangeError(`a state of ${byteLength} bytes exceeds the limit of ${largest}`);
}

/** How many ledger rows are kept; the oldest is overwritten, so that nothing is ever deleted [D5]. */
export const LEDGER_SLOTS = 512;

/** Checkpoints are overwritten in turn: while one is young, the ledger reaches back to the other. */
export const CHECKPOINT_SLOTS = 2;
