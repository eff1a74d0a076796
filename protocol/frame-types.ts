import type { Receipt } from "./receipts.ts";
import type { ExactRow } from "./rows.ts";

/** Version of frames.capnp and of the sections inside its frames. */
export const PROTOCOL_VERSION = 1;

/** `heldMs` of a snapshot that has nothing to echo. */
export const NO_ECHO = 0xffff;

/** A command in a batch: its full number and what sim's `packCommand` makes of it, actions included. */
export interface CommandEntry {
  readonly seq: number;
  readonly bytes: Uint8Array;
}

/** First frame of a connection: who is there, and which versions speak. */
export interface HelloFrame {
  readonly type: "hello";
  readonly protocol: number;
  readonly game: string;
  readonly gameVersion: number;
  readonly fingerprint: bigint;
  /** 32 random bytes that the client keeps: the same secret resumes the same seat. */
  readonly secret: Uint8Array;
  /** Shown to others. */
  readonly name: string;
  /** Input session to continue, 0 = none. */
  readonly inputSession: number;
  /** Number of the next command that the client will create. */
  readonly nextSeq: number;
  /** Oldest command that the client still has: it can send again from there. `nextSeq` = none. */
  readonly oldestSeq: number;
  /** Last incarnation seen, 0 = none. */
  readonly incarnation: number;
}

/** Commands that this connection hasn't carried yet; also an acknowledgement, with or without commands. */
export interface InputFrame {
  readonly type: "input";
  readonly inputSession: number;
  /** Client's clock, milliseconds modulo 2^32; the server echoes the newest. */
  readonly sentAtMs: number;
  /** Newest snapshot applied. */
  readonly ackTick: number;
  readonly commands: readonly CommandEntry[];
}

/** Asks for a snapshot that needs no base. */
export interface KeyframeFrame {
  readonly type: "keyframe";
  /** u16 from 1; the answer names it. */
  readonly requestId: number;
}

/** Gives the seat up. */
export interface LeaveFrame {
  readonly type: "leave";
}

/** Confirms receipts: what is covered needn't be kept for this client. */
export interface CursorFrame {
  readonly type: "cursor";
  readonly session: number;
  /** Highest number such that this receipt and all before it have arrived; 0 = none. */
  readonly cursor: number;
  /** The baseline that was adopted last, 0 = none. */
  readonly baselineId: number;
}

/** Asks for a hole in a receipt stream. */
export interface FetchFrame {
  readonly type: "fetch";
  readonly session: number;
  /** First and last number that is missing. */
  readonly from: number;
  readonly to: number;
}

/** Asks for a baseline of a receipt stream. */
export interface BaselineRequestFrame {
  readonly type: "baseline";
  readonly session: number;
  readonly cursor: number;
  /** u16 from 1; the answer names it. */
  readonly requestId: number;
}

export type ClientFrame =
  | HelloFrame
  | InputFrame
  | KeyframeFrame
  | LeaveFrame
  | CursorFrame
  | FetchFrame
  | BaselineRequestFrame;

/** An older input session whose receipts can still be read. */
export interface OpenSession {
  readonly session: number;
  /** Number of its newest receipt. */
  readonly head: number;
}

/** Answer to the hello: where this seat stands. */
export interface WelcomeFrame {
  readonly type: "welcome";
  readonly protocol: number;
  readonly seat: number;
  readonly incarnation: number;
  readonly tick: number;
  /** Ticks per second. */
  readonly tickRate: number;
  /** Ticks from one snapshot to the next. */
  readonly windowTicks: number;
  readonly inputSession: number;
  readonly consumed: number;
  readonly durable: number;
  readonly credit: number;
  /** `kind:name` */
  readonly roomName: string;
  /** As in a snapshot. */
  readonly receiptHead: number;
  readonly openSessions: readonly OpenSession[];
}

/** State of the room at one boundary, and where this seat's commands stand at the same boundary. */
export interface Snapshot {
  readonly tick: number;
  readonly incarnation: number;
  readonly inputSession: number;
  readonly consumed: number;
  readonly durable: number;
  readonly credit: number;
  /** Commands of this seat that wait after the window's last tick. */
  readonly bufferDepth: number;
  /** Ticks without a command since the input session began. */
  readonly missed: number;
  /** Ticks that the room has fallen behind the wall clock, in total. */
  readonly slippedTicks: number;
  /** Newest `sentAtMs` received. */
  readonly echoMs: number;
  /** Milliseconds between its receipt and this send; `NO_ECHO` = nothing received yet. */
  readonly heldMs: number;
  /** State of the seat's predicted random stream. */
  readonly seatRandom: number;
  /** Number of the input session's newest committed receipt, 0 = none: a lost tail shows as a hole before it. */
  readonly receiptHead: number;
  /** The keyframe request that this answers, 0 = none. */
  readonly requestId: number;
  /** Exact rows of the entities that the seat predicts. */
  readonly own: readonly ExactRow[];
}

/** A snapshot as it travels: as a difference against an earlier one, of which the reader has all. */
export interface SnapshotFrame
  extends Omit<Snapshot, "missed" | "slippedTicks" | "seatRandom" | "receiptHead" | "own"> {
  readonly type: "snapshot";
  /** Tick of the snapshot that this is a difference against, 0 = none: a keyframe. */
  readonly baseTick: number;
  /** `seatRandom`, xor the base's. */
  readonly randomChange: number;
  /** `missed`, less the base's modulo 2^32; likewise the next two. */
  readonly moreMissed: number;
  readonly moreSlipped: number;
  readonly moreReceipts: number;
  /** Exact rows, as a difference against the base's. */
  readonly own: Uint8Array;
  /** Entity section, the same for every seat with the same base. */
  readonly shared: Uint8Array;
}

export interface RosterSeat {
  readonly seat: number;
  readonly name: string;
  readonly kind: "player" | "bot";
  readonly connected: boolean;
}

/** Everybody in the room; replaces the roster before. */
export interface RosterFrame {
  readonly type: "roster";
  readonly seats: readonly RosterSeat[];
}

/** Receipts of one input session, by ascending number. */
export interface ReceiptsFrame {
  readonly type: "receipts";
  readonly session: number;
  readonly items: readonly Receipt[];
}

/** A part of a baseline: where the actions of an input session stand. Applied when all parts are there, or not at all. */
export interface BaselineFrame {
  readonly type: "baseline";
  /** The request that this answers. */
  readonly requestId: number;
  readonly session: number;
  /** Cursor of the request. */
  readonly requestCursor: number;
  /** From 1. */
  readonly baselineId: number;
  /** Every receipt up to this number is in the baseline, or superseded by one that is, or no longer awaited. */
  readonly covering: number;
  /** From 1. */
  readonly part: number;
  readonly parts: number;
  /** By ascending number; at most one of each action. */
  readonly items: readonly Receipt[];
}

/** Why an input session ends, by number on the wire. `other` is also what a newer room's reasons are read as. */
export const SESSION_REASON = [
  "other",
  "gap",
  "digest-mismatch",
  "queue-lost",
  "exhausted",
  "replay-bound",
  "left",
] as const;
export type SessionReason = (typeof SESSION_REASON)[number];

/** The input session takes no new commands (`closing`), or its last word is spoken (`closed`). */
export interface SessionFrame {
  readonly type: "session";
  readonly phase: "closing" | "closed";
  readonly session: number;
  readonly reason: SessionReason;
  /** Once closed: the session's commands after this one are void. */
  readonly finalConsumed: number;
  /** The session that follows, once closed; 0 = none. */
  readonly opened: number;
}

/** Asks for commands that are missing: later ones wait for them. */
export interface ResendFrame {
  readonly type: "resend";
  readonly session: number;
  /** First and last number that is missing. */
  readonly from: number;
  readonly to: number;
}

/** Something that happened in a tick and leaves no trace in the state. */
export interface EventItem {
  readonly tick: number;
  /** Position in the game's definition. */
  readonly kind: number;
  /** Seat whose page has shown it by itself, 0 = none. */
  readonly except: number;
  /** JSON. */
  readonly data: string;
}

/** What happened in one window, to be shown with its ticks. */
export interface EventsFrame {
  readonly type: "events";
  readonly incarnation: number;
  /** In the order in which they happened. */
  readonly items: readonly EventItem[];
}

/** The room is about to be closed. */
export interface NoticeFrame {
  readonly type: "notice";
  readonly inMs: number;
  /** For players, at most `reasonCharacters`. */
  readonly reason: string;
}

/** A kind of frame that a newer server sends: to be skipped. */
export interface UnknownFrame {
  readonly type: "unknown";
  readonly which: number;
}

export type ServerFrame =
  | WelcomeFrame
  | SnapshotFrame
  | RosterFrame
  | ReceiptsFrame
  | BaselineFrame
  | SessionFrame
  | ResendFrame
  | EventsFrame
  | NoticeFrame
  | UnknownFrame;
