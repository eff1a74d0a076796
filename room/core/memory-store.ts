import { type RoomStore, type RoomWrite, requireStorable } from "./store.ts";

/** A store for tests and harnesses: outlives the room core that uses it, as a disk would. */
export class MemoryStore implements RoomStore {
  #state: Uint8Array | undefined;
  readonly #ledger = new Map<number, Uint8Array>();
  #alarmMs: number | undefined;
  #rows = 0;

  get rowsWritten(): number {
    return this.#rows;
  }

  load(): { readonly state: Uint8Array } | undefined {
    return this.#state && { state: this.#state.slice() };
  }

  ledger(slot: number): Uint8Array | undefined {
    return this.#ledger.get(slot)?.slice();
  }

  commit(write: RoomWrite): void {
    requireStorable(write.state);
    // Copies, because a caller that reuses its buffers must not change what is already on disk.
    const state = write.state.slice();
    const ledger = write.ledger.slice();
    this.#state = state;
    this.#ledger.set(write.ledgerSlot, ledger);
    this.#alarmMs = write.alarmAtMs;
    this.#rows += 3;
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
