import { LIMITS } from "../../../protocol/index.ts";
import type { PendingAction } from "./pending-action.ts";
import type { ReceiptBook } from "./receipt-book.ts";

/** How many more actions a seat may have, counted down while a command's ones are looked at [A7]. */
export class ActionRoom {
  #ofSeat = 0;
  #ofRoom: number;
  #rows: number;

  /** @param screened calls of other seats that may yet be admitted in this tick */
  constructor(seat: number, receipts: ReceiptBook, pending: Iterable<PendingAction>, screened: number) {
    this.#ofRoom = screened;
    for (const { stored } of pending) {
      this.#ofRoom++;
      if (stored.seat === seat) this.#ofSeat++;
    }
    // Room for the final receipt of what was admitted is never given away.
    this.#rows = receipts.rowsOf(seat) + this.#ofSeat;
  }

  /** Takes room for an admission and its final receipt. @returns why there is none, if so */
  take(): "receipts-full" | "pending-full" | undefined {
    if (this.#rows + 2 > LIMITS.receiptsRetained.value) return "receipts-full";
    if (this.#ofSeat >= LIMITS.pendingActions.value) return "pending-full";
    if (this.#ofRoom >= LIMITS.pendingActionsPerRoom.value) return "pending-full";
    this.#rows += 2;
    this.#ofSeat++;
    this.#ofRoom++;
    return undefined;
  }
}
