import { type ActionCall, type Command, commandDigest } from "../sim/index.ts";

/** A command under its full number, kept until the room's storage has it. */
export interface QueuedCommand {
  readonly seq: number;
  readonly bytes: Uint8Array;
  /** What the bytes mean: what the server will see. */
  readonly command: Command;
  readonly calls: readonly ActionCall[];
}

/** A command as it is stored across reloads. */
export interface SavedCommand {
  readonly seq: number;
  readonly digest: number;
  readonly bytes: Uint8Array;
}

/** The highest number that a command may have [S5]: before it the room opens another session. */
const LAST_SEQ = 0xffff_fffe;

/**
 * The commands of an input session that aren't durable yet [I3]. The queue, not the socket, decides what
 * is sent: a socket forgets what it was given when it dies, and a second copy of a command under a new
 * number would be a second shot.
 */
export class DeliveryQueue {
  #entries: QueuedCommand[] = [];
  #nextSeq = 1;
  #consumed = 0;
  #durable = 0;
  #credit = 0;
  /** Highest seq that the present connection has been given, or that it needn't be. */
  #carried = 0;
  #givenUp = false;

  /** The number that the next command will get. */
  get nextSeq(): number {
    return this.#nextSeq;
  }
  /** The oldest command that is still here; the next number when there is none. */
  get oldestSeq(): number {
    return (this.#givenUp ? undefined : this.#entries[0]?.seq) ?? this.#nextSeq;
  }
  get consumed(): number {
    return this.#consumed;
  }
  get durable(): number {
    return this.#durable;
  }
  /** False at the credit bound: then nothing may be sampled [I6]. */
  get hasCredit(): boolean {
    return this.#nextSeq <= this.#credit;
  }
  /** True when the numbers are used up: nothing more may be made in this session. */
  get isExhausted(): boolean {
    return this.#nextSeq > LAST_SEQ;
  }
  /** Commands that no snapshot has answered yet. */
  get pending(): number {
    return Math.max(0, this.#nextSeq - 1 - this.#consumed);
  }

  /** Begins an input session: nothing of an earlier one is kept or renumbered. */
  open(consumed: number, durable: number, credit: number): void {
    this.#entries = [];
    this.#nextSeq = consumed + 1;
    this.#consumed = consumed;
    this.#durable = durable;
    this.#credit = credit;
    this.#carried = consumed;
    this.#givenUp = false;
  }

  /**
   * The queue of an earlier life of the page. It gets no credit: what the room has consumed must be known first.
   * Empty when what was stored doesn't hold together, which is as good as lost.
   */
  restore(
    nextSeq: number,
    saved: readonly SavedCommand[],
    read: (bytes: Uint8Array, seq: number) => QueuedCommand | undefined,
  ): void {
    this.open(nextSeq - 1, 0, 0);
    const first = nextSeq - saved.length;
    const entries = saved.map(({ seq, digest, bytes }, i) =>
      seq === first + i && commandDigest(bytes) === digest ? read(bytes, seq) : undefined,
    );
    if (entries.every((entry) => entry !== undefined)) this.#entries = entries;
    this.#consumed = this.oldestSeq - 1;
  }

  save(): SavedCommand[] {
    return this.#entries.map(({ seq, bytes }) => ({ seq, digest: commandDigest(bytes), bytes }));
  }

  /** None of the commands may run any more, here or in the room, though their numbers stay used [P7]. */
  giveUp(): void {
    this.#givenUp = true;
    this.#credit = 0;
  }

  get isGivenUp(): boolean {
    return this.#givenUp;
  }

  /** Takes no more commands and sends none, until a session is opened. */
  halt(): void {
    this.#credit = 0;
  }

  /** Commands of these numbers that are here and may be sent. */
  range(from: number, to: number): QueuedCommand[] {
    const last = this.#givenUp ? 0 : Math.min(to, this.#credit);
    return this.#entries.filter(({ seq }) => seq >= from && seq <= last);
  }

  /** Whether everything after `consumed` is here: only then can a session go on from there. */
  covers(consumed: number): boolean {
    return consumed < this.#nextSeq && this.oldestSeq <= consumed + 1;
  }

  /** A new connection of the same session: what it carries begins after what the room has consumed. */
  reconnect(consumed: number, durable: number, credit: number): void {
    this.#givenUp = false;
    // A restarted room may have consumed less than it had told: those commands go out again.
    this.#consumed = consumed;
    this.#credit = credit;
    this.#carried = consumed;
    this.cover(durable);
  }

  /** Puts a command in under the next number. */
  put(bytes: Uint8Array, command: Command, calls: readonly ActionCall[] = []): QueuedCommand {
    const entry = { seq: this.#nextSeq++, bytes, command, calls };
    this.#entries.push(entry);
    return entry;
  }

  /** Watermarks of an accepted snapshot. */
  acknowledge(consumed: number, durable: number, credit: number): void {
    this.#consumed = consumed;
    this.#credit = credit;
    this.#carried = Math.max(this.#carried, consumed);
    // Commands of an earlier life of the page, whose queue is lost: their numbers aren't free.
    this.#nextSeq = Math.max(this.#nextSeq, consumed + 1);
    this.cover(durable);
  }

  /** `durable` alone: it only grows within a session, whatever snapshot it arrives with. */
  cover(durable: number): void {
    this.#durable = Math.max(this.#durable, durable);
    // It may have overtaken the snapshots that consume: until these are here, a replay still needs the commands.
    const answered = Math.min(this.#durable, this.#consumed);
    const keepFrom = this.#entries.findIndex((entry) => entry.seq > answered);
    this.#entries = keepFrom < 0 ? [] : this.#entries.slice(keepFrom);
  }

  /** Commands that aren't consumed, in order: what a replay runs. */
  unconsumed(): readonly QueuedCommand[] {
    return this.#givenUp ? [] : this.#entries.filter((entry) => entry.seq > this.#consumed);
  }

  /**
   * What to send now, oldest first, within the credit and at most `max` of them: on an ordered link what this
   * connection hasn't carried, on a lossy one everything unconsumed, since any of it may have been lost.
   */
  take(max: number, link: "ordered" | "lossy"): QueuedCommand[] {
    const after = link === "ordered" ? this.#carried : this.#consumed;
    const batch: QueuedCommand[] = [];
    if (this.#givenUp) return batch;
    for (const entry of this.#entries) {
      if (entry.seq <= after || entry.seq > this.#credit) continue;
      if (batch.length === max) break;
      batch.push(entry);
    }
    this.#carried = Math.max(this.#carried, batch.at(-1)?.seq ?? 0);
    return batch;
  }
}
