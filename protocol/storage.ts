import { WireError } from "./errors.ts";
import { SESSION_REASON } from "./frame-types.ts";
import {
  type StoredDebt as DebtRecord,
  StateRow as Layout,
  type StoredSeat as SeatRecord,
} from "./generated/storage.ts";
import type { GameIdentity } from "./handshake.ts";
import * as LIMITS from "./limits.ts";
import { nameOf } from "./message.ts";
import { writeMessage } from "./message-writer.ts";
import { debtFault, pendingFault, seatFault } from "./storage-checks.ts";
import {
  ACTION_OUTCOME,
  SESSION_STATE,
  type StoredDebt,
  type StoredRoom,
  type StoredSeat,
} from "./storage-types.ts";
import {
  checkedRow,
  fromNumbers,
  readRow,
  requireReadable,
  requireWritable,
  toNumbers,
} from "./stored-row.ts";

/** About what a seat with its outcomes takes. */
const SEAT_BYTES = 1600;
const MAX_U32 = 0xffffffff;
const maxBytes = LIMITS.storedStateBytes;

export function encodeRoom(room: StoredRoom): Uint8Array<ArrayBuffer> {
  requireWritable(pendingFault(room.pending) ?? debtFault(room.debts));
  const debts = room.debts.map((debt) => ({ ...debt, outcome: ACTION_OUTCOME.indexOf(debt.outcome) }));
  const record = { ...room, seats: room.seats.map(seatRecord), debts };
  const about = room.world.length + room.seats.length * SEAT_BYTES + 1024;
  return checkedRow(writeMessage(Layout, record, about), maxBytes);
}

function seatRecord(seat: StoredSeat): SeatRecord {
  requireWritable(seatFault(seat));
  return {
    ...seat,
    isBot: seat.kind === "bot",
    missedInARow: Math.min(seat.missedInARow, MAX_U32),
    missed: Math.min(seat.missed, MAX_U32),
    digests: fromNumbers(seat.digests),
    sessions: seat.sessions.map((session) => ({
      ...session,
      state: SESSION_STATE.indexOf(session.state),
      reason: SESSION_REASON.indexOf(session.reason),
    })),
  };
}

/**
 * Reads a room's state row for the game that is about to run it, or throws a WireError: `stored-version` for another
 * format, `stored-game` for another game, version or definition. Nothing of such a row is interpreted.
 */
export function decodeRoom(bytes: Uint8Array, game: GameIdentity): StoredRoom {
  const record = readRow(bytes, Layout, maxBytes);
  requireGame(game, record);
  const { seats, pending, world, poses } = record;
  const debts = record.debts.map(debtOf);
  if (seats.length > LIMITS.seats) throw new WireError("too-large", `${seats.length} stored seats`);
  requireReadable(pendingFault(pending) ?? debtFault(debts));
  // Copies: what is kept of a row for long mustn't keep all of it.
  const kept = pending.map((action) => ({ ...action, params: action.params.slice() }));
  return {
    ...record,
    world: world.slice(),
    seats: seats.map(seatOf),
    pending: kept,
    poses: poses.map(({ tick, section }) => ({ tick, section: section.slice() })),
    debts,
  };
}

function debtOf({ outcome: number, ...record }: DebtRecord): StoredDebt {
  const outcome = nameOf(ACTION_OUTCOME, number);
  if (outcome === "settled") throw new WireError("bad-value", "a debt of a settled action");
  return { ...record, outcome, params: record.params.slice() };
}

function requireGame(
  game: GameIdentity,
  stored: Pick<StoredRoom, "game" | "gameVersion" | "fingerprint">,
): void {
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

function seatOf({ isBot, ...record }: SeatRecord): StoredSeat {
  const seat: StoredSeat = {
    ...record,
    kind: isBot ? "bot" : "player",
    secretHash: record.secretHash.slice(),
    held: record.held.slice(),
    digests: Uint32Array.from(toNumbers(record.digests)),
    dispositions: record.dispositions.slice(),
    sessions: record.sessions.map((session) => ({
      ...session,
      state: nameOf(SESSION_STATE, session.state),
      reason: nameOf(SESSION_REASON, session.reason),
    })),
  };
  requireReadable(seatFault(seat));
  return seat;
}
