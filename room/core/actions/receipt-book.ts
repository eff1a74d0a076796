import {
  decodeReceiptRow,
  encodeReceiptRow,
  type OpenSession,
  type Receipt,
  STORAGE_VERSION,
} from "../../../protocol/index.ts";
import type { StoredActions, StreamNumbers } from "../action-part.ts";
import type { SlotBytes } from "../store.ts";
import type { ActionId } from "./identity.ts";
import { type KeptReceipt, ReceiptStream } from "./receipt-stream.ts";
import { SlotPool } from "./slot-pool.ts";

/** What a tick decided about an action. */
export type ReceiptContent = Pick<Receipt, "revision" | "status" | "reason" | "result" | "tick">;

export interface ExpiryRule {
  readonly retentionTicks: number;
  readonly isPending: (id: ActionId) => boolean;
}

const NO_RECEIPTS: StreamNumbers = { receiptHead: 0, confirmed: 0, reclaimed: 0, baselineId: 0 };

/** All receipt streams of a room. What a window adds to them is settled or undone with it. */
export class ReceiptBook {
  #streams = new Map<number, ReceiptStream>();
  #slots = new SlotPool();
  /** Slots of the open window's receipts, by session, in the order of its staged ones. */
  #taken = new Map<number, number[]>();
  #ended = new Set<number>();
  #fresh: ReceiptStream[] = [];
  #freshFrom = new Map<number, number>();

  /** Whether the open window has something in it that must be committed [D2]. */
  get dirty(): boolean {
    for (const { staged } of this.#streams.values()) if (staged.length > 0) return true;
    return false;
  }

  /** Begins a session's stream. It may be done again: a stream without receipts leaves no trace. */
  open(session: number, seat: number): void {
    if (!this.#streams.has(session)) this.#streams.set(session, new ReceiptStream(session, seat));
  }

  stage(seat: number, { session, seq, slot }: ActionId, content: ReceiptContent): void {
    this.open(session, seat);
    this.#streams.get(session)?.stage({ seq, slot, ...content });
  }

  /** A seat's stream: nobody reads another's. */
  streamOf(seat: number, session: number): ReceiptStream | undefined {
    const stream = this.#streams.get(session);
    return stream?.seat === seat ? stream : undefined;
  }

  head(session: number): number {
    return this.#streams.get(session)?.head ?? 0;
  }

  /** Streams of a seat's other input sessions that can still be read [A8]. */
  others(seat: number, session: number): OpenSession[] {
    const others: OpenSession[] = [];
    for (const stream of this.#streams.values()) {
      if (stream.seat !== seat || stream.session === session || stream.head === 0) continue;
      others.push({ session: stream.session, head: stream.head });
    }
    return others;
  }

  /** Receipts of a seat that are stored, the open window's included. */
  rowsOf(seat: number): number {
    let rows = 0;
    for (const stream of this.#streams.values()) if (stream.seat === seat) rows += stream.rows;
    return rows;
  }

  /** Receipts of a seat that its client hasn't confirmed. */
  unconfirmedOf(seat: number): number {
    let count = 0;
    for (const stream of this.#streams.values()) if (stream.seat === seat) count += stream.unconfirmed;
    return count;
  }

  confirmAll(): void {
    for (const stream of this.#streams.values()) stream.confirm(stream.head);
  }

  /** Receipts of one command that are still there. */
  ofCommand(session: number, seq: number): readonly Receipt[] {
    return this.#streams.get(session)?.ofCommand(seq) ?? [];
  }

  /** The seat is gone with the open window: nobody can ask for its receipts any more [A7]. */
  endSeat(seat: number): void {
    for (const stream of this.#streams.values()) if (stream.seat === seat) this.#ended.add(stream.session);
  }

  /** The session is forgotten with the open window. */
  endSession(session: number): void {
    if (this.#streams.has(session)) this.#ended.add(session);
  }

  /** Rows of the open window's receipts. Every call begins anew: a commit that failed is tried again. */
  write(tick: number, { retentionTicks, isPending }: ExpiryRule): SlotBytes[] {
    this.#returnTaken();
    const rows: SlotBytes[] = [];
    for (const stream of this.#streams.values()) {
      stream.expire(tick, retentionTicks, isPending);
      const { session, seat, staged } = stream;
      if (staged.length === 0 || this.#ended.has(session)) continue;
      const slots: number[] = [];
      for (const receipt of staged) {
        const slot = this.#slots.take();
        slots.push(slot);
        const row = { formatVersion: STORAGE_VERSION, seat, receipt, committedTick: tick };
        rows.push({ slot, bytes: encodeReceiptRow(row) });
      }
      this.#taken.set(session, slots);
    }
    return rows;
  }

  /** What a session's stream is stored with, after `write`. */
  numbers(session: number): StreamNumbers {
    return this.#streams.get(session)?.numbers() ?? NO_RECEIPTS;
  }

  /** The window is committed at `tick`. */
  settle(tick: number): void {
    this.#fresh = [];
    this.#freshFrom = new Map();
    for (const session of this.#ended) this.#remove(session);
    for (const stream of this.#streams.values()) {
      if (stream.staged.length > 0) {
        this.#fresh.push(stream);
        this.#freshFrom.set(stream.session, stream.head + 1);
      }
      for (const slot of stream.settle(this.#taken.get(stream.session) ?? [], tick)) this.#slots.give(slot);
    }
    this.#taken = new Map();
    this.#ended = new Set();
  }

  /** The window is abandoned. */
  undo(): void {
    this.#returnTaken();
    for (const stream of this.#streams.values()) stream.undo();
    this.#ended = new Set();
  }

  /** What the last commit added for a seat, by session. */
  *fresh(seat: number): Iterable<{ readonly session: number; readonly receipts: readonly Receipt[] }> {
    for (const stream of this.#fresh) {
      if (stream.seat !== seat) continue;
      const from = this.#freshFrom.get(stream.session) ?? 1;
      yield { session: stream.session, receipts: stream.range(from, stream.head) };
    }
  }

  /**
   * Takes streams from storage. Rows that belong to no session, or were reclaimed, are left over in slots that
   * nobody has needed since.
   * @returns what is wrong with them, if anything
   */
  restore({ sessions, receipts }: Pick<StoredActions, "sessions" | "receipts">): string | undefined {
    this.#streams = new Map();
    const kept = new Map<number, KeptReceipt[]>();
    for (const { seat, session } of sessions) {
      this.#streams.set(session.inputSession, new ReceiptStream(session.inputSession, seat, session));
      kept.set(session.inputSession, []);
    }
    for (const { slot, bytes } of receipts) {
      const { seat, receipt, committedTick } = decodeReceiptRow(bytes);
      const stream = this.#streams.get(receipt.session);
      if (stream?.seat !== seat || stream.isGone(receipt.number) || receipt.number > stream.head) continue;
      kept.get(receipt.session)?.push({ receipt, slot, committedTick });
    }
    for (const stream of this.#streams.values()) {
      if (!stream.restore(kept.get(stream.session) ?? [])) {
        return `receipts of input session ${stream.session} are missing`;
      }
    }
    this.#slots = SlotPool.using([...this.#streams.values()].flatMap((stream) => stream.slots()));
    return undefined;
  }

  #remove(session: number): void {
    for (const slot of this.#streams.get(session)?.slots() ?? []) this.#slots.give(slot);
    this.#streams.delete(session);
  }

  #returnTaken(): void {
    for (const slots of this.#taken.values()) for (const slot of slots) this.#slots.give(slot);
    this.#taken = new Map();
  }
}
