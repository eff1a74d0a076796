import type { SessionReason } from "./frame-types.ts";
import type { Receipt } from "./receipts.ts";

/** Version of storage.capnp. */
export const STORAGE_VERSION = 1;

/** What became of a consumed command; the number is what is stored. */
export const DISPOSITION = { executed: 1, faulted: 2, noEntity: 3 } as const;

/** States of an input session by their number in storage. */
export const SESSION_STATE = ["open", "closing", "closed"] as const;
export type SessionState = (typeof SESSION_STATE)[number];

/** An input session of a seat, and its receipt stream. */
export interface StoredSession {
  readonly inputSession: number;
  readonly state: SessionState;
  /** Why it is closing or closed; `other` while it is open. */
  readonly reason: SessionReason;
  /** Since when it is in its state. */
  readonly sinceTick: number;
  readonly consumed: number;
  /** Number of its newest receipt, 0 = none. */
  readonly receiptHead: number;
  /** The client has all receipts up to this one. */
  readonly confirmed: number;
  /** Receipts up to this one are gone from storage. */
  readonly reclaimed: number;
  /** Id of its newest baseline, 0 = none. */
  readonly baselineId: number;
}

/** An admitted action that waits for its final receipt. */
export interface StoredAction {
  readonly session: number;
  readonly seq: number;
  readonly slot: number;
  readonly seat: number;
  /** Of its newest receipt. */
  readonly revision: number;
  readonly admittedTick: number;
  readonly deadlineTick: number;
  /** The command that carried it, packed. */
  readonly params: Uint8Array;
  /** What admission kept, as JSON. */
  readonly capture: string;
  /** What its call answered, as JSON, once a tick admitted that; "" = nothing yet. */
  readonly answer: string;
}

/** How an admitted action ended, by its number in storage. */
export const ACTION_OUTCOME = ["settled", "deadline", "fault", "left"] as const;
export type ActionOutcome = (typeof ACTION_OUTCOME)[number];

/** A failed action whose call may have had its effect: that is still to be undone [A9]. */
export interface StoredDebt
  extends Pick<StoredAction, "session" | "seq" | "slot" | "seat" | "params" | "capture"> {
  /** Why it failed. */
  readonly outcome: Exclude<ActionOutcome, "settled">;
}

export interface StoredSeat {
  readonly seat: number;
  readonly name: string;
  readonly kind: "player" | "bot";
  /** Name of the bot's brain, "" for a player. */
  readonly bot: string;
  /** SHA-256 of the seat's secret, empty for a bot. */
  readonly secretHash: Uint8Array;
  /** Newest first: the current one, then older ones whose receipts can still be read. None for a bot. */
  readonly sessions: readonly StoredSession[];
  /** Reference of the entity that it drives, 0 = none. */
  readonly entity: number;
  /** Last executed command, packed; empty = none. */
  readonly held: Uint8Array;
  readonly missedInARow: number;
  /** Ticks without a command since the input session began. */
  readonly missed: number;
  readonly connected: boolean;
  readonly droppedAtTick: number;
  /** Digest of the current session's command `consumed - i`, at most 256. */
  readonly digests: Uint32Array;
  /** Outcome of command `consumed - i`, as many as digests. */
  readonly dispositions: Uint8Array;
}

/** Where entities that can be aimed at were at a boundary. */
export interface StoredPoses {
  readonly tick: number;
  /** Entity section against an empty base. */
  readonly section: Uint8Array;
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
  /** Actions that wait for their final receipt, of all seats. */
  readonly pending: readonly StoredAction[];
  /** Of the last boundaries, the oldest first. */
  readonly poses: readonly StoredPoses[];
  /** Failed actions whose call is still to be undone, of all seats ever. */
  readonly debts: readonly StoredDebt[];
}

/** A receipt in storage. Its slot is used again for another one, so it says itself whose it is. */
export interface ReceiptRow {
  readonly formatVersion: number;
  readonly seat: number;
  readonly receipt: Receipt;
  /** Boundary of the commit that stored it: its retention counts from there. */
  readonly committedTick: number;
}

/** What the tick that consumed a command made of one of its actions. */
export interface SlotOutcome {
  readonly slot: number;
  readonly disposition: "admitted" | "rejected";
  readonly reason: string;
  /** The room rejected it without asking the game: it had no room for it, or the command was at fault. */
  readonly byRoom: boolean;
  /** The moment that the verdict looked back at, in ticks with a fraction of 256; 0 = it didn't [L3]. */
  readonly rewoundTick: number;
}

export interface LedgerEntry {
  readonly seq: number;
  /** Tick that consumed it. */
  readonly tick: number;
  readonly digest: number;
  readonly disposition: number;
  readonly bytes: Uint8Array;
  /** Of each action slot that the command carries. */
  readonly actions: readonly SlotOutcome[];
}

export interface LedgerSession {
  readonly seat: number;
  readonly inputSession: number;
  readonly entries: readonly LedgerEntry[];
  /** Ticks that ran without a command of this seat. */
  readonly missedTicks: readonly number[];
}

export interface LedgerJoin {
  readonly seat: number;
  readonly name: string;
  readonly kind: "player" | "bot";
  /** Boundary at which it took effect. */
  readonly tick: number;
}

export interface LedgerLeave {
  readonly seat: number;
  /** Boundary at which it took effect. */
  readonly tick: number;
}

/** An action's call answered, and this tick took the answer. */
export interface LedgerAnswer {
  readonly session: number;
  readonly seq: number;
  readonly slot: number;
  readonly tick: number;
  /** JSON */
  readonly answer: string;
}

/** An admitted action came to its end. */
export interface LedgerFinish {
  readonly session: number;
  readonly seq: number;
  readonly slot: number;
  /** That ended it; the boundary at which its seat left. */
  readonly tick: number;
  readonly outcome: ActionOutcome;
}

/** An input session closed, with its final watermark. */
export interface LedgerEnd {
  readonly seat: number;
  readonly session: number;
  readonly reason: SessionReason;
  readonly finalConsumed: number;
  /** The session that followed, 0 = none. */
  readonly opened: number;
  /** Boundary at which it took effect. */
  readonly tick: number;
}

/** What a rejection can be of, by its number in storage. */
export const REJECTION_KIND = ["command", "leave", "action"] as const;

/** Something that made its tick throw each time, and so had no effect [T6]: without it a replay would throw, too. */
export interface LedgerRejection {
  readonly kind: (typeof REJECTION_KIND)[number];
  /** Whose command or leave, 0 for an action. */
  readonly seat: number;
  /** In which it had no effect; of a leave, the boundary before. */
  readonly tick: number;
  /** Of an action, else 0. */
  readonly session: number;
  readonly seq: number;
  readonly slot: number;
}

/** What happened between two commits: one window, or several. */
export interface LedgerRow {
  readonly formatVersion: number;
  readonly commit: number;
  /** Boundary of the commit before. */
  readonly fromTick: number;
  readonly toTick: number;
  readonly incarnation: number;
  /** Hash of the world at `toTick`. */
  readonly hash: bigint;
  readonly sessions: readonly LedgerSession[];
  readonly joins: readonly LedgerJoin[];
  readonly leaves: readonly LedgerLeave[];
  readonly answers: readonly LedgerAnswer[];
  readonly ended: readonly LedgerEnd[];
  readonly rejected: readonly LedgerRejection[];
  readonly finished: readonly LedgerFinish[];
  /** Ends of the windows in it; the last is `toTick`. */
  readonly boundaries: readonly number[];
  readonly game: string;
  readonly gameVersion: number;
  readonly fingerprint: bigint;
}

/** What a room gives out for a replay elsewhere: its rows as they are stored. */
export interface RoomExport {
  readonly formatVersion: number;
  /** `kind:name` */
  readonly roomName: string;
  /** State rows, oldest first. */
  readonly checkpoints: readonly Uint8Array[];
  /** Ledger rows, oldest first. */
  readonly ledger: readonly Uint8Array[];
}
