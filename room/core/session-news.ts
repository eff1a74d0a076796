import type { LedgerEnd, ResendFrame, SessionFrame } from "../../protocol/index.ts";
import type { GameShape } from "../../sim/index.ts";
import type { Link } from "./link.ts";
import type { SeatRecord } from "./seat-record.ts";

/**
 * What a connection has to hear about its input session at a boundary: that it closes, that it is closed (then
 * all of it is stored), which commands are missing.
 */
export function sessionNews<S extends GameShape>(
  link: Link<S>,
  seat: SeatRecord<S>,
  { ended, tick }: { readonly ended: readonly LedgerEnd[]; readonly tick: number },
): (SessionFrame | ResendFrame)[] {
  const { input } = seat;
  const news: (SessionFrame | ResendFrame)[] = [];
  const closed = link.state.at === "entering" ? closedBefore(link, seat) : closedNow(seat, ended);
  if (closed) news.push(closed);
  const { life, id: session } = input;
  if (life.at === "closing" && link.toldClosing !== session) {
    link.toldClosing = session;
    const { reason } = life;
    news.push({ type: "session", phase: "closing", session, reason, finalConsumed: 0, opened: 0 });
  }
  const gap = input.takeResend(tick);
  if (gap) news.push({ type: "resend", session, ...gap });
  return news;
}

function closedNow<S extends GameShape>(
  { id }: SeatRecord<S>,
  ended: readonly LedgerEnd[],
): SessionFrame | undefined {
  const end = ended.find(({ seat, opened }) => seat === id && opened !== 0);
  if (!end) return undefined;
  const { session, reason, finalConsumed, opened } = end;
  return { type: "session", phase: "closed", session, reason, finalConsumed, opened };
}

/** The end of the session that a client came back with, which it can't have heard of. */
function closedBefore<S extends GameShape>(
  { helloSession }: Link<S>,
  { input, older }: SeatRecord<S>,
): SessionFrame | undefined {
  const closed = older.find(({ id }) => id === helloSession);
  if (!closed) return undefined;
  const { id: session, reason, consumed: finalConsumed } = closed;
  return { type: "session", phase: "closed", session, reason, finalConsumed, opened: input.id };
}
