import {
  DISPOSITION,
  type LedgerEntry,
  type LedgerSession,
  type SessionReason,
  type SlotOutcome,
} from "../../protocol/index.ts";
import {
  type CommandOf,
  commandDigest,
  type Game,
  type GameShape,
  missingCommand,
  neutralCommand,
  unpackCommand,
} from "../../sim/index.ts";
import { type Gap, GapWatch } from "./gap-watch.ts";
import { OutcomeRing, type StoredOutcomes } from "./outcome-ring.ts";
import {
  FRESH,
  LAST_SEQ,
  type Offer,
  type Progress,
  type SessionRules,
  type TickCommand,
  type TickInput,
} from "./session-progress.ts";

interface Waiting {
  readonly bytes: Uint8Array;
  readonly digest: number;
}

/** An entry whose action slots are still being answered. */
type OpenEntry = LedgerEntry & { readonly actions: SlotOutcome[] };

/**
 * A seat's numbered stream of commands. Between windows commands are only buffered; in a window `next`
 * consumes at most one per tick, in order and without gaps [I4]; then the window is settled or undone.
 *
 * What is settled has been sent and won't be taken back; it is durable once `committed` was called [D2].
 *
 *   open ──close──▶ closing ──drained, actions settled──▶ the seat opens another one
 */
export class InputSession<S extends GameShape> {
  readonly id: number;
  readonly #game: Game<S>;
  readonly #rules: SessionRules;
  readonly #waiting = new Map<number, Waiting>();
  readonly #outcomes: OutcomeRing;
  readonly #gap: GapWatch;
  #durable: number;
  #boundary: Progress;
  #now: Progress;
  /** Consumed and missed in windows that were sent but aren't stored yet. */
  #sentEntries: LedgerEntry[] = [];
  #sentMissed: number[] = [];
  /** What the open window consumed and missed. */
  #entries: OpenEntry[] = [];
  #missedTicks: number[] = [];

  constructor(game: Game<S>, id: number, rules: SessionRules, from = FRESH, outcomes = new OutcomeRing()) {
    this.#game = game;
    this.id = id;
    this.#rules = rules;
    this.#gap = new GapWatch(rules);
    this.#boundary = from;
    this.#now = from;
    this.#durable = from.consumed;
    this.#outcomes = outcomes;
  }

  /** Highest sequence number answered at the last boundary. */
  get consumed(): number {
    return this.#boundary.consumed;
  }

  /** Highest sequence number whose record is stored. */
  get durable(): number {
    return this.#durable;
  }

  get missed(): number {
    return this.#boundary.missed;
  }

  /** Where the session is in its life, after the open window. Another object whenever it has changed. */
  get life(): Progress["life"] {
    return this.#now.life;
  }

  /** Highest sequence number that may be sent now. */
  get credit(): number {
    // Not even for what still waits: a page that has lost its queue would give those numbers to other commands.
    if (this.life.at === "closing") return this.consumed;
    return Math.min(this.consumed + this.#rules.creditWindow, LAST_SEQ);
  }

  /** Commands that could be executed without waiting for another frame. */
  get depth(): number {
    return this.#depthFrom(this.#boundary.consumed);
  }

  /** Whether no command was ever taken. */
  get untouched(): boolean {
    return this.consumed === this.#rules.firstSeq - 1 && this.#waiting.size === 0;
  }

  /** Whether the open window has consumed all that could be executed. */
  get drained(): boolean {
    return !this.#waiting.has(this.#now.consumed + 1);
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
    const waiting = this.#waiting.get(seq);
    if (waiting) {
      return waiting.digest === digest
        ? { result: "repeated", disposition: undefined }
        : { result: "conflict" };
    }
    if (this.life.at === "closing") return { result: "closing" };
    if (seq > this.credit) return { result: "beyond-credit" };
    this.#waiting.set(seq, { bytes: bytes.slice(), digest });
    return { result: "buffered" };
  }

  /** Puts a recorded command in, whatever the session's life. For replays. */
  recall(seq: number, bytes: Uint8Array): void {
    this.#waiting.set(seq, { bytes, digest: commandDigest(bytes) });
    // The first one says where the session's numbers begin.
    if (this.#now.consumed !== seq - 1) this.#boundary = this.#now = { ...this.#now, consumed: seq - 1 };
  }

  /**
   * Whether a client with this queue can go on here: it has made nothing twice, and holds all that the room
   * lacks. Otherwise why the session must end [S2][S3][P7].
   */
  judgeQueue({ oldestSeq, nextSeq }: { oldestSeq: number; nextSeq: number }): "agrees" | SessionReason {
    const newest = Math.max(this.consumed, ...this.#waiting.keys());
    if (nextSeq <= newest || nextSeq > this.consumed + this.#rules.creditWindow + 1) return "queue-lost";
    if (oldestSeq <= this.consumed + this.depth + 1) return "agrees";
    // It knows its place but gave its queue up: too long ago to be replayed.
    return oldestSeq === nextSeq ? "replay-bound" : "queue-lost";
  }

  /** Forgets what waits: another connection's queue takes over, and sends it again if it has it. */
  discardWaiting(): void {
    for (const seq of this.#waiting.keys()) if (seq > this.#now.consumed) this.#waiting.delete(seq);
  }

  /** Between windows: no new commands from here on. What could be executed still is; what lies behind a gap is void [S5]. */
  close(reason: SessionReason, tick: number): void {
    this.#closeInWindow(reason, tick);
    // Nothing is open that could be undone.
    this.#boundary = this.#now;
  }

  /** Before a window's ticks: closes a session whose missing command doesn't come [I9]. */
  watchGap(tick: number, connected: boolean): void {
    if (this.#gap.watch(connected ? this.#missing() : undefined, tick)) this.#closeInWindow("gap", tick);
  }

  /** Commands to ask for again at this boundary, if it is time to. */
  takeResend(tick: number): Gap | undefined {
    return this.life.at === "open" ? this.#gap.takeResend(tick) : undefined;
  }

  /** The command of one tick: the next one, or what the missing-input rule makes of its absence [I5]. */
  next({ tick, alive, reject }: TickInput): TickCommand<S> {
    const now = this.#now;
    const seq = now.consumed + 1;
    const waiting = this.#waiting.get(seq);
    const { schema } = this.#game;
    if (!waiting) {
      const missedInARow = now.missedInARow + 1;
      this.#missedTicks.push(tick);
      const held = reject ? FRESH.held : now.held;
      this.#now = { ...now, held, missedInARow, missed: now.missed + 1 };
      const command = missingCommand(this.#game, unpackHeld<S>(this.#game, held), missedInARow);
      return { command, consumed: undefined };
    }
    const { bytes, digest } = waiting;
    const disposition = reject ? DISPOSITION.faulted : alive ? DISPOSITION.executed : DISPOSITION.noEntity;
    this.#entries.push({ seq, tick, digest, disposition, bytes, actions: [] });
    // A rejected command isn't held either: its repeat in a later tick would throw just the same.
    this.#now = { ...now, consumed: seq, held: reject ? FRESH.held : bytes, missedInARow: 0 };
    if (seq >= LAST_SEQ - this.#rules.creditWindow) this.#closeInWindow("exhausted", tick);
    const command = reject ? neutralCommand<S>(schema) : unpackCommand<S>(schema, bytes);
    return { command, consumed: { seq, bytes } };
  }

  /** Records what became of an action slot of the command that the tick consumed [I10]. */
  answer(outcome: SlotOutcome): void {
    this.#entries.at(-1)?.actions.push(outcome);
  }

  /** What happened since the last commit, for the ledger; undefined when nothing did. */
  ledgerSession(seat: number): LedgerSession | undefined {
    const entries = [...this.#sentEntries, ...this.#entries];
    const missedTicks = [...this.#sentMissed, ...this.#missedTicks];
    if (entries.length === 0 && missedTicks.length === 0) return undefined;
    return { seat, inputSession: this.id, entries, missedTicks };
  }

  get windowConsumed(): number {
    return this.#entries.length;
  }

  get windowMissed(): number {
    return this.#missedTicks.length;
  }

  /** State after the open window, as it is stored. */
  stored(): Progress & StoredOutcomes {
    return { ...this.#now, ...this.#outcomes.with(this.#entries, this.#now.consumed) };
  }

  /** The window will be sent: what it consumed won't be taken back in this incarnation. */
  settle(): void {
    for (const entry of this.#entries) {
      this.#waiting.delete(entry.seq);
      this.#outcomes.set(entry.seq, entry.digest, entry.disposition);
    }
    this.#sentEntries.push(...this.#entries);
    this.#sentMissed.push(...this.#missedTicks);
    this.#boundary = this.#now;
    this.#clearWindow();
  }

  /** All settled windows are stored: they are answered for good. */
  committed(): void {
    this.#durable = this.#boundary.consumed;
    this.#sentEntries = [];
    this.#sentMissed = [];
  }

  /** The window is abandoned: its commands wait again. */
  undo(): void {
    this.#now = this.#boundary;
    this.#clearWindow();
  }

  #closeInWindow(reason: SessionReason, tick: number): void {
    if (this.life.at === "open") {
      this.#now = { ...this.#now, life: { at: "closing", reason, sinceTick: tick } };
    }
  }

  #clearWindow(): void {
    this.#entries = [];
    this.#missedTicks = [];
  }

  #depthFrom(consumed: number): number {
    let depth = 0;
    while (this.#waiting.has(consumed + depth + 1)) depth++;
    return depth;
  }

  /** The commands that keep waiting ones from being executed. */
  #missing(): Gap | undefined {
    const from = this.#now.consumed + 1;
    if (this.#waiting.size === 0 || this.#waiting.has(from)) return undefined;
    return { from, to: Math.min(...this.#waiting.keys()) - 1 };
  }
}

function unpackHeld<S extends GameShape>(game: Game<S>, held: Uint8Array): CommandOf<S> | undefined {
  return held.length === 0 ? undefined : unpackCommand<S>(game.schema, held);
}
