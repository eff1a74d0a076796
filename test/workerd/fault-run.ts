import { SqliteStore } from "../../room/sqlite-store.ts";
import { runSchedule, type Schedule, scheduleOf, type Verdict } from "../faults/index.ts";
import type { Disk } from "../harness/index.ts";

/** The runs' clock begins here: far beyond the platform's present, so that none of their alarms fires by itself. */
const START_MS = Date.UTC(2200, 0, 1);

/** Plays a seed, or a schedule, on an object's SQLite: a crash drops the room's memory, and another one reads what is stored. */
export async function runOnSqlite(run: number | Schedule, storage: DurableObjectStorage): Promise<Verdict> {
  const breaking = new BreakingStorage(storage);
  let disk: Disk | undefined;
  const open = (alarmMs: number | undefined): Disk => {
    disk = new SqliteDisk(breaking, alarmMs ?? null);
    return disk;
  };
  const breathe = async () => {
    await storage.sync();
    const [believed, stored] = [disk?.alarmMs(), (await storage.getAlarm()) ?? undefined];
    if (believed !== stored)
      throw new Error(`the room believes in an alarm at ${believed}, stored is ${stored}`);
  };
  try {
    return await runSchedule(typeof run === "number" ? scheduleOf(run) : run, {
      disk: open,
      startMs: START_MS,
      breathe,
    });
  } finally {
    await storage.deleteAlarm();
    await storage.deleteAll();
  }
}

class SqliteDisk extends SqliteStore {
  readonly #storage: BreakingStorage;

  constructor(storage: BreakingStorage, alarmMs: number | null) {
    super(storage.asStorage, alarmMs);
    this.#storage = storage;
  }

  override takeAlarm(): number | undefined {
    this.#storage.alarmFired();
    return super.takeAlarm();
  }

  /** After its first row, so that there is something to undo. */
  breakNextCommit(): void {
    this.#storage.breakAfter(1);
  }
}

/** An object's storage whose statements fail when told to: in the middle of a transaction, which must undo the others. */
class BreakingStorage {
  readonly #storage: DurableObjectStorage;
  #left = Number.POSITIVE_INFINITY;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  get asStorage(): DurableObjectStorage {
    const storage = this.#storage;
    const parts = {
      sql: { exec: (query: string, ...bindings: unknown[]) => this.#exec(query, bindings) },
      transactionSync: <T>(act: () => T) => storage.transactionSync(act),
      setAlarm: (atMs: number) => storage.setAlarm(atMs),
      deleteAlarm: () => storage.deleteAlarm(),
    };
    return parts as unknown as DurableObjectStorage;
  }

  breakAfter(statements: number): void {
    this.#left = statements;
  }

  /** The platform has taken the alarm away to fire it. */
  alarmFired(): void {
    void this.#storage.deleteAlarm();
  }

  #exec(query: string, bindings: unknown[]) {
    if (this.#left-- > 0) return this.#storage.sql.exec(query, ...bindings);
    this.#left = Number.POSITIVE_INFINITY;
    throw new Error("the disk is full (failCommits)");
  }
}
