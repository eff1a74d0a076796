import * as LIMITS from "./limits.ts";

/** Statuses by their number on the wire. Only `admitted` is pending; the others are final. */
export const RECEIPT_STATUS = ["admitted", "rejected", "settled", "timedOut"] as const;
export type ReceiptStatus = (typeof RECEIPT_STATUS)[number];

/** What became of an action, as it was decided in one tick. */
export interface Receipt {
  /** Position in the stream of its input session, from 1 without holes. */
  readonly number: number;
  /** Input session of the command; together with `seq` and `slot` the action's identity. */
  readonly session: number;
  readonly seq: number;
  readonly slot: number;
  /** Grows with each receipt of the same action: 1 for its first answer. */
  readonly revision: number;
  readonly status: ReceiptStatus;
  /** Of a rejection or time-out. */
  readonly reason: string;
  /** Of a settlement: a JSON value. */
  readonly result: unknown;
  readonly tick: number;
}

/** Whether a receipt is the last word about its action. */
export function isFinal(receipt: { readonly status: ReceiptStatus }): boolean {
  return receipt.status !== "admitted";
}

/** A game's reason, cut to what a receipt holds: a long one must not keep a window from being stored. */
export function receiptReason(text: string): string {
  // Encoding replaces lone halves of surrogate pairs, which would come back as something else than was stored.
  const wellFormed = new TextDecoder().decode(new TextEncoder().encode(text));
  return [...wellFormed].slice(0, LIMITS.reasonCharacters).join("");
}

/** What is wrong with a receipt, if anything: asked of what is sent and stored, and of what arrives. */
export function receiptFault(receipt: Receipt): string | undefined {
  const { number, session, seq, revision, status, reason, result } = receipt;
  if (number === 0 || session === 0 || seq === 0) return "a receipt without a number, session or command";
  if (!RECEIPT_STATUS.includes(status)) return `a receipt of status ${status}`;
  // A rejection answers the command itself; a settlement or time-out comes after an admission.
  const fits = status === "rejected" ? revision === 1 : status === "admitted" ? revision >= 1 : revision >= 2;
  if (!fits) return `a receipt ${status} with revision ${revision}`;
  if (reason !== "" && status !== "rejected" && status !== "timedOut")
    return `a receipt ${status} with a reason`;
  if ([...reason].length > LIMITS.reasonCharacters) return "a receipt with too long a reason";
  if (result !== null && status !== "settled") return `a receipt ${status} with a result`;
  return undefined;
}
