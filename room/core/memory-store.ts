import { type RoomStore, type RoomWrite, requireStorable, type StoredRows } from "./store.ts";

/** A store for tests and harnesses: outlives the room core that uses it, as a disk would. */
export class MemoryStore implements RoomStore {
  #state: Uint8Array | undefined;
  readonly #ledger = new Map<number, Uint8Array>();
  readonly #receipts = new Map<number, Uint8Array>();
  readonly #checkpoints = new Map<number, Uint8Array>();
  #alarmMs: number | undefined;
  #rows = 0;

  get rowsWritten(): number {
    return this.#rows;
  }

  get storedBytes(): number {
    const tables = [this.#ledger, this.#receipts, this.#checkpoints].flatMap((table) => [...table.values()]);
    return tables.reduce((sum, { byteLength }) => sum + byteLength, this.#state?.byteLength ?? 0);
  }

  load(): StoredRows | undefined {
    if (!this.#state) return undefined;
    const slots = [...this.#receipts].sort(([a], [b]) => a - b);
    return {
      state: this.#state.slice(),
      receipts: slots.map(([slot, bytes]) => ({ slot, bytes: bytes.slice() })),
    };
  }

  ledger(slot: number): Uint8Array | undefined {
    return this.#ledger.get(slot)?.slice();
  }

  checkpoint(slot: number): Uint8Array | undefined {
    return this.#checkpoints.get(slot)?.slice();
  }

  commit(write: RoomWrite): void {
    requireStorable(write.state);
    // Copies, because a caller that reuses its buffers must not change what is already on disk.
    const state = write.state.slice();
    const ledger = write.ledger.slice();
    this.#state = state;
    this.#ledger.set(write.ledgerSlot, ledger);
    for (const { slot, bytes } of write.receipts) this.#receipts.set(slot, bytes.slice());
    if (write.checkpoint) this.#checkpoints.set(write.checkpoint.slot, write.checkpoint.bytes.slice());
    this.#alarmMs = write.alarmAtMs;
    this.#rows += 3 + write.receipts.length + (write.checkpoint ? 1 : 0);
  }

  clear(): void {
    this.#state = undefined;
    for (const table of [this.#ledger, this.#receipts, this.#checkpoints]) table.clear();
  }

  setAlarm(atMs: number): void {
    this.#alarmMs = atMs;
    this.#rows++;
  }

  alarmMs(): number | undefined {
    return this.#alarmMs;
  }

  /** Takes the alarm as the platform does when it fires it. */
  takeAlarm(): number | undefined {
    const at = this.#alarmMs;
    this.#alarmMs = undefined;
    return at;
  }
}
