import { WireError } from "./errors.ts";
import type { BaselineFrame, ReceiptsFrame } from "./frame-types.ts";
import {
  type Receipt as ReceiptRecord,
  type ServerFrame_Baseline,
  type ServerFrame_Receipts,
  ServerFrame as ServerRoot,
} from "./generated/frames.ts";
import { fromJsonText, toJsonText } from "./json-text.ts";
import { LIMITS } from "./limits.ts";
import { createMessage, nameOf, type PointerShape, readList } from "./message.ts";
import { RECEIPT_STATUS, type Receipt, receiptFault } from "./receipts.ts";

export const RECEIPT_SHAPE: PointerShape = { dataWords: 2, pointers: ["text", "text"] };
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
  if (parts.length > LIMITS.baselineParts.value) throw new RangeError(`a baseline of ${parts.length} parts`);
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
    if (list.length > 0 && bytes + added > LIMITS.partBytes.value) {
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
  return result === null ? "" : toJsonText(result, LIMITS.resultBytes.value);
}

export function encodeReceipts(frame: ReceiptsFrame): Uint8Array<ArrayBuffer> {
  requireSendable(itemsFault(frame));
  const message = createMessage(itemsBytes(frame.items));
  const receipts = message.initRoot(ServerRoot)._initReceipts();
  receipts.session = frame.session;
  writeItems(frame.items, receipts._initItems(frame.items.length));
  return checkedPart(message.toArrayBuffer());
}

export function encodeBaseline(frame: BaselineFrame): Uint8Array<ArrayBuffer> {
  requireSendable(baselineFault(frame));
  const message = createMessage(itemsBytes(frame.items));
  const baseline = message.initRoot(ServerRoot)._initBaseline();
  baseline.requestId = frame.requestId;
  baseline.part = frame.part;
  baseline.parts = frame.parts;
  baseline.session = frame.session;
  baseline.requestCursor = frame.requestCursor;
  baseline.baselineId = frame.baselineId;
  baseline.covering = frame.covering;
  writeItems(frame.items, baseline._initItems(frame.items.length));
  return checkedPart(message.toArrayBuffer());
}

function itemsBytes(items: readonly Receipt[]): number {
  let size = FRAME_BYTES;
  for (const item of items) size += ITEM_BYTES + paddedText(item.reason) + paddedText(resultText(item));
  return size;
}

function writeItems(items: readonly Receipt[], records: { get(index: number): ReceiptRecord }): void {
  for (const [i, item] of items.entries()) {
    const record = records.get(i);
    record.number = item.number;
    record.seq = item.seq;
    record.tick = item.tick;
    record.slot = item.slot;
    record.revision = item.revision;
    record.status = RECEIPT_STATUS.indexOf(item.status) as typeof record.status;
    const result = resultText(item);
    if (item.reason !== "") record.reason = item.reason;
    if (result !== "") record.result = result;
  }
}

function checkedPart(buffer: ArrayBuffer): Uint8Array<ArrayBuffer> {
  if (buffer.byteLength > LIMITS.partBytes.value)
    throw new RangeError(`a part of ${buffer.byteLength} bytes`);
  return new Uint8Array(buffer);
}

export function decodeReceipts(receipts: ServerFrame_Receipts, frameBytes: number): ReceiptsFrame {
  const { session } = receipts;
  requirePart(frameBytes);
  const frame: ReceiptsFrame = { type: "receipts", session, items: readItems(receipts.items, session) };
  requireSound(itemsFault(frame));
  return frame;
}

export function decodeBaseline(baseline: ServerFrame_Baseline, frameBytes: number): BaselineFrame {
  const { session } = baseline;
  requirePart(frameBytes);
  const frame: BaselineFrame = {
    type: "baseline",
    requestId: baseline.requestId,
    session,
    requestCursor: baseline.requestCursor,
    baselineId: baseline.baselineId,
    covering: baseline.covering,
    part: baseline.part,
    parts: baseline.parts,
    items: readItems(baseline.items, session),
  };
  requireSound(baselineFault(frame));
  return frame;
}

function readItems(
  list: { readonly length: number; get(index: number): ReceiptRecord },
  session: number,
): Receipt[] {
  return readList(list, (record) => {
    const text = record.result;
    return {
      number: record.number,
      session,
      seq: record.seq,
      slot: record.slot,
      revision: record.revision,
      status: nameOf(RECEIPT_STATUS, record.status),
      reason: record.reason,
      result: text === "" ? null : fromJsonText(text, LIMITS.resultBytes.value),
      tick: record.tick,
    };
  });
}

function baselineFault(frame: BaselineFrame): string | undefined {
  const { requestId, baselineId, part, parts, covering, requestCursor, items } = frame;
  if (requestId === 0 || baselineId === 0) return "a baseline without a request or id";
  if (part === 0 || part > parts || parts > LIMITS.baselineParts.value) return `part ${part} of ${parts}`;
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
  if (frameBytes > LIMITS.partBytes.value) throw new WireError("too-large", `a part of ${frameBytes} bytes`);
}
