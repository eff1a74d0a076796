import {
  DISPOSITION,
  type LedgerEntry,
  type LedgerSession,
  type StoredSession,
} from "../../protocol/index.ts";
import {
  type CommandOf,
  commandDigest,
  type Game,
  type GameShape,
  missingCommand,
  neutralCommand,
  type Tick,
  unpackCommand,
} from "../../sim/index.ts";
import { OutcomeRing } from "./outcome-ring.ts";

/** What became of a command that a client sent. */
export type Offer =
  | { readonly result: "buffered" }
  /** Sent before and still waiting, or consumed and answered as then [I6]. */
  | { readonly result: "repeated"; readonly disposition: number | undefined }
  /** Consumed too long ago for its outcome to be known; not executed either. */
  | { readonly result: "already-consumed" }
  /** The same number with other content: the session must end [I7]. */
  | { readonly result: "conflict" }
  | { readonly result: "beyond-credit" };

interface Waiting {
  readonly bytes: Uint8Array;
  readonly digest: number;
}

/** What a tick does to the session. Replaced as a whole, so that undoing a window is one assignment. */
interface Progress {
  readonly consumed: number;
  /** The command that the hold rule repeats, packed; empty when there is none. */
  readonly held: Uint8Array;
  readonly missedInARow: number;
  readonly missed: number;
}

export interface TickInput {
  readonly tick: Tick;
  /** Whether the seat has a living entity: without one a command is consumed and does nothing [I8]. */
  readonly alive: boolean;
  /** Take the command as rejected: it made the window throw [T6]. */
  readonly reject: boolean;
}

const FRESH: Progress = { consumed: 0, held: new Uint8Array(0), missedInARow: 0, missed: 0 };

/**
 * A seat's numbered stream of commands. Between windows commands are only buffered; in a window `next`
 * consumes at most one per tick, in order and without gaps [I4]; then the window is settled or undone.
 */
export class InputSession<S extends GameShape> {
  readonly id: number;
  readonly #game: Game<S>;
  readonly #creditWindow: number;
  readonly #waiting = new Map<number, Waiting>();
  readonly #outcomes: OutcomeRing;
  #boundary: Progress;
  #now: Progress;
  /** What the open window consumed and missed. */
  #entries: LedgerEntry[] = [];
  #missedTicks: number[] = [];

  constructor(game: Game<S>, id: number, creditWindow: number, from = FRESH, outcomes = new OutcomeRing()) {
    this.#game = game;
    this.id = id;
    this.#creditWindow = creditWindow;
    this.#boundary = from;
    this.#now = from;
    this.#outcomes = outcomes;
  }

  /** Highest sequence number answered at the last boundary. */
  get consumed(): number {
    return this.#boundary.consumed;
  }

  get missed(): number {
    return this.#boundary.missed;
  }

  /** Highest sequence number that may be sent now. */
  get credit(): number {
    return this.#boundary.consumed + this.#creditWindow;
  }

  /** Commands that could be executed without waiting for another frame. */
  get depth(): number {
    let depth = 0;
    while (this.#waiting.has(this.#boundary.consumed + depth + 1)) depth++;
    return depth;
  }

  offer(seq: number, bytes: Uint8Array): Offer {
    const digest = commandDigest(bytes);
    const { consumed } = this.#boundary;
    if (seq <= consumed) {
      const known = this.#outcomes.get(seq, consumed);
      if (!known) return { result: "already-consumed" };
      if (known.digest !== digest) return { result: "conflict" };
      return { result: "repeated", disposition: known.disposition };
    }
    if (seq > this.credit) return { result: "beyond-credit" };
    const waiting = this.#waiting.get(seq);
    if (waiting) {
      return waiting.digest === digest
        ? { result: "repeated", disposition: undefined }
        : { result: "conflict" };
    }
    this.#waiting.set(seq, { bytes: bytes.slice(), digest });
    return { result: "buffered" };
  }

  /** Whether a client whose next command is `nextSeq` can go on here: its queue holds all that is open. */
  agreesWith(nextSeq: number): boolean {
    return nextSeq > this.consumed && nextSeq <= this.credit + 1;
  }

  /** Forgets what waits: another connection's queue takes over, and sends it again if it has it. */
  discardWaiting(): void {
    this.#waiting.clear();
  }

  /** The command of one tick: the next one, or what the missing-input rule makes of its absence [I5]. */
  next({ tick, alive, reject }: TickInput): CommandOf<S> {
    const now = this.#now;
    const seq = now.consumed + 1;
    const waiting = this.#waiting.get(seq);
    const { schema } = this.#game;
    if (!waiting) {
      const missedInARow = now.missedInARow + 1;
      this.#missedTicks.push(tick);
      const held = reject ? FRESH.held : now.held;
      this.#now = { consumed: now.consumed, held, missedInARow, missed: now.missed + 1 };
      return missingCommand(this.#game, unpackHeld<S>(this.#game, held), missedInARow);
    }
    const disposition = reject ? DISPOSITION.faulted : alive ? DISPOSITION.executed : DISPOSITION.noEntity;
    this.#entries.push({ seq, tick, digest: waiting.digest, disposition, bytes: waiting.bytes, actions: [] });
    // A rejected command isn't held either: its repeat in a later tick would throw just the same.
    const held = reject ? FRESH.held : waiting.bytes;
    this.#now = { consumed: seq, held, missedInARow: 0, missed: now.missed };
    return reject ? neutralCommand<S>(schema) : unpackCommand<S>(schema, waiting.bytes);
  }

  /** What the open window did, for the ledger; undefined when it did nothing. */
  windowRecord(seat: number): LedgerSession | undefined {
    if (this.#entries.length === 0 && this.#missedTicks.length === 0) return undefined;
    return { seat, inputSession: this.id, entries: this.#entries, missedTicks: this.#missedTicks };
  }

  get windowConsumed(): number {
    return this.#entries.length;
  }

  get windowMissed(): number {
    return this.#missedTicks.length;
  }

  /** State after the open window, as it is stored. */
  stored() {
    const { consumed, held, missedInARow, missed } = this.#now;
    const session: StoredSession = {
      inputSession: this.id,
      state: "open",
      reason: "other",
      sinceTick: 0,
      consumed,
      receiptHead: 0,
      confirmed: 0,
      reclaimed: 0,
      baselineId: 0,
    };
    return {
      // A bot's commands are its brain's, which no session numbers.
      sessions: this.id === 0 ? [] : [session],
      held,
      missedInARow,
      missed,
      ...this.#outcomes.with(this.#entries, consumed),
    };
  }

  /** The window is committed: what it consumed is answered for good. */
  settle(): void {
    for (const entry of this.#entries) {
      this.#waiting.delete(entry.seq);
      this.#outcomes.set(entry.seq, entry.digest, entry.disposition);
    }
    this.#boundary = this.#now;
    this.#clearWindow();
  }

  /** The window is abandoned: its commands wait again. */
  undo(): void {
    this.#now = this.#boundary;
    this.#clearWindow();
  }

  #clearWindow(): void {
    this.#entries = [];
    this.#missedTicks = [];
  }
}

function unpackHeld<S extends GameShape>(game: Game<S>, held: Uint8Array): CommandOf<S> | undefined {
  return held.length === 0 ? undefined : unpackCommand<S>(game.schema, held);
}
