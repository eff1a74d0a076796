import { LIMITS, type SessionReason } from "../../protocol/index.ts";
import type { CommandOf, GameShape, Tick } from "../../sim/index.ts";

/** Where an input session is in its life. A closed one is no input session any more: see `ClosedSession`. */
export type SessionLife =
  | { readonly at: "open"; readonly sinceTick: number }
  | { readonly at: "closing"; readonly reason: SessionReason; readonly sinceTick: number };

/** What a tick does to an input session. Replaced as a whole, so that undoing a window is one assignment. */
export interface Progress {
  readonly consumed: number;
  /** The command that the hold rule repeats, packed; empty when there is none. */
  readonly held: Uint8Array;
  readonly missedInARow: number;
  readonly missed: number;
  readonly life: SessionLife;
}

export const FRESH: Progress = {
  consumed: 0,
  held: new Uint8Array(0),
  missedInARow: 0,
  missed: 0,
  life: { at: "open", sinceTick: 0 },
};

/** What is kept of an input session that has ended: its receipts may still be read [A8]. */
export interface ClosedSession {
  readonly id: number;
  readonly reason: SessionReason;
  readonly sinceTick: number;
  /** Its final watermark: commands after it are void. */
  readonly consumed: number;
}

/** Numbers that a room may choose for its input sessions. */
export interface SessionRules {
  readonly creditWindow: number;
  /** Ticks after which a missing command is asked for again [I9]. */
  readonly gapTimeoutTicks: number;
  /** Ticks after which its session is closed. */
  readonly gapDeadlineTicks: number;
  /** Ticks that a closing session waits for its admitted actions [S5]. */
  readonly barrierTicks: number;
  /** Ticks that a closed session stays listed after its receipts were confirmed. */
  readonly retentionTicks: number;
  /** Number of a session's first command. Other than 1 only in tests of what happens at the end of the numbers. */
  readonly firstSeq: number;
}

export function sessionRules(tickRate: number, chosen: Partial<SessionRules> = {}): SessionRules {
  return {
    creditWindow: LIMITS.creditWindow,
    gapTimeoutTicks: LIMITS.gapTimeoutTicks,
    gapDeadlineTicks: LIMITS.gapDeadlineTicks,
    barrierTicks: LIMITS.barrierTicks,
    retentionTicks: Math.ceil((LIMITS.receiptRetentionMs / 1000) * tickRate),
    firstSeq: 1,
    ...chosen,
  };
}

/** What became of a command that a client sent. */
export type Offer =
  | { readonly result: "buffered" }
  /** Sent before and still waiting, or consumed and answered as then [I6]. */
  | { readonly result: "repeated"; readonly disposition: number | undefined }
  /** Consumed too long ago for its outcome to be known; not executed either. */
  | { readonly result: "already-consumed" }
  /** The same number with other content: the session must end [I7]. */
  | { readonly result: "conflict" }
  | { readonly result: "beyond-credit" }
  /** The session is closing: it takes no new commands [S5]. */
  | { readonly result: "closing" };

export interface TickInput {
  readonly tick: Tick;
  /** Whether the seat has a living entity: without one a command is consumed and does nothing [I8]. */
  readonly alive: boolean;
  /** Take the command as rejected: it made the window throw [T6]. */
  readonly reject: boolean;
}

/** What one tick does for a seat. */
export interface TickCommand<S extends GameShape> {
  readonly command: CommandOf<S>;
  /** The command that the tick consumed; undefined when the missing-input rule stood in. */
  readonly consumed: { readonly seq: number; readonly bytes: Uint8Array } | undefined;
}

/** The highest number that a command may have [S5]. */
export const LAST_SEQ = 0xffff_fffe;
