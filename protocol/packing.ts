import { WireError } from "./errors.ts";

const WORD = 8;
/** Words that one count byte can announce. */
const MAX_RUN = 255;

/** Cap'n Proto's packing: a tag byte per word says which of its bytes aren't zero; runs are counted. */
export function pack(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  // Worst case: every word incompressible in runs of one (tag, eight bytes, count).
  const packed = new Uint8Array((bytes.length / WORD) * (WORD + 2));
  let out = 0;
  let at = 0;
  while (at < bytes.length) {
    const tagAt = out++;
    let tag = 0;
    for (let bit = 0; bit < WORD; bit++) {
      const byte = bytes[at + bit] as number;
      if (byte !== 0) {
        tag |= 1 << bit;
        packed[out++] = byte;
      }
    }
    packed[tagAt] = tag;
    at += WORD;
    if (tag === 0) {
      const run = countWords(bytes, at, (zeros) => zeros === WORD);
      packed[out++] = run;
      at += run * WORD;
    } else if (tag === 0xff) {
      // A word with two zero bytes is as short packed as copied, and ends the run.
      const run = countWords(bytes, at, (zeros) => zeros < 2);
      packed[out++] = run;
      packed.set(bytes.subarray(at, at + run * WORD), out);
      out += run * WORD;
      at += run * WORD;
    }
  }
  return packed.subarray(0, out);
}

function countWords(bytes: Uint8Array, from: number, fits: (zeros: number) => boolean): number {
  let run = 0;
  for (let at = from; run < MAX_RUN && at < bytes.length; at += WORD, run++) {
    let zeros = 0;
    for (let i = 0; i < WORD; i++) if (bytes[at + i] === 0) zeros++;
    if (!fits(zeros)) break;
  }
  return run;
}

/** Undoes `pack`. The size is computed first, so a bomb is refused before any memory is taken for it. */
export function unpack(packed: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(unpackedSize(packed, maxBytes));
  let out = 0;
  let at = 0;
  while (at < packed.length) {
    const tag = packed[at++] as number;
    for (let bit = 0; bit < WORD; bit++, out++) {
      if (tag & (1 << bit)) bytes[out] = packed[at++] as number;
    }
    if (tag === 0) {
      out += (packed[at++] as number) * WORD;
    } else if (tag === 0xff) {
      const run = (packed[at++] as number) * WORD;
      bytes.set(packed.subarray(at, at + run), out);
      at += run;
      out += run;
    }
  }
  return bytes;
}

function unpackedSize(packed: Uint8Array, maxBytes: number): number {
  let words = 0;
  let at = 0;
  while (at < packed.length) {
    const tag = packed[at++] as number;
    words++;
    for (let rest = tag; rest !== 0; rest &= rest - 1) at++;
    if (tag === 0 || tag === 0xff) {
      const run = packed[at++] ?? 0;
      words += run;
      if (tag === 0xff) at += run * WORD;
    }
    if (words * WORD > maxBytes) throw new WireError("too-large", `more than ${maxBytes} bytes unpacked`);
  }
  if (at > packed.length) throw new WireError("truncated", "a packed frame ends early");
  return words * WORD;
}
