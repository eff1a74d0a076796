import { WireError } from "./errors.ts";
import { type ResendFrame, SESSION_REASON, type SessionFrame } from "./frame-types.ts";
import {
  type ServerFrame_Resend,
  type ServerFrame_Session,
  ServerFrame_SessionPhase,
  ServerFrame as ServerRoot,
} from "./generated/frames.ts";
import { LIMITS } from "./limits.ts";
import { createMessage } from "./message.ts";

const ROOT_BYTES = 96;

export function encodeSession(frame: SessionFrame): Uint8Array<ArrayBuffer> {
  const message = createMessage(ROOT_BYTES);
  const session = message.initRoot(ServerRoot)._initSession();
  const { CLOSING, CLOSED } = ServerFrame_SessionPhase;
  session.phase = frame.phase === "closed" ? CLOSED : CLOSING;
  session.reason = SESSION_REASON.indexOf(frame.reason) as typeof session.reason;
  session.session = frame.session;
  session.finalConsumed = frame.finalConsumed;
  session.opened = frame.opened;
  return new Uint8Array(message.toArrayBuffer());
}

export function encodeResend(frame: ResendFrame): Uint8Array<ArrayBuffer> {
  const message = createMessage(ROOT_BYTES);
  const resend = message.initRoot(ServerRoot)._initResend();
  resend.session = frame.session;
  resend.from = frame.from;
  resend.to = frame.to;
  return new Uint8Array(message.toArrayBuffer());
}

export function decodeSession(record: ServerFrame_Session): SessionFrame {
  const { phase, session, finalConsumed, opened } = record;
  if (session === 0) throw new WireError("bad-value", "no input session ends");
  if (phase > ServerFrame_SessionPhase.CLOSED)
    throw new WireError("bad-value", `phase ${phase} of a session`);
  const closed = phase === ServerFrame_SessionPhase.CLOSED;
  if (opened !== 0 && (!closed || opened <= session)) {
    throw new WireError("bad-value", `input session ${opened} opened after ${session}`);
  }
  return {
    type: "session",
    phase: closed ? "closed" : "closing",
    session,
    // A reason that a newer server adds changes nothing about what is to be done.
    reason: SESSION_REASON[record.reason] ?? "other",
    finalConsumed,
    opened,
  };
}

export function decodeResend({ session, from, to }: ServerFrame_Resend): ResendFrame {
  if (session === 0) throw new WireError("bad-value", "a gap in no input session");
  if (from === 0 || from > to || to - from >= LIMITS.creditWindow.value) {
    throw new WireError("bad-value", `a gap from ${from} to ${to}`);
  }
  return { type: "resend", session, from, to };
}
