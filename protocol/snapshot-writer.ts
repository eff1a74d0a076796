import type { SnapshotFrame } from "./frame-types.ts";

// A snapshot goes to every seat of every window, and capnp-es takes some 30 µs to build one: this writes the same
// words directly. The offsets repeat what frames.capnp says; a test holds them against the generated code.

const DATA_WORDS = 8;
const POINTERS = 2;
/** Frame header and root pointer. */
const DATA_AT = 16;
const POINTERS_AT = DATA_AT + DATA_WORDS * 8;
const CONTENT_AT = POINTERS_AT + POINTERS * 8;
/** `snapshot` is the union's member 1. */
const TAG = 1;
const LIST_POINTER = 1;
const BYTE_LIST = 2;

export function writeSnapshot(frame: SnapshotFrame): Uint8Array<ArrayBuffer> {
  const ownAt = CONTENT_AT + padded(frame.shared.length);
  const bytes = new Uint8Array(ownAt + padded(frame.own.length));
  const view = new DataView(bytes.buffer);
  view.setUint32(4, bytes.length / 8 - 1, true);
  view.setUint16(12, DATA_WORDS, true);
  view.setUint16(14, POINTERS, true);
  view.setUint16(DATA_AT, frame.requestId, true);
  view.setUint16(DATA_AT + 2, Math.min(frame.bufferDepth, 0xffff), true);
  view.setUint16(DATA_AT + 4, Math.min(frame.heldMs, 0xffff), true);
  view.setUint32(DATA_AT + 8, frame.tick, true);
  view.setUint32(DATA_AT + 12, frame.baseTick, true);
  view.setUint32(DATA_AT + 16, frame.incarnation, true);
  view.setUint32(DATA_AT + 20, frame.inputSession, true);
  view.setUint32(DATA_AT + 24, frame.consumed, true);
  view.setUint32(DATA_AT + 28, frame.durable, true);
  view.setUint16(DATA_AT + 32, TAG, true);
  view.setUint32(DATA_AT + 36, frame.credit, true);
  view.setUint32(DATA_AT + 40, frame.missed, true);
  view.setUint32(DATA_AT + 44, frame.slippedTicks, true);
  view.setUint32(DATA_AT + 48, frame.echoMs, true);
  view.setUint32(DATA_AT + 52, frame.seatRandom, true);
  view.setUint32(DATA_AT + 56, frame.receiptHead, true);
  setData(bytes, view, POINTERS_AT, CONTENT_AT, frame.shared);
  setData(bytes, view, POINTERS_AT + 8, ownAt, frame.own);
  return bytes;
}

function setData(
  bytes: Uint8Array,
  view: DataView,
  pointerAt: number,
  contentAt: number,
  data: Uint8Array,
): void {
  view.setUint32(pointerAt, (((contentAt - pointerAt) / 8 - 1) << 2) | LIST_POINTER, true);
  view.setUint32(pointerAt + 4, (data.length << 3) | BYTE_LIST, true);
  bytes.set(data, contentAt);
}

function padded(length: number): number {
  return (length + 7) & -8;
}
