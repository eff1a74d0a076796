/** Version of frames.capnp and of the sections inside its frames. */
export const PROTOCOL_VERSION = 1;

/** `heldMs` of a snapshot that has nothing to echo. */
export const NO_ECHO = 0xffff;

/** A command in a batch: its full number and its packed controls (`schema.commandBytes` bytes). */
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

export type ClientFrame = HelloFrame | InputFrame | KeyframeFrame | LeaveFrame;

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
}

/** State of the room at one boundary, and where this seat's commands stand at the same boundary. */
export interface SnapshotFrame {
  readonly type: "snapshot";
  readonly tick: number;
  /** Tick of the snapshot that `shared` is a difference against, 0 = keyframe. */
  readonly baseTick: number;
  /** The keyframe request that this answers, 0 = none. */
  readonly requestId: number;
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
  /** Entity section, the same for every seat with the same base. */
  readonly shared: Uint8Array;
  /** Exact rows of the seat's own entities. */
  readonly own: Uint8Array;
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

/** A kind of frame that a newer server sends: to be skipped. */
export interface UnknownFrame {
  readonly type: "unknown";
  readonly which: number;
}

export type ServerFrame = WelcomeFrame | SnapshotFrame | RosterFrame | UnknownFrame;
