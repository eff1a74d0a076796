import { type RoomStore, type RoomWrite, requireStorable, type StoredRows } from "./core/index.ts";

/** Bytes of state per row: a row holds at most 2 MB, its other columns and overhead included. */
const PART_BYTES = 1_900_000;

/** Room for the parts of one state in the table of checkpoints. */
const PARTS_PER_STATE = 16;
const PART_TABLES = ["state", "checkpoints"] as const;
const SLOT_TABLES = ["ledger", "receipts"] as const;

/**
 * A room's storage in the SQLite database of its Durable Object.
 *
 * Rows are overwritten, never deleted, and have no index besides their own number: a commit of a small
 * room writes one state row, one ledger row and the alarm, however many players there are [D5].
 */
export class SqliteStore implements RoomStore {
  readonly #storage: DurableObjectStorage;
  #alarmMs: number | undefined;
  #rows = 0;

  /** @param alarmMs what `storage.getAlarm()` says, which can only be asked asynchronously */
  constructor(storage: DurableObjectStorage, alarmMs: number | null) {
    this.#storage = storage;
    this.#alarmMs = alarmMs ?? undefined;
    for (const table of PART_TABLES) {
      this.#run(
        `CREATE TABLE IF NOT EXISTS ${table} (part INTEGER PRIMARY KEY, parts INTEGER, bytes BLOB) STRICT`,
      );
    }
    for (const table of SLOT_TABLES) {
      this.#run(`CREATE TABLE IF NOT EXISTS ${table} (slot INTEGER PRIMARY KEY, bytes BLOB) STRICT`);
    }
  }

  get rowsWritten(): number {
    return this.#rows;
  }

  get storedBytes(): number {
    return this.#storage.sql.databaseSize;
  }

  load(): StoredRows | undefined {
    const state = this.#readParts("state", 0);
    if (!state) return undefined;
    const receipts = this.#storage.sql
      .exec<{ slot: number; bytes: ArrayBuffer }>("SELECT slot, bytes FROM receipts ORDER BY slot")
      .toArray()
      .map(({ slot, bytes }) => ({ slot, bytes: new Uint8Array(bytes) }));
    return { state, receipts };
  }

  ledger(slot: number): Uint8Array | undefined {
    const [row] = this.#storage.sql
      .exec<{ bytes: ArrayBuffer }>("SELECT bytes FROM ledger WHERE slot = ?", slot)
      .toArray();
    return row && new Uint8Array(row.bytes);
  }

  checkpoint(slot: number): Uint8Array | undefined {
    return this.#readParts("checkpoints", slot * PARTS_PER_STATE);
  }

  commit({ state, ledgerSlot, ledger, receipts, checkpoint, alarmAtMs }: RoomWrite): void {
    requireStorable(state);
    this.#storage.transactionSync(() => {
      this.#writeParts("state", 0, state);
      this.#writeSlot("ledger", ledgerSlot, ledger);
      for (const { slot, bytes } of receipts) this.#writeSlot("receipts", slot, bytes);
      if (checkpoint) this.#writeParts("checkpoints", checkpoint.slot * PARTS_PER_STATE, checkpoint.bytes);
      this.#writeAlarm(alarmAtMs);
    });
    this.#alarmMs = alarmAtMs;
  }

  clear(): void {
    this.#storage.transactionSync(() => {
      for (const table of [...PART_TABLES, ...SLOT_TABLES]) this.#run(`DELETE FROM ${table}`);
    });
  }

  setAlarm(atMs: number): void {
    this.#writeAlarm(atMs);
    this.#alarmMs = atMs;
  }

  alarmMs(): number | undefined {
    return this.#alarmMs;
  }

  /** The alarm is firing, so there is none any more. Returns its time. */
  takeAlarm(): number | undefined {
    const at = this.#alarmMs;
    this.#alarmMs = undefined;
    return at;
  }

  /** Sets right what this store believes, from `storage.getAlarm()`: a lost alarm must be noticed [T5]. */
  learnAlarm(alarmMs: number | null): void {
    this.#alarmMs = alarmMs ?? undefined;
  }

  /**
   * Not awaited: inside `transactionSync` it belongs to the transaction, and a failure to write it later
   * resets the object, as with any other write [D6].
   */
  #writeAlarm(atMs: number | undefined): void {
    if (atMs !== undefined) {
      void this.#storage.setAlarm(atMs);
      this.#rows++;
    } else if (this.#alarmMs !== undefined) {
      void this.#storage.deleteAlarm();
      this.#rows++;
    }
  }

  #readParts(table: (typeof PART_TABLES)[number], first: number): Uint8Array | undefined {
    const parts: Uint8Array[] = [];
    for (let i = 0, count = 1; i < count; i++) {
      const [row] = this.#storage.sql
        .exec<{ parts: number; bytes: ArrayBuffer }>(
          `SELECT parts, bytes FROM ${table} WHERE part = ?`,
          first + i,
        )
        .toArray();
      if (!row) {
        if (i === 0) return undefined;
        throw new Error(`part ${i} of a stored state is missing`);
      }
      // Only the first part counts: rows behind it may be left over from a larger state.
      if (i === 0) count = row.parts;
      parts.push(new Uint8Array(row.bytes));
    }
    return joined(parts);
  }

  #writeParts(table: (typeof PART_TABLES)[number], first: number, state: Uint8Array): void {
    const parts = Math.max(1, Math.ceil(state.byteLength / PART_BYTES));
    for (let i = 0; i < parts; i++) {
      this.#run(
        `INSERT INTO ${table} VALUES (?1, ?2, ?3)
           ON CONFLICT (part) DO UPDATE SET parts = excluded.parts, bytes = excluded.bytes`,
        first + i,
        parts,
        state.subarray(i * PART_BYTES, (i + 1) * PART_BYTES),
      );
    }
  }

  #writeSlot(table: (typeof SLOT_TABLES)[number], slot: number, bytes: Uint8Array): void {
    this.#run(
      `INSERT INTO ${table} VALUES (?1, ?2) ON CONFLICT (slot) DO UPDATE SET bytes = excluded.bytes`,
      slot,
      bytes,
    );
  }

  #run(query: string, ...bindings: (number | Uint8Array)[]): void {
    const cursor = this.#storage.sql.exec(query, ...bindings);
    // The count is complete only once the statement has run to its end.
    cursor.toArray();
    this.#rows += cursor.rowsWritten;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
