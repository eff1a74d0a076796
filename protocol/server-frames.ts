import { WireError } from "./errors.ts";
import { checkedEvents } from "./event-frames.ts";
import type { RosterFrame, ServerFrame, UnknownFrame, WelcomeFrame } from "./frame-types.ts";
import { ServerFrame as Layout, type ServerFrame_roster } from "./generated/frames.ts";
import * as LIMITS from "./limits.ts";
import { readMessage } from "./message.ts";
import { writeMessage } from "./message-writer.ts";
import { pack, unpack } from "./packing.ts";
import { baselineOf, baselineRecord, checkedPart, receiptsOf, receiptsRecord } from "./receipt-frames.ts";
import { checkedResend, sessionOf, sessionRecord } from "./session-frames.ts";
import { snapshotOf } from "./snapshot-frames.ts";
import { snapshotRecord } from "./snapshot-writer.ts";

/** Kinds of seats by their number on the wire. */
const SEAT_KIND = ["player", "bot"] as const;

/** A server's frame, packed. A room writes its snapshots with `SnapshotWriter`. */
export function encodeServerFrame(frame: Exclude<ServerFrame, UnknownFrame>): Uint8Array<ArrayBuffer> {
  return pack(unpackedFrame(frame));
}

function unpackedFrame(frame: Exclude<ServerFrame, UnknownFrame>): Uint8Array<ArrayBuffer> {
  switch (frame.type) {
    case "welcome":
      requireOpen(frame.openSessions.length, unwritable);
      return writeMessage(Layout, frame);
    case "snapshot":
      return writeMessage(Layout, snapshotRecord(frame), frame.shared.length + 256);
    case "roster":
      requireSeats(frame.seats.length, unwritable);
      return writeMessage(Layout, {
        type: "roster",
        seats: frame.seats.map((seat) => ({ ...seat, kind: SEAT_KIND.indexOf(seat.kind) })),
      });
    case "receipts":
      return checkedPart(writeMessage(Layout, receiptsRecord(frame)));
    case "baseline":
      return checkedPart(writeMessage(Layout, baselineRecord(frame)));
    case "session":
      return writeMessage(Layout, sessionRecord(frame));
    case "events":
      return checkedPart(writeMessage(Layout, frame));
    case "resend":
    case "notice":
      return writeMessage(Layout, frame);
  }
}

/** Reads a server's frame or throws a WireError. Kinds that a newer server may send come out as `unknown`. */
export function decodeServerFrame(bytes: Uint8Array): ServerFrame {
  const maxBytes = LIMITS.frameBytesOut;
  const message = unpack(bytes, maxBytes);
  const frame = readMessage(message, Layout, maxBytes);
  switch (frame.type) {
    case "welcome":
      return checkedWelcome(frame);
    case "snapshot":
      return snapshotOf(frame);
    case "roster":
      return rosterOf(frame);
    case "receipts":
      return receiptsOf(frame, message.length);
    case "baseline":
      return baselineOf(frame, message.length);
    case "session":
      return sessionOf(frame);
    case "resend":
      return checkedResend(frame);
    case "events":
      return checkedEvents(frame, message.length);
    case "notice":
    case "unknown":
      return frame;
    case "none":
      return { type: "unknown", which: 0 };
  }
}

function checkedWelcome(frame: WelcomeFrame): WelcomeFrame {
  if (frame.seat === 0 || frame.incarnation === 0 || frame.tickRate === 0 || frame.windowTicks === 0) {
    throw new WireError("bad-value", "a welcome without seat, incarnation or tick rate");
  }
  requireOpen(frame.openSessions.length, unreadable);
  for (const { session } of frame.openSessions) {
    if (session === 0 || session >= frame.inputSession) {
      throw new WireError("bad-value", `${session} as an older input session`);
    }
  }
  return frame;
}

function rosterOf({ type, seats }: ServerFrame_roster): RosterFrame {
  requireSeats(seats.length, unreadable);
  // A kind that a newer server adds is shown as a player: better than no roster at all.
  return { type, seats: seats.map((seat) => ({ ...seat, kind: SEAT_KIND[seat.kind] ?? "player" })) };
}

const unreadable = (detail: string) => new WireError("too-large", detail);
const unwritable = (detail: string) => new RangeError(detail);

function requireOpen(count: number, fault: (detail: string) => Error): void {
  if (count >= LIMITS.sessionsPerSeat) throw fault(`${count} older input sessions in a welcome`);
}

function requireSeats(count: number, fault: (detail: string) => Error): void {
  if (count > LIMITS.seats) throw fault(`${count} seats in a roster`);
}
