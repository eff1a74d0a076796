import { type ExportedRow, RoomExport as ExportRoot } from "./generated/storage.ts";
import { LIMITS } from "./limits.ts";
import { createMessage, type PointerShape, type RootShape, readList } from "./message.ts";
import type { RoomExport } from "./storage-types.ts";
import { checkedRow, readRow, textBytes } from "./stored-row.ts";

const ROW: PointerShape = { dataWords: 0, pointers: ["data"] };
const SHAPE: RootShape = { members: [["text", ROW, ROW]] };
const EXPORT_BYTES = 64;
const ROW_BYTES = 16;
const maxBytes = LIMITS.exportBytes.value;

/** The rows stay as they were stored: what replays is what would have been restored. */
export function encodeExport(room: RoomExport): Uint8Array<ArrayBuffer> {
  let size = EXPORT_BYTES + textBytes(room.roomName);
  for (const row of [...room.checkpoints, ...room.ledger]) size += ROW_BYTES + row.length;
  const message = createMessage(size);
  const root = message.initRoot(ExportRoot);
  root.formatVersion = room.formatVersion;
  root.roomName = room.roomName;
  const checkpoints = root._initCheckpoints(room.checkpoints.length);
  for (const [i, row] of room.checkpoints.entries()) checkpoints.get(i)._initRow(row.length).copyBuffer(row);
  const ledger = root._initLedger(room.ledger.length);
  for (const [i, row] of room.ledger.entries()) ledger.get(i)._initRow(row.length).copyBuffer(row);
  return checkedRow(message.toArrayBuffer(), maxBytes);
}

/** Takes an export apart. Its rows are still to be decoded, each by its own version. */
export function decodeExport(bytes: Uint8Array): RoomExport {
  const rowOf = (record: ExportedRow) => record.row.toUint8Array().slice();
  return readRow(bytes, { Root: ExportRoot, shape: SHAPE, maxBytes }, (root) => ({
    formatVersion: root.formatVersion,
    roomName: root.roomName,
    checkpoints: readList(root.checkpoints, rowOf),
    ledger: readList(root.ledger, rowOf),
  }));
}
