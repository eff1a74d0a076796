import { LIMITS } from "./limits.ts";

/**
 * What a client does about a closed connection: `retry` connects again with the same seat, `rejoin` gives up its
 * input session and joins anew, `stop` tells the user.
 */
export type CloseAction = "retry" | "rejoin" | "stop";

export interface CloseCode {
  readonly code: number;
  /** What the reason text says; a detail may follow after a colon. */
  readonly reason: string;
  readonly action: CloseAction;
}

function code(code: number, action: CloseAction, reason: string): CloseCode {
  return { code, reason, action };
}

/** Every way in which a room ends a connection: 44xx because of the client, 45xx because of the room. */
export const CLOSE = {
  left: code(1000, "stop", "the player left"),
  "bad-frame": code(4400, "stop", "a frame could not be decoded"),
  "text-frame": code(4401, "stop", "frames are binary"),
  "frame-too-large": code(4402, "stop", "a frame is too large"),
  "hello-required": code(4403, "stop", "the first frame must be a hello, and no other may be"),
  "hello-timeout": code(4404, "retry", "no hello arrived in time"),
  "version-protocol": code(4410, "stop", "the page speaks another version of the protocol; reload it"),
  "wrong-game": code(4411, "stop", "the room runs another game"),
  "version-game": code(4412, "stop", "the page has another version of the game; reload it"),
  "version-schema": code(4413, "stop", "the page was built from another game definition; reload it"),
  "not-authorized": code(4420, "stop", "joining was not allowed"),
  "unknown-room": code(4421, "stop", "there is no such room"),
  "room-full": code(4422, "stop", "the room is full"),
  "seat-taken-over": code(4423, "stop", "the seat was taken over by a newer connection"),
  "seat-unknown": code(4424, "rejoin", "the seat has ended"),
  rate: code(4430, "stop", "too many frames"),
  "credit-exceeded": code(4431, "rejoin", "commands were sent beyond the credit"),
  "seq-window": code(4432, "retry", "a command's number is out of the active window"),
  "digest-mismatch": code(4433, "rejoin", "a command was repeated with other content"),
  "receipt-cursor": code(4434, "rejoin", "a cursor is beyond its receipt stream"),
  "room-fault": code(4500, "stop", "the room stopped after repeated faults"),
  "room-restarting": code(4501, "retry", "the room is restarting"),
  "server-shutdown": code(4502, "retry", "the server is shutting down"),
  "state-refused": code(4503, "stop", "the stored room belongs to another version of the game"),
} as const satisfies Record<string, CloseCode>;

export type CloseName = keyof typeof CLOSE;

/**
 * What to do about a close code, also one that isn't in the table: the network's own codes (1006 and so on) and
 * unknown 45xx pass, but a newer server's unknown 44xx refusal would be repeated for ever.
 */
export function closeAction(code: number): CloseAction {
  for (const entry of Object.values(CLOSE)) if (entry.code === code) return entry.action;
  return code >= 4400 && code < 4500 ? "stop" : "retry";
}

/** The table's name of a close code, if it has one. */
export function closeName(code: number): CloseName | undefined {
  for (const [name, entry] of Object.entries(CLOSE)) if (entry.code === code) return name as CloseName;
  return undefined;
}

/** Reason text of a close, with a detail, cut to what a close frame can hold (a longer one throws in `close`). */
export function closeReason(name: CloseName, detail = ""): string {
  const text = detail === "" ? CLOSE[name].reason : `${CLOSE[name].reason}: ${detail}`;
  const encoder = new TextEncoder();
  let end = text.length;
  while (encoder.encode(text.slice(0, end)).length > LIMITS.reasonBytes.value) end--;
  // Not between the halves of a surrogate pair: half a character would be sent as three bytes of nonsense.
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? end - 1 : end);
}
