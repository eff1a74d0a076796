import { WireError } from "./errors.ts";
import type {
  OpenSession,
  RosterFrame,
  RosterSeat,
  ServerFrame,
  SnapshotFrame,
  UnknownFrame,
  WelcomeFrame,
} from "./frame-types.ts";
import {
  RosterSeat_SeatKind,
  type ServerFrame_Roster,
  type ServerFrame_Snapshot,
  type ServerFrame_Welcome,
  ServerFrame as ServerRoot,
} from "./generated/frames.ts";
import { LIMITS } from "./limits.ts";
import { createMessage, type PointerShape, type RootShape, readList, readMessage } from "./message.ts";
import {
  decodeBaseline,
  decodeReceipts,
  encodeBaseline,
  encodeReceipts,
  RECEIPT_SHAPE,
} from "./receipt-frames.ts";
import { decodeResend, decodeSession, encodeResend, encodeSession } from "./session-frames.ts";
import { writeSnapshot } from "./snapshot-writer.ts";

const SEAT_SHAPE: PointerShape = { dataWords: 1, pointers: ["text"] };
const OPEN_SHAPE: PointerShape = { dataWords: 1, pointers: [] };
const SHAPE: RootShape = {
  tagOffset: 32,
  members: [["text", OPEN_SHAPE], ["data", "data"], [SEAT_SHAPE], [RECEIPT_SHAPE], [RECEIPT_SHAPE], [], []],
};
/** Segment bytes of a frame without its texts, data and lists. */
const ROOT_BYTES = 96;
const ROSTER_SEAT_BYTES = 16;
const OPEN_SESSION_BYTES = 8;

/** A server's frame, not packed. */
export function encodeServerFrame(frame: Exclude<ServerFrame, UnknownFrame>): Uint8Array<ArrayBuffer> {
  switch (frame.type) {
    case "welcome":
      return encodeWelcome(frame);
    case "snapshot":
      return writeSnapshot(frame);
    case "roster":
      return encodeRoster(frame);
    case "receipts":
      return encodeReceipts(frame);
    case "baseline":
      return encodeBaseline(frame);
    case "session":
      return encodeSession(frame);
    case "resend":
      return encodeResend(frame);
  }
}

function encodeWelcome(frame: WelcomeFrame): Uint8Array<ArrayBuffer> {
  if (frame.openSessions.length >= LIMITS.sessionsPerSeat.value) {
    throw new RangeError(`${frame.openSessions.length} older input sessions in a welcome`);
  }
  const openBytes = 8 + frame.openSessions.length * OPEN_SESSION_BYTES;
  const message = createMessage(ROOT_BYTES + frame.roomName.length * 4 + openBytes);
  const welcome = message.initRoot(ServerRoot)._initWelcome();
  welcome.protocol = frame.protocol;
  welcome.seat = frame.seat;
  welcome.incarnation = frame.incarnation;
  welcome.tick = frame.tick;
  welcome.tickRate = frame.tickRate;
  welcome.windowTicks = frame.windowTicks;
  welcome.inputSession = frame.inputSession;
  welcome.consumed = frame.consumed;
  welcome.durable = frame.durable;
  welcome.credit = frame.credit;
  welcome.roomName = frame.roomName;
  welcome.receiptHead = frame.receiptHead;
  const open = welcome._initOpenSessions(frame.openSessions.length);
  for (const [i, { session, head }] of frame.openSessions.entries())
    Object.assign(open.get(i), { session, head });
  return new Uint8Array(message.toArrayBuffer());
}

function encodeRoster(frame: RosterFrame): Uint8Array<ArrayBuffer> {
  if (frame.seats.length > LIMITS.seats.value)
    throw new RangeError(`${frame.seats.length} seats in a roster`);
  let size = ROOT_BYTES;
  for (const { name } of frame.seats) size += ROSTER_SEAT_BYTES + 16 + name.length * 4;
  const message = createMessage(size);
  const seats = message.initRoot(ServerRoot)._initRoster()._initSeats(frame.seats.length);
  for (const [i, entry] of frame.seats.entries()) {
    const seat = seats.get(i);
    seat.seat = entry.seat;
    seat.kind = entry.kind === "bot" ? RosterSeat_SeatKind.BOT : RosterSeat_SeatKind.PLAYER;
    seat.connected = entry.connected;
    seat.name = entry.name;
  }
  return new Uint8Array(message.toArrayBuffer());
}

/** Reads a server's frame or throws a WireError. Kinds that a newer server may send come out as `unknown`. */
export function decodeServerFrame(bytes: Uint8Array): ServerFrame {
  const maxBytes = LIMITS.frameBytesOut.value;
  return readMessage(bytes, { maxBytes, Root: ServerRoot, shape: SHAPE }, (root) =>
    decodeRoot(root, bytes.length),
  );
}

function decodeRoot(root: ServerRoot, frameBytes: number): ServerFrame {
  switch (root.which()) {
    case ServerRoot.WELCOME:
      return decodeWelcome(root.welcome);
    case ServerRoot.SNAPSHOT:
      return decodeSnapshot(root.snapshot);
    case ServerRoot.ROSTER:
      return decodeRoster(root.roster);
    case ServerRoot.RECEIPTS:
      return decodeReceipts(root.receipts, frameBytes);
    case ServerRoot.BASELINE:
      return decodeBaseline(root.baseline, frameBytes);
    case ServerRoot.SESSION:
      return decodeSession(root.session);
    case ServerRoot.RESEND:
      return decodeResend(root.resend);
    default:
      return { type: "unknown", which: root.which() };
  }
}

function decodeWelcome(welcome: ServerFrame_Welcome): WelcomeFrame {
  const frame: WelcomeFrame = {
    type: "welcome",
    protocol: welcome.protocol,
    seat: welcome.seat,
    incarnation: welcome.incarnation,
    tick: welcome.tick,
    tickRate: welcome.tickRate,
    windowTicks: welcome.windowTicks,
    inputSession: welcome.inputSession,
    consumed: welcome.consumed,
    durable: welcome.durable,
    credit: welcome.credit,
    roomName: welcome.roomName,
    receiptHead: welcome.receiptHead,
    openSessions: decodeOpenSessions(welcome),
  };
  if (frame.seat === 0 || frame.incarnation === 0 || frame.tickRate === 0 || frame.windowTicks === 0) {
    throw new WireError("bad-value", "a welcome without seat, incarnation or tick rate");
  }
  return frame;
}

function decodeOpenSessions(welcome: ServerFrame_Welcome): OpenSession[] {
  const list = welcome.openSessions;
  if (list.length >= LIMITS.sessionsPerSeat.value) {
    throw new WireError("too-large", `${list.length} older input sessions in a welcome`);
  }
  return readList(list, ({ session, head }) => {
    if (session === 0 || session >= welcome.inputSession) {
      throw new WireError("bad-value", `${session} as an older input session`);
    }
    return { session, head };
  });
}

function decodeSnapshot(snapshot: ServerFrame_Snapshot): SnapshotFrame {
  const frame: SnapshotFrame = {
    type: "snapshot",
    tick: snapshot.tick,
    baseTick: snapshot.baseTick,
    requestId: snapshot.requestId,
    incarnation: snapshot.incarnation,
    inputSession: snapshot.inputSession,
    consumed: snapshot.consumed,
    durable: snapshot.durable,
    credit: snapshot.credit,
    bufferDepth: snapshot.bufferDepth,
    missed: snapshot.missed,
    slippedTicks: snapshot.slippedTicks,
    echoMs: snapshot.echoMs,
    heldMs: snapshot.heldMs,
    seatRandom: snapshot.seatRandom,
    receiptHead: snapshot.receiptHead,
    shared: snapshot.shared.toUint8Array(),
    own: snapshot.own.toUint8Array(),
  };
  if (frame.incarnation === 0) throw new WireError("bad-value", "a snapshot of no incarnation");
  if (frame.baseTick > frame.tick) throw new WireError("bad-value", "a snapshot older than its base");
  return frame;
}

function decodeRoster(roster: ServerFrame_Roster): RosterFrame {
  const list = roster.seats;
  if (list.length > LIMITS.seats.value) throw new WireError("too-large", `${list.length} seats in a roster`);
  const seats = readList(list, ({ seat, name, kind, connected }): RosterSeat => {
    // A kind that a newer server adds is shown as a player: better than no roster at all.
    return { seat, name, kind: kind === RosterSeat_SeatKind.BOT ? "bot" : "player", connected };
  });
  return { type: "roster", seats };
}
