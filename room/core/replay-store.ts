import { decodeLedger, type LedgerEntry } from "../../protocol/index.ts";
import type { RoomStore, RoomWrite, StoredRows } from "./store.ts";

/** Where a replay's commits go: only the outcomes of commands in the newest one are looked at. */
export class ReplayStore implements RoomStore {
  readonly rowsWritten = 0;
  #outcomes = new Map<string, LedgerEntry>();

  /** What the newest commit says about a command, if anything. */
  outcomeOf(session: number, seq: number): LedgerEntry | undefined {
    return this.#outcomes.get(`${session}/${seq}`);
  }

  commit({ ledger }: RoomWrite): void {
    this.#outcomes = new Map();
    for (const { inputSession, entries } of decodeLedger(ledger).sessions) {
      for (const entry of entries) this.#outcomes.set(`${inputSession}/${entry.seq}`, entry);
    }
  }

  load(): StoredRows | undefined {
    return undefined;
  }

  ledger(): Uint8Array | undefined {
    return undefined;
  }

  checkpoint(): Uint8Array | undefined {
    return undefined;
  }

  clear(): void {
    this.#outcomes.clear();
  }

  /** A replay is driven by its records, never by a clock. */
  setAlarm(): void {
    throw new Error("a replay has no alarm");
  }

  alarmMs(): number | undefined {
    return undefined;
  }
}
