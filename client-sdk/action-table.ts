import { isFinal, type Receipt } from "../protocol/index.ts";
import { ActionRecord } from "./action-record.ts";
import type { ActionIdentity } from "./action-types.ts";
import { sameAnswer } from "./same-receipt.ts";

/** Ended actions that are kept, so that a repeated receipt can be told from one with other content. */
const ENDED_KEPT = 256;

export type Merge =
  /** It said something new. */
  | "adopted"
  /** Nothing new: a repeat, or older than what is known. */
  | "known"
  /** It contradicts what is known: the room is in error [A2]. */
  | "conflict";

/** An action as it is stored across reloads. */
export interface SavedAction extends ActionIdentity {
  readonly receipt: Receipt | undefined;
}

export function actionKey({ session, seq, slot }: ActionIdentity): string {
  return `${session}/${seq}/${slot}`;
}

/**
 * Every action of this client by its event identity. It outlives commands, connections and input sessions: a
 * command leaves its queue when it is consumed, and its action may wait for minutes after that [A5] [A8].
 */
export class ActionTable {
  readonly #records = new Map<string, ActionRecord>();

  get(identity: ActionIdentity): ActionRecord | undefined {
    return this.#records.get(actionKey(identity));
  }

  /** A command carries the call from now on. */
  add(identity: ActionIdentity, record: ActionRecord): void {
    record.identify(identity);
    this.#records.set(actionKey(identity), record);
  }

  /** Whether a receipt says something else than what is known under the same or a later revision. */
  conflicts(receipt: Receipt): boolean {
    const known = this.get(receipt)?.receipt;
    if (!known || receipt.revision < known.revision) return false;
    return receipt.revision > known.revision ? isFinal(known) : !sameAnswer(known, receipt);
  }

  /**
   * Takes a receipt in: a higher revision wins, whatever arrived first.
   * @param name of its action
   * @param isNews false for what was taken in before: an action that was forgotten since stays so [A7]
   */
  merge(receipt: Receipt, name: string, isNews: boolean): Merge {
    if (this.conflicts(receipt)) return "conflict";
    let record = this.get(receipt);
    if (record?.receipt && receipt.revision <= record.receipt.revision) return "known";
    if (!record) {
      if (!isNews) return "known";
      record = new ActionRecord(name, receipt.slot);
      this.add({ session: receipt.session, seq: receipt.seq, slot: receipt.slot }, record);
    }
    record.answer(receipt);
    this.#forgetEnded();
    return "adopted";
  }

  /** The actions that are still open, oldest first; of one session if it is given. */
  open(session?: number): ActionRecord[] {
    return [...this.#records.values()].filter(
      ({ ended, identity }) => !ended && (session === undefined || identity?.session === session),
    );
  }

  /** Commands of a session after `consumed` won't be executed; what the room has answered stands. */
  void(session: number, consumed: number): ActionRecord[] {
    return this.#give(
      session,
      "void",
      ({ receipt, identity }) => !receipt && (identity?.seq ?? 0) > consumed,
    );
  }

  /** Nobody will answer for this session any more. */
  lose(session: number): ActionRecord[] {
    return this.#give(session, "unknown", () => true);
  }

  clear(): void {
    this.#records.clear();
  }

  /** Sessions with open actions. */
  sessions(): Set<number> {
    return new Set(this.open().map(({ identity }) => identity?.session ?? 0));
  }

  save(): SavedAction[] {
    return [...this.#records.values()].flatMap(({ identity, receipt, status }) =>
      identity && status !== "void" && status !== "unknown" ? [{ ...identity, receipt }] : [],
    );
  }

  restore(saved: readonly SavedAction[], nameOf: (slot: number) => string): void {
    for (const { session, seq, slot, receipt } of saved) {
      const record = new ActionRecord(nameOf(slot), slot);
      this.add({ session, seq, slot }, record);
      record.sent();
      if (receipt) record.answer(receipt);
    }
  }

  #give(
    session: number,
    status: "void" | "unknown",
    which: (record: ActionRecord) => boolean,
  ): ActionRecord[] {
    const given = this.open(session).filter(which);
    for (const record of given) record.giveUp(status);
    this.#forgetEnded();
    return given;
  }

  #forgetEnded(): void {
    let excess = -ENDED_KEPT;
    for (const { ended } of this.#records.values()) if (ended) excess++;
    for (const [key, { ended }] of this.#records) {
      if (excess <= 0) return;
      if (!ended) continue;
      this.#records.delete(key);
      excess--;
    }
  }
}
