import { WireError } from "./errors.ts";
import { SESSION_REASON } from "./frame-types.ts";
import {
  type StoredAction as ActionRecord,
  type StoredSeat as SeatRecord,
  type StoredSession as SessionRecord,
  StateRow as StateRoot,
} from "./generated/storage.ts";
import type { GameIdentity } from "./handshake.ts";
import { LIMITS } from "./limits.ts";
import { createMessage, nameOf, type PointerShape, type RootShape, readList } from "./message.ts";
import { pendingFault, seatFault } from "./storage-checks.ts";
import {
  SESSION_STATE,
  type StoredAction,
  type StoredRoom,
  type StoredSeat,
  type StoredSession,
} from "./storage-types.ts";
import {
  checkedRow,
  fromNumbers,
  readRow,
  requireReadable,
  requireWritable,
  textBytes,
  toNumbers,
} from "./stored-row.ts";

const SESSION: PointerShape = { dataWords: 4, pointers: [] };
const SEAT: PointerShape = {
  dataWords: 3,
  pointers: ["text", "text", "data", "data", "data", "data", SESSION],
};
const ACTION: PointerShape = { dataWords: 3, pointers: ["data", "text", "text"] };
const SHAPE: RootShape = { members: [["text", "text", "data", SEAT, ACTION]] };

const STATE_BYTES = 128;
const SEAT_BYTES = 24 + 7 * 8 + 8;
const SESSION_BYTES = 32;
const ACTION_BYTES = 48;
const MAX_U32 = 0xffffffff;
const maxBytes = LIMITS.storedStateBytes.value;

export function encodeRoom(room: StoredRoom): Uint8Array<ArrayBuffer> {
  requireWritable(pendingFault(room.pending));
  let size = STATE_BYTES + textBytes(room.game) + textBytes(room.options) + room.world.length;
  for (const seat of room.seats) size += storedSeatBytes(seat);
  for (const { params, capture, answer } of room.pending) {
    size += ACTION_BYTES + params.length + 8 + textBytes(capture) + textBytes(answer);
  }
  const message = createMessage(size);
  const root = message.initRoot(StateRoot);
  root.formatVersion = room.formatVersion;
  root.gameVersion = room.gameVersion;
  root.fingerprint = room.fingerprint;
  root.hash = room.hash;
  root.commit = room.commit;
  root.tick = room.tick;
  root.incarnation = room.incarnation;
  root.nextInputSession = room.nextInputSession;
  root.slippedTicks = room.slippedTicks;
  root.nextSeat = room.nextSeat;
  root.game = room.game;
  root.options = room.options;
  root._initWorld(room.world.length).copyBuffer(room.world);
  const seats = root._initSeats(room.seats.length);
  for (const [i, seat] of room.seats.entries()) encodeSeat(seat, seats.get(i));
  const pending = root._initPending(room.pending.length);
  for (const [i, action] of room.pending.entries()) encodeAction(action, pending.get(i));
  return checkedRow(message.toArrayBuffer(), maxBytes);
}

function storedSeatBytes(seat: StoredSeat): number {
  const data = seat.secretHash.length + seat.held.length + seat.digests.length * 5 + 4 * 8;
  const sessions = seat.sessions.length * SESSION_BYTES;
  return SEAT_BYTES + textBytes(seat.name) + textBytes(seat.bot) + data + sessions;
}

function encodeSeat(seat: StoredSeat, record: SeatRecord): void {
  requireWritable(seatFault(seat));
  record.seat = seat.seat;
  record.isBot = seat.kind === "bot";
  record.connected = seat.connected;
  record.entity = seat.entity;
  record.missedInARow = Math.min(seat.missedInARow, MAX_U32);
  record.missed = Math.min(seat.missed, MAX_U32);
  record.droppedAtTick = seat.droppedAtTick;
  record.name = seat.name;
  // A text that is left null reads as "", and a null pointer costs nothing.
  if (seat.bot !== "") record.bot = seat.bot;
  record._initSecretHash(seat.secretHash.length).copyBuffer(seat.secretHash);
  record._initHeld(seat.held.length).copyBuffer(seat.held);
  record._initDigests(seat.digests.length * 4).copyBuffer(fromNumbers(seat.digests));
  record._initDispositions(seat.dispositions.length).copyBuffer(seat.dispositions);
  const sessions = record._initSessions(seat.sessions.length);
  for (const [i, session] of seat.sessions.entries()) encodeSession(session, sessions.get(i));
}

function encodeSession(session: StoredSession, record: SessionRecord): void {
  const { state, reason, ...numbers } = session;
  Object.assign(record, numbers);
  record.state = SESSION_STATE.indexOf(state) as typeof record.state;
  record.reason = SESSION_REASON.indexOf(reason) as typeof record.reason;
}

function encodeAction(action: StoredAction, record: ActionRecord): void {
  record.session = action.session;
  record.seq = action.seq;
  record.admittedTick = action.admittedTick;
  record.deadlineTick = action.deadlineTick;
  record.seat = action.seat;
  record.slot = action.slot;
  record.revision = action.revision;
  record._initParams(action.params.length).copyBuffer(action.params);
  record.capture = action.capture;
  if (action.answer !== "") record.answer = action.answer;
}

/**
 * Reads a room's state row for the game that is about to run it, or throws a WireError: `stored-version` for another
 * format, `stored-game` for another game, version or definition. Nothing of such a row is interpreted.
 */
export function decodeRoom(bytes: Uint8Array, game: GameIdentity): StoredRoom {
  return readRow(bytes, { Root: StateRoot, shape: SHAPE, maxBytes }, (row) => {
    requireGame(game, row);
    return decodeState(row);
  });
}

function requireGame(game: GameIdentity, stored: StateRoot): void {
  if (stored.game !== game.name) {
    throw new WireError("stored-game", `"${stored.game}", but the room runs "${game.name}"`);
  }
  if (stored.gameVersion !== game.version) {
    throw new WireError("stored-game", `version ${stored.gameVersion}, but the room runs ${game.version}`);
  }
  if (stored.fingerprint !== game.schema.fingerprint) {
    throw new WireError("stored-game", "another definition of the same version: raise the game's version");
  }
}

function decodeState(root: StateRoot): StoredRoom {
  const records = root.seats;
  if (records.length > LIMITS.seats.value) throw new WireError("too-large", `${records.length} stored seats`);
  const seats = readList(records, decodeSeat);
  const pending = readList(root.pending, decodeAction);
  requireReadable(pendingFault(pending));
  return {
    formatVersion: root.formatVersion,
    game: root.game,
    gameVersion: root.gameVersion,
    fingerprint: root.fingerprint,
    commit: root.commit,
    tick: root.tick,
    incarnation: root.incarnation,
    nextSeat: root.nextSeat,
    nextInputSession: root.nextInputSession,
    slippedTicks: root.slippedTicks,
    options: root.options,
    world: root.world.toUint8Array().slice(),
    hash: root.hash,
    seats,
    pending,
  };
}

function decodeSeat(record: SeatRecord): StoredSeat {
  const seat: StoredSeat = {
    seat: record.seat,
    name: record.name,
    kind: record.isBot ? "bot" : "player",
    bot: record.bot,
    secretHash: record.secretHash.toUint8Array().slice(),
    sessions: readList(record.sessions, decodeSession),
    entity: record.entity,
    held: record.held.toUint8Array().slice(),
    missedInARow: record.missedInARow,
    missed: record.missed,
    connected: record.connected,
    droppedAtTick: record.droppedAtTick,
    digests: Uint32Array.from(toNumbers(record.digests.toUint8Array())),
    dispositions: record.dispositions.toUint8Array().slice(),
  };
  requireReadable(seatFault(seat));
  return seat;
}

function decodeSession(record: SessionRecord): StoredSession {
  return {
    inputSession: record.inputSession,
    state: nameOf(SESSION_STATE, record.state),
    reason: nameOf(SESSION_REASON, record.reason),
    sinceTick: record.sinceTick,
    consumed: record.consumed,
    receiptHead: record.receiptHead,
    confirmed: record.confirmed,
    reclaimed: record.reclaimed,
    baselineId: record.baselineId,
  };
}

function decodeAction(record: ActionRecord): StoredAction {
  return {
    session: record.session,
    seq: record.seq,
    slot: record.slot,
    seat: record.seat,
    revision: record.revision,
    admittedTick: record.admittedTick,
    deadlineTick: record.deadlineTick,
    params: record.params.toUint8Array().slice(),
    capture: record.capture,
    answer: record.answer,
  };
}
