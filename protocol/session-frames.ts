import { WireError } from "./errors.ts";
import { type ResendFrame, SESSION_REASON, type SessionFrame } from "./frame-types.ts";
import type { ServerFrame_session } from "./generated/frames.ts";
import * as LIMITS from "./limits.ts";

/** Phases by their number on the wire. */
const PHASE = ["closing", "closed"] as const;

export function sessionRecord(frame: SessionFrame): ServerFrame_session {
  return { ...frame, phase: PHASE.indexOf(frame.phase), reason: SESSION_REASON.indexOf(frame.reason) };
}

export function sessionOf(record: ServerFrame_session): SessionFrame {
  const { session, opened } = record;
  const phase = PHASE[record.phase];
  if (session === 0) throw new WireError("bad-value", "no input session ends");
  if (!phase) throw new WireError("bad-value", `phase ${record.phase} of a session`);
  if (opened !== 0 && (phase !== "closed" || opened <= session)) {
    throw new WireError("bad-value", `input session ${opened} opened after ${session}`);
  }
  // A reason that a newer server adds changes nothing about what is to be done.
  return { ...record, phase, reason: SESSION_REASON[record.reason] ?? "other" };
}

export function checkedResend(frame: ResendFrame): ResendFrame {
  const { session, from, to } = frame;
  if (session === 0) throw new WireError("bad-value", "a gap in no input session");
  if (from === 0 || from > to || to - from >= LIMITS.creditWindow) {
    throw new WireError("bad-value", `a gap from ${from} to ${to}`);
  }
  return frame;
}
