import { type BaselineFrame, LIMITS, type Receipt } from "../protocol/index.ts";
import { sameReceipt } from "./same-receipt.ts";

/** What a room sends before its hole is fetched is at most what it retains. */
const STAGED = 2 * LIMITS.fetchRange;
/** Baselines that may be arriving at once: an answer, and the one that was asked for after it. */
const ASSEMBLIES = 2;

export interface Numbers {
  readonly from: number;
  readonly to: number;
}

/** A baseline whose parts are all here. */
export interface WholeBaseline {
  readonly baselineId: number;
  readonly covering: number;
  readonly items: readonly Receipt[];
}

/**
 * The receipts of one input session in the order of their numbers [A4]. What arrives out of order waits; the cursor
 * is the highest number such that it and all before it are here.
 */
export class ReceiptStream {
  readonly session: number;
  /** The baseline that was adopted last, 0 = none. */
  baselineId: number;
  #cursor: number;
  #head = 0;
  readonly #staged = new Map<number, Receipt>();
  #assemblies: BaselineFrame[][] = [];

  constructor(session: number, cursor = 0, baselineId = 0) {
    this.session = session;
    this.#cursor = cursor;
    this.baselineId = baselineId;
  }

  get cursor(): number {
    return this.#cursor;
  }
  /** Whether everything that the room is known to have stored is here. */
  get complete(): boolean {
    return this.#cursor >= this.#head;
  }

  /** The room has stored receipts up to this number: those that aren't here are a hole. */
  raiseHead(head: number): void {
    this.#head = Math.max(this.#head, head);
  }

  /** The first hole, if there is one. */
  get hole(): Numbers | undefined {
    if (this.complete) return undefined;
    let to = this.#head;
    for (const number of this.#staged.keys()) to = Math.min(to, number - 1);
    return { from: this.#cursor + 1, to };
  }

  /** Puts an item in. `known` at or below the cursor: there it can't be news, whatever it says [A7]. */
  stage(item: Receipt): "known" | "staged" | "conflict" {
    if (item.number <= this.#cursor) return "known";
    const waiting = this.#staged.get(item.number);
    if (waiting) return sameReceipt(waiting, item) ? "staged" : "conflict";
    this.raiseHead(item.number);
    this.#staged.set(item.number, item);
    if (this.#staged.size > STAGED) this.#staged.delete(Math.max(...this.#staged.keys()));
    return "staged";
  }

  /** Takes out what follows the cursor without a hole, in order. */
  *advance(): Generator<Receipt> {
    for (let next = this.#next(); next; next = this.#next()) yield next;
  }

  /**
   * Takes a part of a baseline in; gives the whole once all parts are here, and changes nothing before that [A6].
   * `stale` and `torn` ones are forgotten.
   */
  collect(part: BaselineFrame): WholeBaseline | "incomplete" | "stale" | "torn" {
    // The room took it before the request that it claims to answer.
    if (part.covering < part.requestCursor) return "stale";
    let parts = this.#assemblies.find((known) => answersTheSame(known, part));
    if (!parts) {
      parts = [];
      this.#assemblies.push(parts);
      if (this.#assemblies.length > ASSEMBLIES) this.#assemblies.shift();
    }
    parts[part.part - 1] = part;
    const present = Object.values(parts);
    const torn = present.some(
      ({ covering, requestCursor, parts: count }) =>
        covering !== part.covering || requestCursor !== part.requestCursor || count !== part.parts,
    );
    if (!torn && present.length < part.parts) return "incomplete";
    this.#assemblies = this.#assemblies.filter((other) => other !== parts);
    if (torn) return "torn";
    const { baselineId, covering } = part;
    const items = present.flatMap((frame) => frame.items);
    const actions = new Set(items.map(({ seq, slot }) => `${seq}/${slot}`));
    return actions.size < items.length ? "torn" : { baselineId, covering, items };
  }

  /** Moves the cursor to where a baseline covers, and drops what that makes old. */
  adopt({ baselineId, covering }: WholeBaseline): void {
    this.baselineId = baselineId;
    this.raiseHead(covering);
    this.#cursor = Math.max(this.#cursor, covering);
    for (const number of this.#staged.keys()) if (number <= this.#cursor) this.#staged.delete(number);
  }

  /** A new connection: what is missing of a baseline won't come. */
  reconnected(): void {
    this.#assemblies = [];
  }

  #next(): Receipt | undefined {
    const next = this.#staged.get(this.#cursor + 1);
    if (!next) return undefined;
    this.#staged.delete(next.number);
    this.#cursor = next.number;
    return next;
  }
}

function answersTheSame(parts: readonly BaselineFrame[], { requestId, baselineId }: BaselineFrame): boolean {
  return Object.values(parts).some((part) => part.requestId === requestId && part.baselineId === baselineId);
}
