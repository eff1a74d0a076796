import type { Receipt } from "../protocol/index.ts";

/** Whether two receipts of one revision say the same. Their place in the stream isn't part of what they say. */
export function sameAnswer(a: Receipt, b: Receipt): boolean {
  if (a.status !== b.status || a.reason !== b.reason || a.tick !== b.tick) return false;
  return JSON.stringify(a.result) === JSON.stringify(b.result);
}

export function sameReceipt(a: Receipt, b: Receipt): boolean {
  return (
    a.session === b.session &&
    a.seq === b.seq &&
    a.slot === b.slot &&
    a.revision === b.revision &&
    sameAnswer(a, b)
  );
}
