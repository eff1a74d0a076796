import * as LIMITS from "./limits.ts";

/**
 * What a client does about a closed connection: `retry` connects again with the same seat, `rejoin` gives up its
 * input session and joins anew, `stop` tells the user.
 */
export type CloseAction = "retry" | "rejoin" | "stop";

/** The codes that aren't dealt with as their range says: 44xx refuse for good, all others may pass. */
const EXCEPTIONS: Readonly<Record<number, CloseAction>> = {
  1000: "stop",
  4404: "retry",
  4405: "retry",
  4424: "rejoin",
  4431: "rejoin",
  4432: "retry",
  4433: "rejoin",
  4434: "rejoin",
  4435: "retry",
  4500: "stop",
  4503: "stop",
  4505: "stop",
};

/**
 * What to do about a close code, also one that isn't in the table: the network's own codes (1006 and so on) and
 * unknown 45xx pass, but a newer server's unknown 44xx refusal would be repeated for ever.
 */
export function closeAction(code: number): CloseAction {
  return EXCEPTIONS[code] ?? (code >= 4400 && code < 4500 ? "stop" : "retry");
}

export interface CloseCode {
  readonly code: number;
  readonly action: CloseAction;
  /** What the reason text says; a detail may follow after a colon. */
  readonly reason: string;
}

function close(code: number, reason: string): CloseCode {
  return { code, action: closeAction(code), reason };
}

/** Joining was not allowed: apart from the table, because a page says it itself and needs nothing else of it. */
export const NOT_AUTHORIZED = 4420;

/**
 * Every way in which a room ends a connection: 44xx because of the client, 45xx because of the room. Made by a call, so
 * that a page's bundle can leave the words out.
 */
export const CLOSE = /* @__PURE__ */ closeTable();

function closeTable() {
  return {
    left: close(1000, "the player left"),
    "bad-frame": close(4400, "a frame could not be decoded"),
    "text-frame": close(4401, "frames are binary"),
    "frame-too-large": close(4402, "a frame is too large"),
    "hello-required": close(4403, "the first frame must be a hello, and no other may be"),
    "hello-timeout": close(4404, "no hello arrived in time"),
    silent: close(4405, "nothing was heard for too long"),
    "version-protocol": close(4410, "the page speaks another version of the protocol; reload it"),
    "wrong-game": close(4411, "the room runs another game"),
    "version-game": close(4412, "the page has another version of the game; reload it"),
    "version-schema": close(4413, "the page was built from another game definition; reload it"),
    "not-authorized": close(NOT_AUTHORIZED, "joining was not allowed"),
    "unknown-room": close(4421, "there is no such room"),
    "room-full": close(4422, "the room is full"),
    "seat-taken-over": close(4423, "the seat was taken over by a newer connection"),
    "seat-unknown": close(4424, "the seat has ended"),
    kicked: close(4425, "the player was sent away"),
    "too-many-connections": close(4426, "too many connections from one address"),
    rate: close(4430, "too many frames, bytes or commands"),
    "credit-exceeded": close(4431, "commands were sent beyond the credit"),
    "seq-window": close(4432, "a command's number is out of the active window"),
    "digest-mismatch": close(4433, "a command was repeated with other content"),
    "receipt-cursor": close(4434, "a cursor is beyond its receipt stream"),
    behind: close(4435, "nothing that was sent has been read for too long"),
    "room-fault": close(4500, "the room stopped after repeated faults"),
    "room-restarting": close(4501, "the room is restarting"),
    "server-shutdown": close(4502, "the server is shutting down"),
    "state-refused": close(4503, "the stored room belongs to another version of the game"),
    "storage-failed": close(4504, "the room's storage fails again and again"),
    "room-closed": close(4505, "the room was closed"),
    "room-outdated": close(4506, "the page is newer than the room, which is about to be replaced"),
  } as const satisfies Record<string, CloseCode>;
}

export type CloseName = keyof typeof CLOSE;

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
  while (encoder.encode(text.slice(0, end)).length > LIMITS.reasonBytes) end--;
  // Not between the halves of a surrogate pair: half a character would be sent as three bytes of nonsense.
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? end - 1 : end);
}
