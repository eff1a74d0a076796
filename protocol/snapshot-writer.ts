import type { Snapshot, SnapshotFrame } from "./frame-types.ts";
import type { ServerFrame_snapshot } from "./generated/frames.ts";
import * as LIMITS from "./limits.ts";
import { pack } from "./packing.ts";
import { encodeRows } from "./rows.ts";

const MAX_U16 = 0xffff;
const WORD = 8;
/** Kind of a pointer, and element size of bytes. */
const LIST = 1;
const BYTES = 2;
/** Frames share chunks of this size: an allocation for each would cost more than writing it. */
const CHUNK_BYTES = 65_536;
/** Room for what isn't data: 11 words, each with a tag and a count. */
const HEAD_BYTES = 11 * (WORD + 2);

/** A shared section as it stands in every frame that carries it. */
export interface PackedSection {
  /** Before packing. */
  readonly length: number;
  readonly packed: Uint8Array;
}

export function packSection(section: Uint8Array): PackedSection {
  const words = new Uint8Array((section.length + 7) & -8);
  words.set(section);
  return { length: section.length, packed: pack(words) };
}

/** The frame that makes `snapshot` of `base`, as it is before it is encoded. */
export function snapshotFrame(
  snapshot: Snapshot,
  base: Snapshot | undefined,
  shared: Uint8Array,
): SnapshotFrame {
  const { seatRandom, missed, slippedTicks, receiptHead, own, ...rest } = snapshot;
  return {
    ...rest,
    type: "snapshot",
    baseTick: base?.tick ?? 0,
    randomChange: (seatRandom ^ (base?.seatRandom ?? 0)) >>> 0,
    moreMissed: (missed - (base?.missed ?? 0)) >>> 0,
    moreSlipped: (slippedTicks - (base?.slippedTicks ?? 0)) >>> 0,
    moreReceipts: (receiptHead - (base?.receiptHead ?? 0)) >>> 0,
    own: encodeRows(own, base?.own),
    shared,
  };
}

/** A frame's fields as the schema has them. */
export function snapshotRecord(frame: SnapshotFrame): ServerFrame_snapshot {
  const { baseTick, durable, credit, ...rest } = frame;
  const { tick, consumed } = rest;
  return {
    ...rest,
    bufferDepth: Math.min(rest.bufferDepth, MAX_U16),
    heldMs: Math.min(rest.heldMs, MAX_U16),
    baseAge: baseTick && within16(tick - baseTick, "ticks since the base"),
    notDurable: within16(consumed - durable, "commands to store"),
    creditLess: within16(consumed + LIMITS.creditWindow - credit, "commands less credit"),
  };
}

function within16(value: number, what: string): number {
  if (value < 0 || value > MAX_U16) throw new RangeError(`${value} ${what}`);
  return value;
}

/** Oldest base that a snapshot can be a difference against. */
export const MAX_BASE_AGE = MAX_U16;

/**
 * Writes snapshots for one seat after the other, already packed, by hand: it is the room's busiest loop. What it
 * returns is never written to again, but shares its buffer with other frames.
 */
export class SnapshotWriter {
  #chunk = new Uint8Array(CHUNK_BYTES);
  #at = 0;
  readonly #none = new Uint8Array(0);
  /** Where the count of a run of zero words stands that the next one lengthens, or -1. Fewer than 255 follow. */
  #zeros = -1;

  write(snapshot: Snapshot, base: Snapshot | undefined, shared: PackedSection): Uint8Array<ArrayBuffer> {
    const own = snapshot.own.length > 0 ? encodeRows(snapshot.own, base?.own) : this.#none;
    const most = HEAD_BYTES + own.length * 2 + 16 + shared.packed.length;
    if (this.#at + most > this.#chunk.length) {
      this.#chunk = new Uint8Array(Math.max(CHUNK_BYTES, most));
      this.#at = 0;
    }
    const from = this.#at;
    this.#zeros = -1;
    this.#head(snapshot, base, own, shared.length);
    for (let at = 0; at < own.length; at += WORD) this.#word(half(own, at), half(own, at + 4));
    this.#chunk.set(shared.packed, this.#at);
    this.#at += shared.packed.length;
    return this.#chunk.subarray(from, this.#at);
  }

  /** Stream header, root pointer, fields and pointers, in the order of the schema. */
  #head(now: Snapshot, base: Snapshot | undefined, own: Uint8Array, sharedBytes: number): void {
    const { tick, consumed } = now;
    const age = base ? within16(tick - base.tick, "ticks since the base") : 0;
    const ownWords = (own.length + 7) >> 3;
    this.#word(0, 10 + ownWords + ((sharedBytes + 7) >> 3));
    this.#word(0, 7 | (2 << 16));
    this.#word(1 | (age << 16), tick);
    this.#word(consumed, now.echoMs);
    this.#word(now.inputSession, Math.min(now.heldMs, MAX_U16) | (Math.min(now.bufferDepth, MAX_U16) << 16));
    this.#word(now.incarnation, now.seatRandom ^ (base ? base.seatRandom : 0));
    const notDurable = within16(consumed - now.durable, "commands to store");
    const creditLess = within16(consumed + LIMITS.creditWindow - now.credit, "commands less credit");
    this.#word(
      (now.missed - (base ? base.missed : 0)) | 0,
      (now.slippedTicks - (base ? base.slippedTicks : 0)) | 0,
    );
    this.#word((now.receiptHead - (base ? base.receiptHead : 0)) | 0, notDurable | (creditLess << 16));
    this.#word(now.requestId, 0);
    // Null pointers are no data; others say how far behind the pointer its target stands, in words.
    if (own.length === 0) this.#word(0, 0);
    else this.#word((1 << 2) | LIST, (own.length << 3) | BYTES);
    if (sharedBytes === 0) this.#word(0, 0);
    else this.#word((ownWords << 2) | LIST, (sharedBytes << 3) | BYTES);
  }

  /** A word as packing has it: a tag for the bytes that aren't zero, and a count behind 00 and ff. */
  #word(low: number, high: number): void {
    const chunk = this.#chunk;
    if ((low | high) === 0) {
      if (this.#zeros >= 0) {
        (chunk[this.#zeros] as number)++;
        return;
      }
      chunk[this.#at++] = 0;
      this.#zeros = this.#at;
      chunk[this.#at++] = 0;
      return;
    }
    this.#zeros = -1;
    const tagAt = this.#at++;
    let tag = 0;
    for (let bit = 1, rest = low; rest !== 0; bit <<= 1, rest >>>= 8) {
      if ((rest & 0xff) === 0) continue;
      tag |= bit;
      chunk[this.#at++] = rest;
    }
    for (let bit = 16, rest = high; rest !== 0; bit <<= 1, rest >>>= 8) {
      if ((rest & 0xff) === 0) continue;
      tag |= bit;
      chunk[this.#at++] = rest;
    }
    chunk[tagAt] = tag;
    if (tag === 0xff) chunk[this.#at++] = 0;
  }
}

/** Four bytes as a number; past the end they are zero. */
function half(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  );
}
