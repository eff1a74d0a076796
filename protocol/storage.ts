import { WireError } from "./errors.ts";
import {
  LedgerRow as LedgerRoot,
  type StoredSeat as SeatRecord,
  StateRow as StateRoot,
} from "./generated/storage.ts";
import type { GameIdentity } from "./handshake.ts";
import { LIMITS } from "./limits.ts";
import { createMessage, type PointerShape, type RootShape, readMessage } from "./message.ts";
import {
  type LedgerEntry,
  type LedgerRow,
  type LedgerSession,
  STORAGE_VERSION,
  type StoredRoom,
  type StoredSeat,
} from "./storage-types.ts";

const SEAT: PointerShape = { dataWords: 4, pointers: ["text", "text", "data", "data", "data", "data"] };
const STATE_SHAPE: RootShape = { members: [["text", "text", "data", SEAT]] };
const ENTRY: PointerShape = { dataWords: 2, pointers: ["data"] };
const SESSION: PointerShape = { dataWords: 1, pointers: [ENTRY, "data"] };
const LEDGER_SHAPE: RootShape = { members: [[SESSION, "data", "data"]] };
/** Another version's row: only its first field means anything. */
const ANY_SHAPE: RootShape = { members: [] };

const STATE_BYTES = 96;
const SEAT_BYTES = 32 + 6 * 8;
const LEDGER_BYTES = 80;
const SESSION_BYTES = 24 + 8;
const ENTRY_BYTES = 24;
const MAX_U32 = 0xffffffff;

export function encodeRoom(room: StoredRoom): Uint8Array<ArrayBuffer> {
  let size = STATE_BYTES + 4 * (room.game.length + room.options.length) + 16 + room.world.length + 16;
  for (const seat of room.seats) size += storedSeatBytes(seat);
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
  return checked(message.toArrayBuffer(), LIMITS.storedStateBytes.value);
}

function storedSeatBytes(seat: StoredSeat): number {
  const texts = 4 * (seat.name.length + seat.bot.length);
  const data = seat.secretHash.length + seat.held.length + seat.digests.length * 5;
  return SEAT_BYTES + texts + data + 6 * 8;
}

function encodeSeat(seat: StoredSeat, record: SeatRecord): void {
  if (
    seat.digests.length > LIMITS.outcomesPerSeat.value ||
    seat.digests.length !== seat.dispositions.length
  ) {
    throw new RangeError(`seat ${seat.seat} has ${seat.digests.length} digests`);
  }
  record.seat = seat.seat;
  record.isBot = seat.kind === "bot";
  record.connected = seat.connected;
  record.inputSession = seat.inputSession;
  record.consumed = seat.consumed;
  record.entity = seat.entity;
  record.missedInARow = Math.min(seat.missedInARow, MAX_U32);
  record.missed = Math.min(seat.missed, MAX_U32);
  record.droppedAtTick = seat.droppedAtTick;
  record.name = seat.name;
  // A text that is left null reads as "", and a null pointer costs nothing.
  if (seat.bot !== "") record.bot = seat.bot;
  record._initSecretHash(seat.secretHash.length).copyBuffer(seat.secretHash);
  record._initHeld(seat.held.length).copyBuffer(seat.held);
  record._initDigests(seat.digests.length * 4).copyBuffer(fromNumbers(seat.digests, 4));
  record._initDispositions(seat.dispositions.length).copyBuffer(seat.dispositions);
}

/**
 * Reads a room's state row for the game that is about to run it, or throws a WireError: `stored-version` for another
 * format, `stored-game` for another game, version or definition. Nothing of such a row is interpreted.
 */
export function decodeRoom(bytes: Uint8Array, game: GameIdentity): StoredRoom {
  const options = { maxBytes: LIMITS.storedStateBytes.value, Root: StateRoot };
  readMessage(bytes, { ...options, shape: ANY_SHAPE }, (row) => requireFormat(row.formatVersion));
  return readMessage(bytes, { ...options, shape: STATE_SHAPE }, (row) => {
    requireGame(game, row);
    return decodeState(row);
  });
}

function decodeState(root: StateRoot): StoredRoom {
  const list = root.seats;
  const { length } = list;
  if (length > LIMITS.seats.value) throw new WireError("too-large", `${length} stored seats`);
  const seats: StoredSeat[] = [];
  for (let i = 0; i < length; i++) seats.push(decodeSeat(list.get(i)));
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
  };
}

function requireFormat(version: number): void {
  if (version !== STORAGE_VERSION) {
    throw new WireError("stored-version", `format ${version}, this version reads ${STORAGE_VERSION}`);
  }
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

function decodeSeat(record: SeatRecord): StoredSeat {
  const digests = toNumbers(record.digests.toUint8Array(), 4);
  const dispositions = record.dispositions.toUint8Array().slice();
  if (digests.length > LIMITS.outcomesPerSeat.value || digests.length !== dispositions.length) {
    throw new WireError("bad-value", `a stored seat with ${digests.length} digests`);
  }
  if (record.seat === 0) throw new WireError("bad-value", "a stored seat without a number");
  return {
    seat: record.seat,
    name: record.name,
    kind: record.isBot ? "bot" : "player",
    bot: record.bot,
    secretHash: record.secretHash.toUint8Array().slice(),
    inputSession: record.inputSession,
    consumed: record.consumed,
    entity: record.entity,
    held: record.held.toUint8Array().slice(),
    missedInARow: record.missedInARow,
    missed: record.missed,
    connected: record.connected,
    droppedAtTick: record.droppedAtTick,
    digests: Uint32Array.from(digests),
    dispositions,
  };
}

export function encodeLedger(row: LedgerRow): Uint8Array<ArrayBuffer> {
  let size = LEDGER_BYTES + 2 * (row.joins.length + row.leaves.length) + 16;
  for (const session of row.sessions) {
    size += SESSION_BYTES + session.missedTicks.length * 4 + 8;
    for (const entry of session.entries) size += ENTRY_BYTES + entry.bytes.length + 8;
  }
  const message = createMessage(size);
  const root = message.initRoot(LedgerRoot);
  root.formatVersion = row.formatVersion;
  root.commit = row.commit;
  root.fromTick = row.fromTick;
  root.toTick = row.toTick;
  root.incarnation = row.incarnation;
  root.hash = row.hash;
  root._initJoins(row.joins.length * 2).copyBuffer(fromNumbers(row.joins, 2));
  root._initLeaves(row.leaves.length * 2).copyBuffer(fromNumbers(row.leaves, 2));
  const sessions = root._initSessions(row.sessions.length);
  for (const [i, session] of row.sessions.entries()) {
    const record = sessions.get(i);
    record.seat = session.seat;
    record.inputSession = session.inputSession;
    record._initMissedTicks(session.missedTicks.length * 4).copyBuffer(fromNumbers(session.missedTicks, 4));
    const entries = record._initEntries(session.entries.length);
    for (const [j, entry] of session.entries.entries()) {
      const cell = entries.get(j);
      cell.seq = entry.seq;
      cell.tick = entry.tick;
      cell.digest = entry.digest;
      cell.disposition = entry.disposition;
      cell._initBytes(entry.bytes.length).copyBuffer(entry.bytes);
    }
  }
  return checked(message.toArrayBuffer(), LIMITS.storedRowBytes.value);
}

export function decodeLedger(bytes: Uint8Array): LedgerRow {
  const options = { maxBytes: LIMITS.storedRowBytes.value, Root: LedgerRoot };
  readMessage(bytes, { ...options, shape: ANY_SHAPE }, (row) => requireFormat(row.formatVersion));
  return readMessage(bytes, { ...options, shape: LEDGER_SHAPE }, decodeLedgerRoot);
}

function decodeLedgerRoot(root: LedgerRoot): LedgerRow {
  const list = root.sessions;
  const { length } = list;
  const sessions: LedgerSession[] = [];
  for (let i = 0; i < length; i++) {
    const record = list.get(i);
    const entryList = record.entries;
    const entryCount = entryList.length;
    const entries: LedgerEntry[] = [];
    for (let j = 0; j < entryCount; j++) {
      const { seq, tick, digest, disposition, bytes: data } = entryList.get(j);
      entries.push({ seq, tick, digest, disposition, bytes: data.toUint8Array().slice() });
    }
    const missedTicks = toNumbers(record.missedTicks.toUint8Array(), 4);
    sessions.push({ seat: record.seat, inputSession: record.inputSession, entries, missedTicks });
  }
  return {
    formatVersion: root.formatVersion,
    commit: root.commit,
    fromTick: root.fromTick,
    toTick: root.toTick,
    incarnation: root.incarnation,
    hash: root.hash,
    sessions,
    joins: toNumbers(root.joins.toUint8Array(), 2),
    leaves: toNumbers(root.leaves.toUint8Array(), 2),
  };
}

/** What storage would refuse must not reach the transaction: the error there wouldn't say why. */
function checked(buffer: ArrayBuffer, maxBytes: number): Uint8Array<ArrayBuffer> {
  if (buffer.byteLength > maxBytes)
    throw new RangeError(`${buffer.byteLength} bytes to store, at most ${maxBytes}`);
  return new Uint8Array(buffer);
}

function fromNumbers(numbers: ArrayLike<number>, width: 2 | 4): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(numbers.length * width);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < numbers.length; i++) {
    if (width === 2) view.setUint16(i * 2, numbers[i] as number, true);
    else view.setUint32(i * 4, numbers[i] as number, true);
  }
  return bytes;
}

function toNumbers(bytes: Uint8Array, width: 2 | 4): number[] {
  if (bytes.length % width !== 0) throw new WireError("malformed", `${bytes.length} bytes of ${width} each`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers: number[] = [];
  for (let at = 0; at < bytes.length; at += width) {
    numbers.push(width === 2 ? view.getUint16(at, true) : view.getUint32(at, true));
  }
  return numbers;
}
