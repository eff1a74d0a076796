import {
  encodeLedger,
  encodeRoom,
  type LedgerRow,
  type Receipt,
  type ReceiptRow,
  type RoomExport,
  STORAGE_VERSION,
  type StoredAction,
  type StoredRoom,
  type StoredSeat,
  type StoredSession,
} from "../../../protocol/index.ts";
import { receipts } from "./frame-samples.ts";
import { command, game, schema, secret } from "./samples.ts";

export function storedSeat(seat: number, outcomes: number): StoredSeat {
  return {
    seat,
    name: `Seat ${seat}`,
    kind: seat % 2 === 0 ? "bot" : "player",
    bot: seat % 2 === 0 ? "wander" : "",
    secretHash: seat % 2 === 0 ? new Uint8Array(0) : secret,
    sessions: seat % 2 === 0 ? [] : storedSessions(seat),
    entity: 0x0002_0001,
    held: seat === 1 ? new Uint8Array(0) : command(seat),
    missedInARow: 3,
    missed: 44,
    connected: seat !== 1,
    droppedAtTick: seat === 1 ? 600 : 0,
    digests: Uint32Array.from({ length: outcomes }, (_, i) => 0xffff_ffff - i),
    dispositions: Uint8Array.from({ length: outcomes }, (_, i) => 1 + (i % 3)),
  };
}

function storedSessions(seat: number): StoredSession[] {
  const current: StoredSession = {
    inputSession: seat + 10,
    state: "open",
    reason: "other",
    sinceTick: 60,
    consumed: 1000 + seat,
    receiptHead: 70_000,
    confirmed: 69_990,
    reclaimed: 69_900,
    baselineId: 2,
  };
  const older: StoredSession = {
    ...current,
    inputSession: seat,
    state: "closed",
    reason: "replay-bound",
    receiptHead: 0xffff_ffff,
    confirmed: 0,
    reclaimed: 0,
    baselineId: 0,
  };
  return seat === 3 ? [{ ...current, state: "closing", reason: "exhausted" }] : [current, older];
}

const pending: readonly StoredAction[] = [
  {
    session: 11,
    seq: 65_536,
    slot: 0,
    seat: 1,
    revision: 1,
    admittedTick: 100,
    deadlineTick: 400,
    params: command(2),
    capture: '{"pose":[1,2.5]}',
    answer: "",
  },
  {
    session: 1,
    seq: 7,
    slot: 31,
    seat: 1,
    revision: 255,
    admittedTick: 1,
    deadlineTick: 0xffff_ffff,
    params: command(5),
    capture: "null",
    answer: '"paid 🦊"',
  },
];

export const storedRoom: StoredRoom = {
  formatVersion: STORAGE_VERSION,
  game: game.name,
  gameVersion: game.version,
  fingerprint: schema.fingerprint,
  commit: 41,
  tick: 123,
  incarnation: 2,
  nextSeat: 4,
  nextInputSession: 14,
  slippedTicks: 5,
  options: '{"map":"yard"}',
  world: Uint8Array.from({ length: 301 }, (_, i) => i & 0xff),
  hash: 0x8000_0000_0000_0001n,
  seats: [storedSeat(1, 3), storedSeat(2, 0), storedSeat(3, 8)],
  pending,
  debts: [
    {
      session: 9,
      seq: 0xffff_fffe,
      slot: 30,
      seat: 65_535,
      outcome: "left",
      params: command(4),
      capture: '{"price":5}',
    },
    { session: 11, seq: 12, slot: 0, seat: 1, outcome: "deadline", params: command(2), capture: "null" },
  ],
  poses: [
    { tick: 120, section: Uint8Array.of(1, 2, 3) },
    { tick: 123, section: new Uint8Array(0) },
  ],
};

export const receiptRow: ReceiptRow = {
  formatVersion: STORAGE_VERSION,
  seat: 65_535,
  receipt: receipts[2] as Receipt,
  committedTick: 606,
};

export const ledgerRow: LedgerRow = {
  formatVersion: STORAGE_VERSION,
  commit: 41,
  fromTick: 120,
  toTick: 123,
  incarnation: 2,
  hash: 0x8000_0000_0000_0001n,
  sessions: [
    {
      seat: 1,
      inputSession: 11,
      entries: [
        { seq: 65_536, tick: 121, digest: 0xdead_beef, disposition: 1, bytes: command(1), actions: [] },
        {
          seq: 65_537,
          tick: 122,
          digest: 1,
          disposition: 2,
          bytes: command(2),
          actions: [
            { slot: 0, disposition: "admitted", reason: "", byRoom: false, rewoundTick: 119.50390625 },
            { slot: 1, disposition: "rejected", reason: "full 🦊", byRoom: true, rewoundTick: 0 },
          ],
        },
      ],
      missedTicks: [123],
    },
    { seat: 2, inputSession: 12, entries: [], missedTicks: [121, 122, 123] },
  ],
  joins: [
    { seat: 1, name: "Ada 🦊", kind: "player", tick: 120 },
    { seat: 2, name: "", kind: "bot", tick: 0xffff_ffff },
  ],
  leaves: [{ seat: 65_535, tick: 120 }],
  answers: [{ session: 11, seq: 65_530, slot: 2, tick: 121, answer: '{"coins":3}' }],
  ended: [
    { seat: 1, session: 9, reason: "queue-lost", finalConsumed: 0xffff_fffe, opened: 11, tick: 120 },
    { seat: 65_535, session: 10, reason: "left", finalConsumed: 0, opened: 0, tick: 120 },
  ],
  boundaries: [121, 123],
  finished: [
    { session: 11, seq: 65_530, slot: 2, tick: 122, outcome: "settled" },
    { session: 10, seq: 0xffff_fffe, slot: 31, tick: 120, outcome: "left" },
  ],
  rejected: [
    { kind: "command", seat: 1, tick: 122, session: 0, seq: 0, slot: 0 },
    { kind: "leave", seat: 65_535, tick: 120, session: 0, seq: 0, slot: 0 },
    { kind: "action", seat: 0, tick: 123, session: 11, seq: 0xffff_fffe, slot: 31 },
  ],
  game: game.name,
  gameVersion: game.version,
  fingerprint: game.schema.fingerprint,
};

export const roomExport: RoomExport = {
  formatVersion: STORAGE_VERSION,
  roomName: "samples:lobby",
  checkpoints: [encodeRoom(storedRoom), encodeRoom({ ...storedRoom, seats: [], pending: [] })],
  ledger: [encodeLedger(ledgerRow)],
};
