import { type LedgerEnd, LIMITS } from "../../protocol/index.ts";
import type { GameShape } from "../../sim/index.ts";
import type { ActionPart } from "./action-part.ts";
import type { SeatRecord } from "./seat-record.ts";
import type { SeatTable } from "./seat-table.ts";

interface BarrierParts<S extends GameShape> {
  readonly seats: SeatTable<S>;
  readonly actions: ActionPart<S>;
}

/**
 * The closing barrier, after a window's last tick [S5]: an input session that is closing ends once its buffered
 * commands are executed and its actions are settled, or have had their time. The next one opens at once.
 */
export function closeDrained<S extends GameShape>(parts: BarrierParts<S>, tick: number): LedgerEnd[] {
  const { seats, actions } = parts;
  const ended: LedgerEnd[] = [];
  for (const record of seats.all()) {
    forgetOld(parts, record, tick);
    const { input, state } = record;
    const { life, id: session } = input;
    if (life.at !== "closing" || state.at === "leaving" || !input.drained) continue;
    if (actions.hasPending(session) && tick < life.sinceTick + seats.rules.barrierTicks) continue;
    // Its receipts would have nowhere to be listed: the player has to confirm some first.
    if (record.older.length >= LIMITS.sessionsPerSeat - 1) continue;
    const { consumed: finalConsumed } = input.stored();
    const { reason } = life;
    const { id: opened } = seats.replaceSession(record, {
      id: session,
      reason,
      sinceTick: tick,
      consumed: finalConsumed,
    });
    actions.openStream(opened, record.id);
    ended.push({ seat: record.id, session, reason, finalConsumed, opened, tick });
  }
  return ended;
}

/** Lets go of closed sessions that nobody needs: all confirmed, and kept for long enough or in the way [A7]. */
export function forgetOld<S extends GameShape>(
  { seats, actions }: BarrierParts<S>,
  record: SeatRecord<S>,
  tick: number,
): void {
  const { retentionTicks } = seats.rules;
  const full = record.older.length >= LIMITS.sessionsPerSeat - 1;
  const kept = record.older.filter(({ id, sinceTick }) => {
    const { receiptHead, confirmed } = actions.streamOf(id);
    if (confirmed < receiptHead || actions.hasPending(id)) return true;
    return !full && tick < sinceTick + retentionTicks;
  });
  if (kept.length === record.older.length) return;
  for (const session of record.older) if (!kept.includes(session)) actions.forgetStream(session.id);
  record.older = kept;
}
