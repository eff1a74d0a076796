import { WireError } from "./errors.ts";
import type { Layout } from "./layout.ts";
import * as LIMITS from "./limits.ts";
import { readMessage } from "./message.ts";
import { STORAGE_VERSION } from "./storage-types.ts";

/** Another version's row: only its first field means anything. */
const ANY: Layout<{ readonly formatVersion: number }> = {
  words: 1,
  pointers: 0,
  fields: [["formatVersion", 2, 0]],
};

/** Reads a stored row of this format, or refuses it by its version before anything else of it is interpreted. */
export function readRow<T>(bytes: Uint8Array, row: Layout<T>, maxBytes: number = LIMITS.storedRowBytes): T {
  const { formatVersion } = readMessage(bytes, ANY, maxBytes);
  if (formatVersion !== STORAGE_VERSION) {
    throw new WireError("stored-version", `format ${formatVersion}, this version reads ${STORAGE_VERSION}`);
  }
  return readMessage(bytes, row, maxBytes);
}

/** What storage would refuse must not reach the transaction: the error there wouldn't say why. */
export function checkedRow(
  row: Uint8Array<ArrayBuffer>,
  maxBytes: number = LIMITS.storedRowBytes,
): Uint8Array<ArrayBuffer> {
  if (row.length > maxBytes) throw new RangeError(`${row.length} bytes to store, at most ${maxBytes}`);
  return row;
}

/** Keeps a row that couldn't be read again from being written. */
export function requireWritable(fault: string | undefined): void {
  if (fault !== undefined) throw new RangeError(fault);
}

export function requireReadable(fault: string | undefined): void {
  if (fault !== undefined) throw new WireError("bad-value", fault);
}

/** Numbers as u32, little-endian each, as every supported platform keeps them: of an array of u32 it is a view. */
export function fromNumbers(numbers: ArrayLike<number>): Uint8Array {
  if (numbers instanceof Uint32Array) {
    return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  }
  const bytes = new Uint8Array(numbers.length * 4);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < numbers.length; i++) view.setUint32(i * 4, numbers[i] as number, true);
  return bytes;
}

export function toNumbers(bytes: Uint8Array): number[] {
  if (bytes.length % 4 !== 0) throw new WireError("malformed", `${bytes.length} bytes of 4 each`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers: number[] = [];
  for (let at = 0; at < bytes.length; at += 4) numbers.push(view.getUint32(at, true));
  return numbers;
}
