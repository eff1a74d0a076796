import { LIMITS } from "../protocol/index.ts";
import type { ReceiptStream } from "./receipt-stream.ts";

/** A hole that the next frames fill needn't be asked for: the head travels with snapshots, receipts beside them. */
const PATIENCE_MS = 200;
const ASK_AGAIN_MS = 1000;
/** Unanswered fetches after which the room is taken not to have these receipts any more [A7]. */
const FETCHES = 2;

/** When and how to ask for what one stream lacks. */
export class ReceiptRequests {
  readonly #stream: ReceiptStream;
  #cursor = -1;
  #sinceMs = 0;
  #askedMs = Number.NEGATIVE_INFINITY;
  #fetches = 0;
  /** Nothing of it is on its way: a new connection begins without. */
  #urgent = false;

  constructor(stream: ReceiptStream) {
    this.#stream = stream;
  }

  reconnected(): void {
    this.#urgent = true;
    this.#askedMs = Number.NEGATIVE_INFINITY;
    this.#fetches = 0;
  }

  /** What to ask for now, if anything. */
  due(nowMs: number): { readonly from: number; readonly to: number } | "baseline" | undefined {
    const { cursor, hole } = this.#stream;
    if (cursor !== this.#cursor) {
      this.#cursor = cursor;
      this.#sinceMs = nowMs;
      this.#fetches = 0;
    }
    if (!hole) {
      this.#sinceMs = nowMs;
      this.#urgent = false;
      return undefined;
    }
    if (!this.#urgent && nowMs - this.#sinceMs < PATIENCE_MS) return undefined;
    if (nowMs - this.#askedMs < ASK_AGAIN_MS) return undefined;
    this.#askedMs = nowMs;
    // A client that knows nothing of the stream would fetch it from its beginning, which may be long gone.
    const unknown = this.#urgent && cursor === 0;
    this.#urgent = false;
    const size = hole.to - hole.from + 1;
    if (unknown || size > LIMITS.fetchRange || this.#fetches >= FETCHES) return "baseline";
    this.#fetches++;
    return hole;
  }
}
