import { SESSION_REASON } from "./frame-types.ts";
import { type LedgerEntry as EntryRecord, LedgerRow as Layout } from "./generated/storage.ts";
import { nameOf } from "./message.ts";
import { writeMessage } from "./message-writer.ts";
import { answerFault, outcomeFault } from "./storage-checks.ts";
import {
  ACTION_OUTCOME,
  type LedgerEntry,
  type LedgerRow,
  REJECTION_KIND,
  type SlotOutcome,
} from "./storage-types.ts";
import {
  checkedRow,
  fromNumbers,
  readRow,
  requireReadable,
  requireWritable,
  toNumbers,
} from "./stored-row.ts";

/** Parts of a tick that a moment is stored in. */
const VIEW_PARTS = 256;

export function encodeLedger(row: LedgerRow): Uint8Array<ArrayBuffer> {
  for (const answer of row.answers) requireWritable(answerFault(answer));
  const record = {
    ...row,
    sessions: row.sessions.map(({ entries, missedTicks, ...rest }) => ({
      ...rest,
      entries: entries.map(entryRecord),
      missedTicks: fromNumbers(missedTicks),
    })),
    joins: row.joins.map(({ kind, ...rest }) => ({ ...rest, isBot: kind === "bot" })),
    ended: row.ended.map((end) => ({ ...end, reason: SESSION_REASON.indexOf(end.reason) })),
    rejected: row.rejected.map((one) => ({ ...one, kind: REJECTION_KIND.indexOf(one.kind) })),
    finished: row.finished.map((one) => ({ ...one, outcome: ACTION_OUTCOME.indexOf(one.outcome) })),
    boundaries: fromNumbers(row.boundaries),
  };
  return checkedRow(writeMessage(Layout, record, 1024));
}

function entryRecord(entry: LedgerEntry): EntryRecord {
  const actions = entry.actions.map((outcome) => {
    requireWritable(outcomeFault(outcome));
    const rewoundPart = Math.floor((outcome.rewoundTick % 1) * VIEW_PARTS);
    return { ...outcome, admitted: outcome.disposition === "admitted", rewoundPart };
  });
  return { ...entry, actions };
}

export function decodeLedger(bytes: Uint8Array): LedgerRow {
  const record = readRow(bytes, Layout);
  for (const answer of record.answers) requireReadable(answerFault(answer));
  return {
    ...record,
    sessions: record.sessions.map(({ entries, missedTicks, ...rest }) => ({
      ...rest,
      entries: entries.map(entryOf),
      missedTicks: toNumbers(missedTicks),
    })),
    joins: record.joins.map(({ isBot, ...rest }) => ({ ...rest, kind: isBot ? "bot" : "player" })),
    ended: record.ended.map((end) => ({ ...end, reason: nameOf(SESSION_REASON, end.reason) })),
    rejected: record.rejected.map((one) => ({ ...one, kind: nameOf(REJECTION_KIND, one.kind) })),
    finished: record.finished.map((one) => ({ ...one, outcome: nameOf(ACTION_OUTCOME, one.outcome) })),
    boundaries: toNumbers(record.boundaries),
  };
}

function entryOf(record: EntryRecord): LedgerEntry {
  const actions = record.actions.map(({ admitted, rewoundPart, ...rest }): SlotOutcome => {
    const rewoundTick = rest.rewoundTick + rewoundPart / VIEW_PARTS;
    const outcome: SlotOutcome = { ...rest, rewoundTick, disposition: admitted ? "admitted" : "rejected" };
    requireReadable(outcomeFault(outcome));
    return outcome;
  });
  return { ...record, actions };
}
