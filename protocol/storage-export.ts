import { RoomExport as Layout } from "./generated/storage.ts";
import * as LIMITS from "./limits.ts";
import { writeMessage } from "./message-writer.ts";
import type { RoomExport } from "./storage-types.ts";
import { checkedRow, readRow } from "./stored-row.ts";

const maxBytes = LIMITS.exportBytes;

/** The rows stay as they were stored: what replays is what would have been restored. */
export function encodeExport(room: RoomExport): Uint8Array<ArrayBuffer> {
  const wrapped = (rows: readonly Uint8Array[]) => rows.map((row) => ({ row }));
  const { checkpoints, ledger } = room;
  const record = { ...room, checkpoints: wrapped(checkpoints), ledger: wrapped(ledger) };
  return checkedRow(writeMessage(Layout, record), maxBytes);
}

/** Takes an export apart. Its rows are still to be decoded, each by its own version. */
export function decodeExport(bytes: Uint8Array): RoomExport {
  const { checkpoints, ledger, ...rest } = readRow(bytes, Layout, maxBytes);
  return { ...rest, checkpoints: checkpoints.map(({ row }) => row), ledger: ledger.map(({ row }) => row) };
}
