import { describe, expect, it } from "vitest";
import { SESSION_REASON } from "../../../protocol/frame-types.ts";
import { StateRow as StateRoot } from "../../../protocol/generated/storage.ts";
import {
  decodeExport,
  decodeLedger,
  decodeReceiptRow,
  decodeRoom,
  encodeExport,
  encodeLedger,
  encodeReceiptRow,
  encodeRoom,
  type LedgerAnswer,
  type LedgerSession,
  LIMITS,
  type SessionState,
  type SlotOutcome,
  type StoredAction,
  type StoredSeat,
  type StoredSession,
} from "../../../protocol/index.ts";
import { writeMessage } from "../../../protocol/message-writer.ts";
import { SESSION_STATE } from "../../../protocol/storage-types.ts";
import { reasonOf } from "./reason-of.ts";
import { ledgerRow, receiptRow, roomExport, storedRoom, storedSeat } from "./row-samples.ts";
import { game, schema } from "./samples.ts";

describe("stored rows", () => {
  it("[D1] brings back a room, a ledger row and a receipt row", () => {
    expect(decodeRoom(encodeRoom(storedRoom), game)).toEqual(storedRoom);
    expect(decodeRoom(encodeRoom({ ...storedRoom, seats: [] }), game)).toEqual({ ...storedRoom, seats: [] });
    expect(decodeLedger(encodeLedger(ledgerRow))).toEqual(ledgerRow);
    const empty = { ...ledgerRow, sessions: [], joins: [], leaves: [], answers: [], ended: [] };
    expect(decodeLedger(encodeLedger(empty))).toEqual(empty);
    expect(decodeReceiptRow(encodeReceiptRow(receiptRow))).toEqual(receiptRow);
  });

  it("[X1] stores 256 outcomes per seat and no more", () => {
    const full = { ...storedRoom, seats: [storedSeat(5, LIMITS.outcomesPerSeat)] };
    expect(decodeRoom(encodeRoom(full), game)).toEqual(full);
    expect(() => encodeRoom({ ...storedRoom, seats: [storedSeat(5, 257)] })).toThrow(RangeError);
  });

  it("[X1] refuses to encode a state that storage wouldn't take", () => {
    const limit = LIMITS.storedStateBytes;
    const spare = limit - encodeRoom({ ...storedRoom, world: new Uint8Array(0) }).length;
    expect(encodeRoom({ ...storedRoom, world: new Uint8Array(spare) }).length).toBe(limit);
    expect(() => encodeRoom({ ...storedRoom, world: new Uint8Array(spare + 1) })).toThrow(RangeError);
  });

  it("[X1] loads 800 seats and refuses a row with one more", () => {
    const withSeats = (count: number) =>
      encodeRoom({ ...storedRoom, seats: Array.from({ length: count }, (_, i) => storedSeat(i + 1, 1)) });
    expect(decodeRoom(withSeats(800), game).seats).toHaveLength(800);
    expect(() => decodeRoom(withSeats(801), game)).toThrow("801 stored seats");
  });

  it("[D7] refuses a seat whose digests and dispositions don't match, instead of answering repeats wrongly", () => {
    const seat = { ...storedSeat(1, 0), isBot: false, sessions: [], digests: new Uint8Array(8) };
    const seats = [{ ...seat, dispositions: new Uint8Array(3) }];
    const bytes = writeMessage(StateRoot, { ...storedRoom, pending: [], debts: [], seats });
    expect(reasonOf(() => decodeRoom(bytes, game))).toBe("bad-value");
  });

  it("[D7] refuses another format version, whatever follows it", () => {
    for (const formatVersion of [0, 2, 65_535]) {
      const state = encodeRoom({ ...storedRoom, formatVersion });
      expect(reasonOf(() => decodeRoom(state, game))).toBe("stored-version");
      const ledger = encodeLedger({ ...ledgerRow, formatVersion });
      expect(reasonOf(() => decodeLedger(ledger))).toBe("stored-version");
      const receipt = encodeReceiptRow({ ...receiptRow, formatVersion });
      expect(reasonOf(() => decodeReceiptRow(receipt))).toBe("stored-version");
      const exported = encodeExport({ ...roomExport, formatVersion });
      expect(reasonOf(() => decodeExport(exported))).toBe("stored-version");
    }
    // A format of the future: another layout behind the version.
    const other = encodeLedger({ ...ledgerRow, formatVersion: 9 });
    expect(reasonOf(() => decodeRoom(other, game))).toBe("stored-version");
  });

  it("[D7] refuses the state of another game, version or definition, and says which", () => {
    const bytes = encodeRoom(storedRoom);
    const others = [
      [{ ...game, name: "chess" }, /samples.*chess/],
      [{ ...game, version: 4 }, /version 3.*4/],
      [{ ...game, schema: { ...schema, fingerprint: 1n } }, /definition/],
    ] as const;
    for (const [other, words] of others) {
      expect(reasonOf(() => decodeRoom(bytes, other))).toBe("stored-game");
      expect(() => decodeRoom(bytes, other)).toThrow(words);
    }
  });

  it("[D1] brings back every state and reason of an input session", () => {
    const sessions = SESSION_REASON.map((reason, i) => ({
      ...(storedSeat(1, 0).sessions[0] as StoredSession),
      inputSession: 100 - i,
      state: SESSION_STATE[i % 3] as SessionState,
      reason,
    }));
    const room = { ...storedRoom, seats: [{ ...storedSeat(1, 0), sessions }] };
    expect(decodeRoom(encodeRoom(room), game)).toEqual(room);
  });

  it("[D1] refuses sessions that a room couldn't go on from", () => {
    const seat = storedSeat(1, 0);
    const [newer, older] = seat.sessions as [StoredSession, StoredSession];
    const odd: Partial<StoredSeat>[] = [
      { sessions: [] },
      { kind: "bot" },
      { sessions: [older, newer] },
      { sessions: [newer, newer] },
      { sessions: [{ ...newer, inputSession: 0 }] },
      { sessions: [{ ...newer, confirmed: newer.receiptHead + 1 }] },
      { sessions: [{ ...newer, reclaimed: newer.receiptHead + 1 }] },
    ];
    for (const change of odd) {
      expect(() => encodeRoom({ ...storedRoom, seats: [{ ...seat, ...change }] })).toThrow(RangeError);
    }
  });

  it("[X1] stores 16 sessions per seat and no more", () => {
    const sessions = (count: number) => {
      const [session] = storedSeat(1, 0).sessions as [StoredSession];
      return Array.from({ length: count }, (_, i) => ({ ...session, inputSession: 100 - i }));
    };
    const withSessions = (count: number) => ({
      ...storedRoom,
      seats: [{ ...storedSeat(1, 0), sessions: sessions(count) }],
    });
    const limit = LIMITS.sessionsPerSeat;
    expect(decodeRoom(encodeRoom(withSessions(limit)), game)).toEqual(withSessions(limit));
    expect(() => encodeRoom(withSessions(limit + 1))).toThrow(RangeError);
  });

  it("[X1] stores 1,024 pending actions per room, with captures of 4,096 bytes and answers of 1,024", () => {
    const [sample] = storedRoom.pending as [StoredAction];
    const text = (bytes: number) => JSON.stringify("x".repeat(bytes - 2));
    const { captureBytes, answerBytes, pendingActionsPerRoom } = LIMITS;
    const largest = { ...sample, capture: text(captureBytes), answer: text(answerBytes) };
    const withPending = (pending: StoredAction[]) => ({ ...storedRoom, pending });
    const full = withPending(new Array<StoredAction>(pendingActionsPerRoom).fill(largest));
    expect(decodeRoom(encodeRoom(full), game)).toEqual(full);
    expect(() => encodeRoom(withPending([...full.pending, sample]))).toThrow(RangeError);
    const tooLarge: Partial<StoredAction>[] = [
      { capture: text(captureBytes + 1) },
      { answer: text(answerBytes + 1) },
      { capture: "" },
      { capture: "{" },
      { answer: "yes" },
      { params: new Uint8Array(0) },
      { session: 0 },
      { seq: 0 },
      { seat: 0 },
      { revision: 0 },
    ];
    for (const change of tooLarge) {
      expect(() => encodeRoom(withPending([{ ...sample, ...change }]))).toThrow(RangeError);
    }
  });

  it("[I10] refuses outcomes and answers in the ledger that say nothing sensible", () => {
    const [session] = ledgerRow.sessions as [LedgerSession];
    const withOutcome = (outcome: SlotOutcome) => {
      const entries = session.entries.map((entry) => ({ ...entry, actions: [outcome] }));
      return { ...ledgerRow, sessions: [{ ...session, entries }] };
    };
    const rejected: SlotOutcome = {
      slot: 1,
      disposition: "rejected",
      reason: "x".repeat(64),
      byRoom: false,
      rewoundTick: 0,
    };
    expect(decodeLedger(encodeLedger(withOutcome(rejected)))).toEqual(withOutcome(rejected));
    expect(() => encodeLedger(withOutcome({ ...rejected, reason: "x".repeat(65) }))).toThrow(RangeError);
    expect(() => encodeLedger(withOutcome({ ...rejected, disposition: "admitted" }))).toThrow(RangeError);
    const [answer] = ledgerRow.answers as [LedgerAnswer];
    for (const change of [{ answer: "" }, { answer: "{" }, { session: 0 }, { seq: 0 }]) {
      const answers = [{ ...answer, ...change }];
      expect(() => encodeLedger({ ...ledgerRow, answers })).toThrow(RangeError);
    }
  });

  it("[D4] exports rows byte by byte as they are stored, and refuses to export more than a replay reads", () => {
    expect(decodeExport(encodeExport(roomExport))).toEqual(roomExport);
    const empty = { ...roomExport, checkpoints: [], ledger: [] };
    expect(decodeExport(encodeExport(empty))).toEqual(empty);
    const spare = LIMITS.exportBytes - encodeExport({ ...empty, ledger: [new Uint8Array(0)] }).length;
    const withRow = (bytes: number) => encodeExport({ ...empty, ledger: [new Uint8Array(bytes)] });
    expect(decodeExport(withRow(spare)).ledger[0]).toHaveLength(spare);
    expect(() => withRow(spare + 1)).toThrow(RangeError);
  });
});
