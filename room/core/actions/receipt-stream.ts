import { isFinal, type Receipt } from "../../../protocol/index.ts";
import type { StreamNumbers } from "../action-part.ts";
import { type ActionId, actionKey } from "./identity.ts";

/** A committed receipt and where it is stored. */
export interface KeptReceipt {
  readonly receipt: Receipt;
  readonly slot: number;
  /** Boundary of the commit that stored it. */
  readonly committedTick: number;
}

/**
 * The receipts of one input session, numbered from 1 without holes [A4]. The open window's ones are staged: they
 * have their numbers, but nobody sees them before they are committed [D2].
 */
export class ReceiptStream {
  readonly session: number;
  readonly seat: number;
  #kept: KeptReceipt[] = [];
  #staged: Receipt[] = [];
  #head: number;
  #confirmed: number;
  #reclaimed: number;
  #baselineId: number;
  /** Kept ones, from the oldest, that the open window reclaims. */
  #expiring = 0;

  constructor(session: number, seat: number, from?: StreamNumbers) {
    this.session = session;
    this.seat = seat;
    this.#head = from?.receiptHead ?? 0;
    this.#confirmed = from?.confirmed ?? 0;
    this.#reclaimed = from?.reclaimed ?? 0;
    this.#baselineId = from?.baselineId ?? 0;
  }

  /** Number of the newest committed receipt, 0 = none. */
  get head(): number {
    return this.#head;
  }

  /** Receipts up to this one are gone. */
  get reclaimed(): number {
    return this.#reclaimed;
  }

  /** Rows that it takes once the open window is committed. */
  get rows(): number {
    return this.#kept.length + this.#staged.length;
  }

  /** Receipts that its client hasn't confirmed. */
  get unconfirmed(): number {
    return this.#head - this.#confirmed;
  }

  get confirmed(): number {
    return this.#confirmed;
  }

  get staged(): readonly Receipt[] {
    return this.#staged;
  }

  /** Whether a receipt was reclaimed: only a baseline helps a client that lacks it [A7]. */
  isGone(number: number): boolean {
    return number <= this.#reclaimed;
  }

  stage(content: Omit<Receipt, "number" | "session">): void {
    const number = this.#head + this.#staged.length + 1;
    this.#staged.push({ number, session: this.session, ...content });
  }

  ofCommand(seq: number): Receipt[] {
    return this.#kept.map(({ receipt }) => receipt).filter((receipt) => receipt.seq === seq);
  }

  /** The client has everything up to `cursor`. False when that can't be: nothing of the kind was ever sent. */
  confirm(cursor: number): boolean {
    if (cursor > this.#head) return false;
    // A cursor that went back is a client that lost some: what was confirmed before may be gone already.
    this.#confirmed = Math.max(this.#confirmed, cursor);
    return true;
  }

  gaveBaseline(id: number): void {
    this.#baselineId = id;
  }

  /** Committed receipts from one number to another, as far as they are still there. */
  range(from: number, to: number): Receipt[] {
    const first = Math.max(0, from - this.#reclaimed - 1);
    return this.#kept.slice(first, Math.max(first, to - this.#reclaimed)).map(({ receipt }) => receipt);
  }

  /**
   * What a client needs that has everything up to `cursor`: what is pending, and the newest answer to whatever
   * was answered since [A6].
   */
  awaitedSince(cursor: number): Receipt[] {
    const newest = new Map<string, Receipt>();
    for (const { receipt } of this.#kept) newest.set(actionKey(receipt), receipt);
    return [...newest.values()]
      .filter((receipt) => !isFinal(receipt) || receipt.number > cursor)
      .sort((a, b) => a.number - b.number);
  }

  /**
   * Decides what the commit at `tick` reclaims: what is confirmed and has outlived its retention, oldest first.
   * The admission of an action that still waits stays, for it must be in every baseline, and with it what came
   * after it.
   */
  expire(tick: number, retentionTicks: number, isPending: (id: ActionId) => boolean): void {
    let count = 0;
    for (const { receipt, committedTick } of this.#kept) {
      if (receipt.number > this.#confirmed || committedTick + retentionTicks > tick) break;
      if (!isFinal(receipt) && isPending(receipt)) break;
      count++;
    }
    this.#expiring = count;
  }

  /** As it is stored with the open window. */
  numbers(): StreamNumbers {
    return {
      receiptHead: this.#head + this.#staged.length,
      confirmed: this.#confirmed,
      reclaimed: this.#reclaimed + this.#expiring,
      baselineId: this.#baselineId,
    };
  }

  /** The window is committed. Returns the slots that are free from now on. */
  settle(slots: readonly number[], committedTick: number): number[] {
    const freed = this.#kept.splice(0, this.#expiring).map(({ slot }) => slot);
    this.#reclaimed += this.#expiring;
    for (const [i, receipt] of this.#staged.entries()) {
      this.#kept.push({ receipt, slot: slots[i] as number, committedTick });
    }
    this.#head += this.#staged.length;
    this.undo();
    return freed;
  }

  undo(): void {
    this.#staged = [];
    this.#expiring = 0;
  }

  /** All slots that it holds. */
  slots(): number[] {
    return this.#kept.map(({ slot }) => slot);
  }

  /** Takes its stored receipts. False when one is missing. */
  restore(kept: readonly KeptReceipt[]): boolean {
    this.#kept = [...kept].sort((a, b) => a.receipt.number - b.receipt.number);
    return (
      this.#kept.length === this.#head - this.#reclaimed &&
      this.#kept.every(({ receipt }, i) => receipt.number === this.#reclaimed + 1 + i)
    );
  }
}
