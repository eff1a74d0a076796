import { decodeLedger, type LedgerEntry, type LedgerFinish } from "../../protocol/index.ts";
import type { RoomStore, RoomWrite, StoredRows } from "./store.ts";

/** Where a replay's commits go: only the outcomes of commands in the newest one, and the ends of actions, are looked at. */
export class ReplayStore implements RoomStore {
  readonly rowsWritten = 0;
  readonly storedBytes = 0;
  #outcomes = new Map<string, LedgerEntry>();
  #finished: LedgerFinish[] = [];

  /** What the newest commit says about a command, if anything. */
  outcomeOf(session: number, seq: number): LedgerEntry | undefined {
    return this.#outcomes.get(`${session}/${seq}`);
  }

  /** Actions that have ended since the last time. */
  takeFinished(): LedgerFinish[] {
    return this.#finished.splice(0);
  }

  commit({ ledger }: RoomWrite): void {
    const { sessions, finished } = decodeLedger(ledger);
    this.#outcomes = new Map();
    this.#finished.push(...finished);
    for (const { inputSession, entries } of sessions) {
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
