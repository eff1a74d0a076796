import { SESSION_REASON } from "./frame-types.ts";
import {
  type LedgerEnd as EndRecord,
  type LedgerEntry as EntryRecord,
  LedgerRow as LedgerRoot,
  type LedgerSession as SessionRecord,
} from "./generated/storage.ts";
import { createMessage, nameOf, type PointerShape, type RootShape, readList } from "./message.ts";
import { answerFault, outcomeFault } from "./storage-checks.ts";
import {
  type LedgerAnswer,
  type LedgerEnd,
  type LedgerEntry,
  type LedgerRejection,
  type LedgerRow,
  type LedgerSession,
  REJECTION_KIND,
  type SlotOutcome,
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

const OUTCOME: PointerShape = { dataWords: 1, pointers: ["text"] };
const ENTRY: PointerShape = { dataWords: 2, pointers: ["data", OUTCOME] };
const SESSION: PointerShape = { dataWords: 1, pointers: [ENTRY, "data"] };
const JOIN: PointerShape = { dataWords: 1, pointers: ["text"] };
const LEAVE: PointerShape = { dataWords: 1, pointers: [] };
const ANSWER: PointerShape = { dataWords: 2, pointers: ["text"] };
const END: PointerShape = { dataWords: 3, pointers: [] };
const REJECTION: PointerShape = { dataWords: 2, pointers: [] };
const SHAPE: RootShape = { members: [[SESSION, JOIN, LEAVE, ANSWER, END, REJECTION, "text"]] };

const LEDGER_BYTES = 128;
const SESSION_BYTES = 24 + 8;
const ENTRY_BYTES = 32;
const OUTCOME_BYTES = 16;
const JOIN_BYTES = 16;
const LEAVE_BYTES = 8;
const ANSWER_BYTES = 24;
const END_BYTES = 24;
const REJECTION_BYTES = 16;

export function encodeLedger(row: LedgerRow): Uint8Array<ArrayBuffer> {
  const message = createMessage(ledgerBytes(row));
  const root = message.initRoot(LedgerRoot);
  root.formatVersion = row.formatVersion;
  root.commit = row.commit;
  root.fromTick = row.fromTick;
  root.toTick = row.toTick;
  root.incarnation = row.incarnation;
  root.hash = row.hash;
  const sessions = root._initSessions(row.sessions.length);
  for (const [i, session] of row.sessions.entries()) encodeSession(session, sessions.get(i));
  const joins = root._initJoins(row.joins.length);
  for (const [i, { seat, kind, tick, name }] of row.joins.entries()) {
    Object.assign(joins.get(i), { seat, isBot: kind === "bot", tick, name });
  }
  const leaves = root._initLeaves(row.leaves.length);
  for (const [i, { seat, tick }] of row.leaves.entries()) Object.assign(leaves.get(i), { seat, tick });
  const answers = root._initAnswers(row.answers.length);
  for (const [i, answer] of row.answers.entries()) {
    requireWritable(answerFault(answer));
    Object.assign(answers.get(i), answer);
  }
  const ended = root._initEnded(row.ended.length);
  for (const [i, end] of row.ended.entries()) encodeEnd(end, ended.get(i));
  const rejected = root._initRejected(row.rejected.length);
  for (const [i, { kind, ...numbers }] of row.rejected.entries()) {
    const record = rejected.get(i);
    Object.assign(record, numbers);
    record.kind = REJECTION_KIND.indexOf(kind) as typeof record.kind;
  }
  root.game = row.game;
  root.gameVersion = row.gameVersion;
  root.fingerprint = row.fingerprint;
  return checkedRow(message.toArrayBuffer());
}

function ledgerBytes(row: LedgerRow): number {
  let size = LEDGER_BYTES + row.leaves.length * LEAVE_BYTES + row.ended.length * END_BYTES;
  size += row.rejected.length * REJECTION_BYTES + textBytes(row.game);
  for (const { name } of row.joins) size += JOIN_BYTES + textBytes(name);
  for (const { answer } of row.answers) size += ANSWER_BYTES + textBytes(answer);
  for (const session of row.sessions) {
    size += SESSION_BYTES + session.missedTicks.length * 4 + 8;
    for (const { bytes, actions } of session.entries) {
      size += ENTRY_BYTES + bytes.length + 8;
      if (actions.length > 0) size += 8;
      for (const { reason } of actions) size += OUTCOME_BYTES + textBytes(reason);
    }
  }
  return size;
}

function encodeSession(session: LedgerSession, record: SessionRecord): void {
  record.seat = session.seat;
  record.inputSession = session.inputSession;
  record._initMissedTicks(session.missedTicks.length * 4).copyBuffer(fromNumbers(session.missedTicks));
  const entries = record._initEntries(session.entries.length);
  for (const [i, entry] of session.entries.entries()) encodeEntry(entry, entries.get(i));
}

function encodeEntry(entry: LedgerEntry, record: EntryRecord): void {
  record.seq = entry.seq;
  record.tick = entry.tick;
  record.digest = entry.digest;
  record.disposition = entry.disposition;
  record._initBytes(entry.bytes.length).copyBuffer(entry.bytes);
  // Most commands carry none, and a null pointer costs nothing.
  if (entry.actions.length === 0) return;
  const outcomes = record._initActions(entry.actions.length);
  for (const [i, outcome] of entry.actions.entries()) {
    requireWritable(outcomeFault(outcome));
    const cell = outcomes.get(i);
    cell.slot = outcome.slot;
    cell.admitted = outcome.disposition === "admitted";
    cell.byRoom = outcome.byRoom;
    if (outcome.reason !== "") cell.reason = outcome.reason;
  }
}

function encodeEnd(end: LedgerEnd, record: EndRecord): void {
  const { reason, ...numbers } = end;
  Object.assign(record, numbers);
  record.reason = SESSION_REASON.indexOf(reason) as typeof record.reason;
}

export function decodeLedger(bytes: Uint8Array): LedgerRow {
  return readRow(bytes, { Root: LedgerRoot, shape: SHAPE }, decodeRoot);
}

function decodeRoot(root: LedgerRoot): LedgerRow {
  return {
    formatVersion: root.formatVersion,
    commit: root.commit,
    fromTick: root.fromTick,
    toTick: root.toTick,
    incarnation: root.incarnation,
    hash: root.hash,
    sessions: readList(root.sessions, decodeSession),
    joins: readList(root.joins, ({ seat, name, isBot, tick }) => {
      return { seat, name, kind: isBot ? "bot" : "player", tick };
    }),
    leaves: readList(root.leaves, ({ seat, tick }) => ({ seat, tick })),
    answers: readList(root.answers, ({ session, seq, slot, tick, answer }) => {
      const read: LedgerAnswer = { session, seq, slot, tick, answer };
      requireReadable(answerFault(read));
      return read;
    }),
    ended: readList(root.ended, ({ seat, session, reason, finalConsumed, opened, tick }) => {
      return { seat, session, reason: nameOf(SESSION_REASON, reason), finalConsumed, opened, tick };
    }),
    rejected: readList(root.rejected, ({ kind, seat, tick, session, seq, slot }): LedgerRejection => {
      return { kind: nameOf(REJECTION_KIND, kind), seat, tick, session, seq, slot };
    }),
    game: root.game,
    gameVersion: root.gameVersion,
    fingerprint: root.fingerprint,
  };
}

function decodeSession(record: SessionRecord): LedgerSession {
  return {
    seat: record.seat,
    inputSession: record.inputSession,
    entries: readList(record.entries, decodeEntry),
    missedTicks: toNumbers(record.missedTicks.toUint8Array()),
  };
}

function decodeEntry(record: EntryRecord): LedgerEntry {
  const { seq, tick, digest, disposition, bytes } = record;
  const actions = readList(record.actions, ({ slot, admitted, reason, byRoom }) => {
    const outcome: SlotOutcome = { slot, disposition: admitted ? "admitted" : "rejected", reason, byRoom };
    requireReadable(outcomeFault(outcome));
    return outcome;
  });
  return { seq, tick, digest, disposition, bytes: bytes.toUint8Array().slice(), actions };
}
