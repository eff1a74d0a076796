import type { SessionFrame, SessionReason } from "../protocol/index.ts";
import type { GameShape } from "../sim/index.ts";
import type { ActionDesk } from "./action-desk.ts";
import type { Events } from "./events.ts";
import type { Pilot } from "./pilot.ts";
import type { Ended, Session } from "./session.ts";

/** How long the room's word about a session that has ended may be on its way. */
const LAST_WORD_MS = 2000;

export interface SessionChangeParts<S extends GameShape> {
  readonly session: Session<S>;
  readonly pilot: Pilot<S>;
  readonly desk: ActionDesk<S>;
  readonly events: Events;
  /** Something that a reload needs has changed. */
  readonly onChange: () => void;
}

/** From one input session to the next [S5]: what the old one leaves behind, and that nothing of it moves over. */
export class SessionChange<S extends GameShape> {
  readonly #parts: SessionChangeParts<S>;
  #welcomedMs = 0;

  constructor(parts: SessionChangeParts<S>) {
    this.#parts = parts;
  }

  welcomed(nowMs: number): void {
    this.#welcomedMs = nowMs;
  }

  /** The room speaks about the end of a session. */
  receive({ phase, session, reason, finalConsumed, opened }: SessionFrame): void {
    const isOurs = session === this.#parts.session.id;
    if (phase === "closing") {
      if (isOurs) this.#parts.session.closing();
      return;
    }
    if (isOurs) this.change(opened);
    const ended = this.#parts.session.takeEnded(session);
    if (ended) this.#void(ended, finalConsumed, reason);
  }

  /** Another session, and with it a new prediction epoch; identities, receipts and cursors stay [P7]. */
  change(opened: number): void {
    const { session, pilot, desk, onChange } = this.#parts;
    session.change(opened);
    pilot.sessionChanged();
    desk.begin(opened);
    onChange();
  }

  /**
   * Sessions that ended while we were away, if the room says nothing about them: every action that it consumed has
   * a receipt, so what has none when all receipts are here was never executed. Of commands without one nothing is
   * known, and nothing said.
   */
  settle(nowMs: number): void {
    const { session, desk } = this.#parts;
    if (nowMs - this.#welcomedMs < LAST_WORD_MS) return;
    for (const ended of session.ended) {
      if (!ended.sealed || !desk.isComplete(ended.session)) continue;
      session.takeEnded(ended.session);
      this.#void(ended, ended.nextSeq - 1, "other", 0);
    }
  }

  /** Tells the page of commands after a number, and of actions, that are never executed. */
  #void(ended: Ended, consumed: number, reason: SessionReason, actionsAfter = consumed): void {
    const { session, nextSeq } = ended;
    const { desk, events } = this.#parts;
    const actions = desk.void(session, actionsAfter);
    const [from, to] = [consumed + 1, nextSeq - 1];
    if (from <= to || actions.length > 0) events.emit("void", { session, from, to, reason, actions });
  }
}
