import { decodeLedger, decodeReceiptRow, type LedgerRow, type ReceiptRow } from "../../protocol/index.ts";
import { MemoryStore, type RoomStore, type RoomWrite, type StoredRows } from "../../room/core/index.ts";
import type { ProcessLife } from "./process-life.ts";

/** A room's storage with the platform's side of the alarm. */
export interface Disk extends RoomStore {
  /** Takes the alarm as the platform does when it fires it. */
  takeAlarm(): number | undefined;
  /** Makes the next commit throw in its middle, after some of its rows. Without it a failing one doesn't begin. */
  breakNextCommit?(): void;
}

/** Gives the disk to a process: called again for each one. */
export type OpenDisk = (alarmMs: number | undefined) => Disk;

/**
 * A disk that outlives the room's memory, that can fail on request, and that remembers every row ever written,
 * also those whose slot has been used again.
 */
export class HarnessStore {
  readonly #open: OpenDisk;
  #disk: Disk;
  readonly #rows: LedgerRow[] = [];
  readonly #receipts: ReceiptRow[] = [];
  #firstCheckpoint: Uint8Array | undefined;
  #failures = 0;
  #rowsBefore = 0;
  /** Time of the alarm that is being handled. */
  #firingMs: number | undefined;

  /** @param open *default* memory */
  constructor(open?: OpenDisk, stored?: StoredRows | Uint8Array) {
    const memory = new MemoryStore();
    this.#open = open ?? (() => memory);
    this.#disk = this.#open(undefined);
    const rows = stored instanceof Uint8Array ? { state: stored, receipts: [] } : stored;
    if (rows) this.#disk.commit({ ...rows, ledgerSlot: 0, ledger: new Uint8Array(0), alarmAtMs: undefined });
  }

  /** What was committed in this run, oldest first. */
  get ledgerRows(): readonly LedgerRow[] {
    return this.#rows;
  }

  /** Every receipt that was committed in this run, in that order. */
  get receiptRows(): readonly ReceiptRow[] {
    return this.#receipts;
  }

  /** The first checkpoint of this run: with `ledgerRows` everything since can be replayed [D4]. */
  get firstCheckpoint(): Uint8Array | undefined {
    return this.#firstCheckpoint;
  }

  /** The next `count` commits fail, as on a full disk: the room must send nothing of their windows. */
  failCommits(count: number): void {
    this.#failures = count;
  }

  get rowsWritten(): number {
    return this.#rowsBefore + this.#disk.rowsWritten;
  }

  load(): StoredRows | undefined {
    return this.#disk.load();
  }

  ledger(slot: number): Uint8Array | undefined {
    return this.#disk.ledger(slot);
  }

  checkpoint(slot: number): Uint8Array | undefined {
    return this.#disk.checkpoint(slot);
  }

  alarmMs(): number | undefined {
    return this.#disk.alarmMs();
  }

  /**
   * @internal Takes the alarm as the platform does when it fires it. Until `alarmDone`, setting one for the same time is
   * silently dropped, as it is there.
   */
  takeAlarm(): number | undefined {
    this.#firingMs = this.#disk.takeAlarm();
    return this.#firingMs;
  }

  /** @internal The alarm has been handled. */
  alarmDone(): void {
    this.#firingMs = undefined;
  }

  /** @internal The disk as a new process sees it. */
  openFor(life: ProcessLife): RoomStore {
    const alarmMs = this.#disk.alarmMs();
    const before = this.#disk;
    this.#disk = this.#open(alarmMs);
    if (this.#disk !== before) this.#rowsBefore += before.rowsWritten;
    const disk = this.#disk;
    const store = this;
    return {
      load: () => disk.load(),
      ledger: (slot) => disk.ledger(slot),
      checkpoint: (slot) => disk.checkpoint(slot),
      alarmMs: () => disk.alarmMs(),
      get rowsWritten() {
        return store.rowsWritten;
      },
      get storedBytes() {
        return disk.storedBytes;
      },
      commit(write) {
        life.pass("before-commit");
        store.#commit(write);
        life.pass("after-commit");
      },
      setAlarm(atMs) {
        life.pass("before-alarm");
        if (atMs !== store.#firingMs) disk.setAlarm(atMs);
        life.pass("after-alarm");
      },
      clear() {
        life.pass("before-commit");
        disk.clear();
      },
    };
  }

  #commit(write: RoomWrite): void {
    if (this.#failures > 0) {
      this.#failures--;
      if (!this.#disk.breakNextCommit) throw new Error("the disk is full (failCommits)");
      this.#disk.breakNextCommit();
    }
    const alarmAtMs = write.alarmAtMs === this.#firingMs ? undefined : write.alarmAtMs;
    this.#disk.commit({ ...write, alarmAtMs });
    this.#rows.push(decodeLedger(write.ledger.slice()));
    for (const { bytes } of write.receipts) this.#receipts.push(decodeReceiptRow(bytes.slice()));
    if (write.checkpoint) this.#firstCheckpoint ??= write.checkpoint.bytes.slice();
  }
}
