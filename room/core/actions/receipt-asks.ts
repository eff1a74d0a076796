import {
  type BaselineFrame,
  type BaselineRequestFrame,
  baselineFrames,
  type CursorFrame,
  type FetchFrame,
  LIMITS,
  type ReceiptsFrame,
  receiptFrames,
} from "../../../protocol/index.ts";
import { Refusal } from "../refusal.ts";
import type { ReceiptBook } from "./receipt-book.ts";

/** Most ranges that one boundary answers: as many as a seat has streams. */
const MAX_FETCHES = LIMITS.sessionsPerSeat;

/**
 * What a connection wants to know about its seat's receipts, until the next boundary is sent. Asking is cheaper
 * than answering: however often a client asks, it is answered once per boundary.
 */
export class ReceiptAsks {
  #fetches: FetchFrame[] = [];
  #baseline: BaselineRequestFrame | undefined;

  /** @throws Refusal for a cursor beyond what was ever sent: this client has another room's receipts */
  take(frame: CursorFrame | FetchFrame | BaselineRequestFrame, seat: number, receipts: ReceiptBook): void {
    const stream = receipts.streamOf(seat, frame.session);
    // The room no longer lists that session, as the welcome says, or it never was this seat's.
    if (!stream) return;
    switch (frame.type) {
      case "cursor":
        if (!stream.confirm(frame.cursor)) throw beyond(frame.cursor, stream.head);
        break;
      case "fetch":
        if (this.#fetches.length < MAX_FETCHES) this.#fetches.push(frame);
        break;
      case "baseline":
        if (frame.cursor > stream.head) throw beyond(frame.cursor, stream.head);
        this.#baseline = frame;
        break;
      default:
        frame satisfies never;
    }
  }

  /**
   * What the last commit added, and the answers as of it.
   * @param held the answers wait: their asker doesn't read
   */
  *answer(
    seat: number,
    receipts: ReceiptBook,
    { commit, held }: { readonly commit: number; readonly held: boolean },
  ): Iterable<ReceiptsFrame | BaselineFrame> {
    for (const { session, receipts: items } of receipts.fresh(seat)) yield* receiptFrames(session, items);
    if (held) return;
    for (const { session, from, to } of this.#fetches) {
      const items = receipts.streamOf(seat, session)?.range(from, to);
      // An empty answer is one, too: like one that begins later, it says that the range was reclaimed.
      if (items?.length === 0) yield { type: "receipts", session, items };
      else if (items) yield* receiptFrames(session, items);
    }
    if (this.#baseline) yield* baseline(this.#baseline, seat, receipts, commit);
    this.#fetches = [];
    this.#baseline = undefined;
  }
}

/** Everything that a client needs in place of the receipts up to the stream's head [A6]. */
function baseline(
  { session, cursor: requestCursor, requestId }: BaselineRequestFrame,
  seat: number,
  receipts: ReceiptBook,
  baselineId: number,
): readonly BaselineFrame[] {
  const stream = receipts.streamOf(seat, session);
  if (!stream) return [];
  stream.gaveBaseline(baselineId);
  const head = { requestId, session, requestCursor, baselineId, covering: stream.head };
  try {
    return baselineFrames(head, stream.awaitedSince(requestCursor));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // More than a client takes: what was confirmed before is the first that it can do without.
    return baselineFrames(head, stream.awaitedSince(Math.max(requestCursor, stream.confirmed)));
  }
}

function beyond(cursor: number, head: number): Refusal {
  return new Refusal("receipt-cursor", { detail: `cursor ${cursor}, head ${head}` });
}
