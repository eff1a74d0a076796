import { ReceiptRow as ReceiptRoot } from "./generated/storage.ts";
import { fromJsonText, toJsonText } from "./json-text.ts";
import { LIMITS } from "./limits.ts";
import { createMessage, nameOf, type RootShape } from "./message.ts";
import { RECEIPT_STATUS, type Receipt, receiptFault } from "./receipts.ts";
import type { ReceiptRow } from "./storage-types.ts";
import { checkedRow, readRow, requireReadable, requireWritable, textBytes } from "./stored-row.ts";

const SHAPE: RootShape = { members: [["text", "text"]] };
const RECEIPT_BYTES = 64;

export function encodeReceiptRow(row: ReceiptRow): Uint8Array<ArrayBuffer> {
  const { receipt } = row;
  requireWritable(receiptFault(receipt));
  const result = receipt.result === null ? "" : toJsonText(receipt.result, LIMITS.resultBytes.value);
  const message = createMessage(RECEIPT_BYTES + textBytes(receipt.reason) + textBytes(result));
  const root = message.initRoot(ReceiptRoot);
  root.formatVersion = row.formatVersion;
  root.seat = row.seat;
  root.session = receipt.session;
  root.number = receipt.number;
  root.seq = receipt.seq;
  root.tick = receipt.tick;
  root.committedTick = row.committedTick;
  root.slot = receipt.slot;
  root.revision = receipt.revision;
  root.status = RECEIPT_STATUS.indexOf(receipt.status) as typeof root.status;
  if (receipt.reason !== "") root.reason = receipt.reason;
  if (result !== "") root.result = result;
  return checkedRow(message.toArrayBuffer());
}

export function decodeReceiptRow(bytes: Uint8Array): ReceiptRow {
  return readRow(bytes, { Root: ReceiptRoot, shape: SHAPE }, (root) => {
    const receipt: Receipt = {
      number: root.number,
      session: root.session,
      seq: root.seq,
      slot: root.slot,
      revision: root.revision,
      status: nameOf(RECEIPT_STATUS, root.status),
      reason: root.reason,
      result: root.result === "" ? null : fromJsonText(root.result, LIMITS.resultBytes.value),
      tick: root.tick,
    };
    requireReadable(receiptFault(receipt));
    return {
      formatVersion: root.formatVersion,
      seat: root.seat,
      receipt,
      committedTick: root.committedTick,
    };
  });
}
