import { WireError } from "./errors.ts";
import type { BaselineFrame, ReceiptsFrame } from "./frame-types.ts";
import type {
  Receipt as ReceiptRecord,
  ServerFrame_baseline,
  ServerFrame_receipts,
} from "./generated/frames.ts";
import { fromJsonText, toJsonText } from "./json-text.ts";
import * as LIMITS from "./limits.ts";
import { nameOf } from "./message.ts";
import { RECEIPT_STATUS, type Receipt, receiptFault } from "./receipts.ts";

/** A frame without items: framing, root pointer, eight words, two pointers, the list's tag. */
const FRAME_BYTES = 8 + 8 + 8 * 8 + 2 * 8 + 8;
const ITEM_BYTES = 2 * 8 + 2 * 8;

/** Frames for any number of receipts of one session, by ascending number, each no longer than a part may be. */
export function receiptFrames(session: number, receipts: readonly Receipt[]): ReceiptsFrame[] {
  if (receipts.length === 0) return [];
  return split(receipts).map((items) => ({ type: "receipts", session, items }));
}

/**
 * The parts of a baseline.
 * @throws RangeError when it has more than a client takes: then too many actions were kept
 */
export function baselineFrames(
  head: Omit<BaselineFrame, "type" | "part" | "parts" | "items">,
  receipts: readonly Receipt[],
): BaselineFrame[] {
  const parts = split(receipts);
  if (parts.length > LIMITS.baselineParts) throw new RangeError(`a baseline of ${parts.length} parts`);
  return parts.map((items, i) => ({ type: "baseline", ...head, part: i + 1, parts: parts.length, items }));
}

/** At least one list, each as full as a part allows. */
function split(receipts: readonly Receipt[]): Receipt[][] {
  const sorted = [...receipts].sort((a, b) => a.number - b.number);
  let list: Receipt[] = [];
  let bytes = FRAME_BYTES;
  const lists = [list];
  for (const receipt of sorted) {
    const added = ITEM_BYTES + paddedText(receipt.reason) + paddedText(resultText(receipt));
    if (list.length > 0 && bytes + added > LIMITS.partBytes) {
      list = [];
      bytes = FRAME_BYTES;
      lists.push(list);
    }
    list.push(receipt);
    bytes += added;
  }
  return lists;
}

/** Bytes of a text with its terminator, in whole words; none for an empty one, which isn't written. */
function paddedText(text: string): number {
  return text === "" ? 0 : (new TextEncoder().encode(text).length + 8) & -8;
}

function resultText({ result }: Receipt): string {
  return result === null ? "" : toJsonText(result, LIMITS.resultBytes);
}

/** @throws RangeError when a client would refuse it */
export function receiptsRecord(frame: ReceiptsFrame): ServerFrame_receipts {
  requireSendable(itemsFault(frame));
  return { ...frame, items: frame.items.map(itemRecord) };
}

/** @throws RangeError when a client would refuse it */
export function baselineRecord(frame: BaselineFrame): ServerFrame_baseline {
  requireSendable(baselineFault(frame));
  return { ...frame, items: frame.items.map(itemRecord) };
}

function itemRecord(item: Receipt): ReceiptRecord {
  return { ...item, status: RECEIPT_STATUS.indexOf(item.status), result: resultText(item) };
}

/** A part that was written, unless it is longer than a client takes. */
export function checkedPart(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (bytes.length > LIMITS.partBytes) throw new RangeError(`a part of ${bytes.length} bytes`);
  return bytes;
}

export function receiptsOf(record: ServerFrame_receipts, frameBytes: number): ReceiptsFrame {
  requirePart(frameBytes);
  const frame: ReceiptsFrame = { ...record, items: readItems(record.items, record.session) };
  requireSound(itemsFault(frame));
  return frame;
}

export function baselineOf(record: ServerFrame_baseline, frameBytes: number): BaselineFrame {
  requirePart(frameBytes);
  const frame: BaselineFrame = { ...record, items: readItems(record.items, record.session) };
  requireSound(baselineFault(frame));
  return frame;
}

function readItems(records: readonly ReceiptRecord[], session: number): Receipt[] {
  return records.map((record) => ({
    ...record,
    session,
    status: nameOf(RECEIPT_STATUS, record.status),
    result: record.result === "" ? null : fromJsonText(record.result, LIMITS.resultBytes),
  }));
}

function baselineFault(frame: BaselineFrame): string | undefined {
  const { requestId, baselineId, part, parts, covering, requestCursor, items } = frame;
  if (requestId === 0 || baselineId === 0) return "a baseline without a request or id";
  if (part === 0 || part > parts || parts > LIMITS.baselineParts) return `part ${part} of ${parts}`;
  // It would move the client's cursor back, or leave a hole that nobody asks for.
  if (covering < requestCursor) return `a baseline up to ${covering} for a cursor at ${requestCursor}`;
  const last = items.at(-1);
  if (last && last.number > covering) return `receipt ${last.number} in a baseline up to ${covering}`;
  const actions = new Set(items.map(({ seq, slot }) => seq * 256 + slot));
  if (actions.size < items.length) return "an action twice in a baseline";
  return itemsFault(frame);
}

function itemsFault(frame: { readonly session: number; readonly items: readonly Receipt[] }) {
  if (frame.session === 0) return "receipts of no input session";
  let number = 0;
  for (const item of frame.items) {
    if (item.session !== frame.session) return "a receipt among another session's";
    if (item.number <= number) return "receipts out of order";
    number = item.number;
    const fault = receiptFault(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function requireSendable(fault: string | undefined): void {
  if (fault !== undefined) throw new RangeError(fault);
}

function requireSound(fault: string | undefined): void {
  if (fault !== undefined) throw new WireError("bad-value", fault);
}

function requirePart(frameBytes: number): void {
  if (frameBytes > LIMITS.partBytes) throw new WireError("too-large", `a part of ${frameBytes} bytes`);
}
