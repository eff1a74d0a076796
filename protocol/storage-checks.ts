import { jsonFault } from "./json-text.ts";
import * as LIMITS from "./limits.ts";
import type {
  LedgerAnswer,
  SlotOutcome,
  StoredAction,
  StoredDebt,
  StoredSeat,
  StoredSession,
} from "./storage-types.ts";

// Each says what is wrong, if anything. Asked before writing and after reading: a row that was written must be
// readable, or the room that wrote it is lost.

export function seatFault(seat: StoredSeat): string | undefined {
  const { digests, dispositions, sessions, kind } = seat;
  if (seat.seat === 0) return "a stored seat without a number";
  if (digests.length > LIMITS.outcomesPerSeat || digests.length !== dispositions.length) {
    return `a stored seat with ${digests.length} digests`;
  }
  if (sessions.length > LIMITS.sessionsPerSeat) return `a stored seat with ${sessions.length} sessions`;
  if ((sessions.length === 0) !== (kind === "bot")) return `a ${kind} with ${sessions.length} input sessions`;
  for (const [i, session] of sessions.entries()) {
    const newer = sessions[i - 1];
    if (newer && newer.inputSession <= session.inputSession) return "input sessions out of order";
    const fault = sessionFault(session);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function sessionFault(session: StoredSession): string | undefined {
  const { inputSession, receiptHead, confirmed, reclaimed } = session;
  if (inputSession === 0) return "a stored input session without a number";
  if (confirmed > receiptHead || reclaimed > receiptHead) {
    return `input session ${inputSession} went on behind its receipts' head`;
  }
  return undefined;
}

export function pendingFault(pending: readonly StoredAction[]): string | undefined {
  if (pending.length > LIMITS.pendingActionsPerRoom) return `${pending.length} pending actions`;
  for (const action of pending) {
    const { session, seq, seat, revision, params, capture, answer } = action;
    if (session === 0 || seq === 0 || seat === 0 || revision === 0 || params.length === 0) {
      return "a pending action without a number of its own";
    }
    const fault =
      jsonFault(capture, LIMITS.captureBytes) ??
      (answer === "" ? undefined : jsonFault(answer, LIMITS.answerBytes));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

export function debtFault(debts: readonly StoredDebt[]): string | undefined {
  if (debts.length > LIMITS.pendingActionsPerRoom) return `${debts.length} debts`;
  for (const { session, seq, seat, params, capture } of debts) {
    if (session === 0 || seq === 0 || seat === 0 || params.length === 0) return "a debt of no action";
    const fault = jsonFault(capture, LIMITS.captureBytes);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

export function answerFault({ session, seq, answer }: LedgerAnswer): string | undefined {
  if (session === 0 || seq === 0) return "an answer to no action";
  return jsonFault(answer, LIMITS.answerBytes);
}

export function outcomeFault({ disposition, reason, byRoom }: SlotOutcome): string | undefined {
  if (disposition === "admitted" && (reason !== "" || byRoom)) return "an admission with a reason";
  return [...reason].length > LIMITS.reasonCharacters ? "too long a reason" : undefined;
}
