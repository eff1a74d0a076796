import { ReceiptRow as Layout } from "./generated/storage.ts";
import { fromJsonText, toJsonText } from "./json-text.ts";
import * as LIMITS from "./limits.ts";
import { nameOf } from "./message.ts";
import { writeMessage } from "./message-writer.ts";
import { RECEIPT_STATUS, type Receipt, receiptFault } from "./receipts.ts";
import type { ReceiptRow } from "./storage-types.ts";
import { checkedRow, readRow, requireReadable, requireWritable } from "./stored-row.ts";

export function encodeReceiptRow({
  formatVersion,
  seat,
  committedTick,
  receipt,
}: ReceiptRow): Uint8Array<ArrayBuffer> {
  requireWritable(receiptFault(receipt));
  const result = receipt.result === null ? "" : toJsonText(receipt.result, LIMITS.resultBytes);
  const status = RECEIPT_STATUS.indexOf(receipt.status);
  return checkedRow(writeMessage(Layout, { ...receipt, formatVersion, seat, committedTick, status, result }));
}

export function decodeReceiptRow(bytes: Uint8Array): ReceiptRow {
  const { formatVersion, seat, committedTick, ...rest } = readRow(bytes, Layout);
  const receipt: Receipt = {
    ...rest,
    status: nameOf(RECEIPT_STATUS, rest.status),
    result: rest.result === "" ? null : fromJsonText(rest.result, LIMITS.resultBytes),
  };
  requireReadable(receiptFault(receipt));
  return { formatVersion, seat, receipt, committedTick };
}
