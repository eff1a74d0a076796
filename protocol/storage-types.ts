/** Version of storage.capnp. */
export const STORAGE_VERSION = 1;

/** What became of a consumed command; the number is what is stored. */
export const DISPOSITION = { executed: 1, faulted: 2, noEntity: 3 } as const;

export interface StoredSeat {
  readonly seat: number;
  readonly name: string;
  readonly kind: "player" | "bot";
  /** Name of the bot's brain, "" for a player. */
  readonly bot: string;
  /** SHA-256 of the seat's secret, empty for a bot. */
  readonly secretHash: Uint8Array;
  readonly inputSession: number;
  readonly consumed: number;
  /** Reference of the entity that it drives, 0 = none. */
  readonly entity: number;
  /** Last executed command, packed; empty = none. */
  readonly held: Uint8Array;
  readonly missedInARow: number;
  /** Ticks without a command since the input session began. */
  readonly missed: number;
  readonly connected: boolean;
  readonly droppedAtTick: number;
  /** Digest of command `consumed - i`, at most 256. */
  readonly digests: Uint32Array;
  /** Outcome of command `consumed - i`, as many as digests. */
  readonly dispositions: Uint8Array;
}

/** The whole room at one boundary. */
export interface StoredRoom {
  readonly formatVersion: number;
  readonly game: string;
  readonly gameVersion: number;
  readonly fingerprint: bigint;
  readonly commit: number;
  readonly tick: number;
  readonly incarnation: number;
  readonly nextSeat: number;
  readonly nextInputSession: number;
  readonly slippedTicks: number;
  /** Creation options as JSON. */
  readonly options: string;
  /** Exact save of the world. */
  readonly world: Uint8Array;
  /** Hash of the world. */
  readonly hash: bigint;
  readonly seats: readonly StoredSeat[];
}

export interface LedgerEntry {
  readonly seq: number;
  /** Tick that consumed it. */
  readonly tick: number;
  readonly digest: number;
  readonly disposition: number;
  readonly bytes: Uint8Array;
}

export interface LedgerSession {
  readonly seat: number;
  readonly inputSession: number;
  readonly entries: readonly LedgerEntry[];
  /** Ticks that ran without a command of this seat. */
  readonly missedTicks: readonly number[];
}

/** What was consumed between two commits. */
export interface LedgerRow {
  readonly formatVersion: number;
  readonly commit: number;
  readonly fromTick: number;
  readonly toTick: number;
  readonly incarnation: number;
  /** Hash of the world at `toTick`. */
  readonly hash: bigint;
  readonly sessions: readonly LedgerSession[];
  /** Seats that joined, and that left. */
  readonly joins: readonly number[];
  readonly leaves: readonly number[];
}
