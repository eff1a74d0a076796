import { type RoomStore, type RoomWrite, requireStorable } from "./core/index.ts";

/** Bytes of state per row: a row holds at most 2 MB, its other columns and overhead included. */
const PART_BYTES = 1_900_000;

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
    this.#run(
      "CREATE TABLE IF NOT EXISTS state (part INTEGER PRIMARY KEY, parts INTEGER, bytes BLOB) STRICT",
    );
    this.#run("CREATE TABLE IF NOT EXISTS ledger (slot INTEGER PRIMARY KEY, bytes BLOB) STRICT");
  }

  get rowsWritten(): number {
    return this.#rows;
  }

  load(): { readonly state: Uint8Array } | undefined {
    const parts: Uint8Array[] = [];
    for (let part = 0, count = 1; part < count; part++) {
      const [row] = this.#storage.sql
        .exec<{ parts: number; bytes: ArrayBuffer }>("SELECT parts, bytes FROM state WHERE part = ?", part)
        .toArray();
      if (!row) {
        if (part === 0) return undefined;
        throw new Error(`part ${part} of the stored state is missing`);
      }
      // Only the first part counts: rows behind it may be left over from a larger state.
      if (part === 0) count = row.parts;
      parts.push(new Uint8Array(row.bytes));
    }
    return { state: joined(parts) };
  }

  ledger(slot: number): Uint8Array | undefined {
    const [row] = this.#storage.sql
      .exec<{ bytes: ArrayBuffer }>("SELECT bytes FROM ledger WHERE slot = ?", slot)
      .toArray();
    return row && new Uint8Array(row.bytes);
  }

  commit({ state, ledgerSlot, ledger, alarmAtMs }: RoomWrite): void {
    requireStorable(state);
    const parts = Math.max(1, Math.ceil(state.byteLength / PART_BYTES));
    this.#storage.transactionSync(() => {
      for (let part = 0; part < parts; part++) {
        const bytes = state.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
        this.#run(
          `INSERT INTO state VALUES (?1, ?2, ?3)
             ON CONFLICT (part) DO UPDATE SET parts = excluded.parts, bytes = excluded.bytes`,
          part,
          parts,
          bytes,
        );
      }
      this.#run(
        "INSERT INTO ledger VALUES (?1, ?2) ON CONFLICT (slot) DO UPDATE SET bytes = excluded.bytes",
        ledgerSlot,
        ledger,
      );
      this.#writeAlarm(alarmAtMs);
    });
    this.#alarmMs = alarmAtMs;
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
