import { decodeLedger, type LedgerRow } from "../../protocol/index.ts";
import { MemoryStore, type RoomStore, type RoomWrite } from "../../room/core/index.ts";

/** Where in a commit the process ends: with nothing of it on disk, or all of it. */
export type CommitCrash = "before-commit" | "after-commit";

/**
 * A disk that outlives the room's memory, that can fail on request, and that remembers every ledger row ever
 * written, also those whose slot has been used again.
 */
export class HarnessStore implements RoomStore {
  readonly #disk = new MemoryStore();
  readonly #rows: LedgerRow[] = [];
  #failures = 0;
  #crash: CommitCrash | undefined;
  #crashed = false;
  /** Time of the alarm that is being handled. */
  #firingMs: number | undefined;

  constructor(stored?: Uint8Array) {
    if (stored) {
      this.#disk.commit({ state: stored, ledgerSlot: 0, ledger: new Uint8Array(0), alarmAtMs: undefined });
    }
  }

  /** What was committed in this run, oldest first. */
  get ledgerRows(): readonly LedgerRow[] {
    return this.#rows;
  }

  /** The next `count` commits fail, as on a full disk: the room must send nothing of their windows. */
  failCommits(count: number): void {
    this.#failures = count;
  }

  /** @internal The process ends in the next commit. */
  crashInCommit(when: CommitCrash): void {
    this.#crash = when;
  }

  /** @internal Whether the process has ended; asking makes the disk usable for the next one. */
  takeCrash(): boolean {
    const crashed = this.#crashed;
    this.#crashed = false;
    return crashed;
  }

  get rowsWritten(): number {
    return this.#disk.rowsWritten;
  }

  load(): { readonly state: Uint8Array } | undefined {
    return this.#disk.load();
  }

  ledger(slot: number): Uint8Array | undefined {
    return this.#disk.ledger(slot);
  }

  commit(write: RoomWrite): void {
    this.#assertAlive();
    if (this.#failures > 0) {
      this.#failures--;
      throw new Error("the disk is full (failCommits)");
    }
    const crash = this.#crash;
    this.#crash = undefined;
    if (crash === "before-commit") this.#end();
    const alarmAtMs = write.alarmAtMs === this.#firingMs ? undefined : write.alarmAtMs;
    this.#disk.commit({ ...write, alarmAtMs });
    this.#rows.push(decodeLedger(write.ledger.slice()));
    if (crash === "after-commit") this.#end();
  }

  setAlarm(atMs: number): void {
    this.#assertAlive();
    if (atMs !== this.#firingMs) this.#disk.setAlarm(atMs);
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

  /** What a process does after its end reaches no disk. */
  #assertAlive(): void {
    if (this.#crashed) throw new Error("the process has ended (crashRoom)");
  }

  #end(): never {
    this.#crashed = true;
    throw new Error("the process has ended (crashRoom)");
  }
}
