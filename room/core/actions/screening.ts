import { LIMITS } from "../../../protocol/index.ts";
import type { ActionCall, GameShape } from "../../../sim/index.ts";
import type { CarriedCalls } from "../action-part.ts";
import type { PendingAction } from "./pending-action.ts";
import type { ReceiptBook } from "./receipt-book.ts";

/** How many more actions a seat may have, counted down while a command's ones are looked at [A7]. */
class ActionRoom {
  #ofSeat = 0;
  #ofRoom: number;
  #rows: number;

  /** @param others debts, and calls of other seats that may yet be admitted in this tick: they take room as well */
  constructor(seat: number, receipts: ReceiptBook, pending: Iterable<PendingAction>, others: number) {
    this.#ofRoom = others;
    for (const { stored } of pending) {
      this.#ofRoom++;
      if (stored.seat === seat) this.#ofSeat++;
    }
    // Room for the final receipt of what was admitted is never given away.
    this.#rows = receipts.rowsOf(seat) + this.#ofSeat;
  }

  /** Takes room for an admission and its final receipt. @returns why there is none, if so */
  take(): "receipts-full" | "pending-full" | undefined {
    if (this.#rows + 2 > LIMITS.receiptsRetained) return "receipts-full";
    if (this.#ofSeat >= LIMITS.pendingActions) return "pending-full";
    if (this.#ofRoom >= LIMITS.pendingActionsPerRoom) return "pending-full";
    this.#rows += 2;
    this.#ofSeat++;
    this.#ofRoom++;
    return undefined;
  }
}

/** In a replay: why the room itself rejected a call, undefined when the game was asked. */
export type RecordedScreening = (session: number, call: ActionCall) => string | undefined;

/** Rejects what the game needn't be asked about. */
export class Screening {
  /** Calls of the tick that the game is still to be asked about. */
  #asked = 0;
  #recorded: RecordedScreening | undefined;

  /** From here on calls are screened as the records say: how full a store was depends on what clients had confirmed. */
  follow(recorded: RecordedScreening): void {
    this.#recorded = recorded;
  }

  beginTick(): void {
    this.#asked = 0;
  }

  /** Of each call, why there is no room for it, if so. */
  reasons<S extends GameShape>(
    { record, session, calls }: CarriedCalls<S>,
    receipts: ReceiptBook,
    pending: Iterable<PendingAction>,
    debts: number,
  ): (string | undefined)[] {
    const recorded = this.#recorded;
    if (recorded) return calls.map((call) => recorded(session, call));
    const room = new ActionRoom(record.id, receipts, pending, this.#asked + debts);
    const reasons = calls.map(() => room.take());
    this.#asked += reasons.filter((reason) => reason === undefined).length;
    return reasons;
  }
}
