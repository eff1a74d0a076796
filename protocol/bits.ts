import { WireError } from "./errors.ts";

/** Longest unary part of a Rice code; a value that would need more is written with its length behind it. */
const RICE_ESCAPE = 8;

/**
 * What a Rice code expects next: the mean of what came lately, in eighths. Writer and reader keep it alike, so that no
 * parameters travel.
 */
export class Expectation {
  #eighths = 4 * 8;

  /** Bits that a value is expected to have. */
  get bits(): number {
    return 32 - Math.clz32((this.#eighths * 3) >> 5);
  }

  learn(value: number): void {
    this.#eighths += Math.min(value, 0xff_ffff) - (this.#eighths >> 3);
  }
}

/** Writes bits, least significant first, into a buffer that grows by doubling. */
export class BitWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;
  /** Bits that don't fill two bytes yet; always fewer than 16 between calls. */
  #pending = 0;
  #pendingBits = 0;

  constructor(capacityBytes = 256) {
    this.#bytes = new Uint8Array(Math.max(capacityBytes, 8));
  }

  /** The low `bits` (0 … 32) of a value. */
  write(value: number, bits: number): void {
    if (bits > 16) {
      this.#write16(value & 0xffff, 16);
      this.#write16(value >>> 16, bits - 16);
    } else {
      this.#write16(value, bits);
    }
  }

  #write16(value: number, bits: number): void {
    const pending = this.#pending | ((value & ((1 << bits) - 1)) << this.#pendingBits);
    const count = this.#pendingBits + bits;
    if (count < 16) {
      this.#pending = pending;
      this.#pendingBits = count;
      return;
    }
    if (this.#length + 4 > this.#bytes.length) this.#grow();
    this.#bytes[this.#length++] = pending;
    this.#bytes[this.#length++] = pending >>> 8;
    this.#pending = pending >>> 16;
    this.#pendingBits = count - 16;
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  /** What was written, padded with zero bits. The writer is spent. */
  finish(): Uint8Array<ArrayBuffer> {
    const length = this.#length + ((this.#pendingBits + 7) >> 3);
    this.#write16(0, 16 - this.#pendingBits);
    return this.#bytes.subarray(0, length);
  }
}

/** Writes numbers in the codes that an entity section is made of: apart, because only a room does. */
export class CodeWriter extends BitWriter {
  /** A number that is mostly small (0 … 2^32 − 2): Elias gamma of value + 1. */
  writeGamma(value: number): void {
    const plusOne = (value + 1) >>> 0;
    const length = 32 - Math.clz32(plusOne);
    this.write(0, length - 1);
    this.write(1, 1);
    this.write(plusOne, length - 1);
  }

  /** A number of any size (u32): 6 bits of length, then the bits below its top one. */
  writeSized(value: number): void {
    const length = 32 - Math.clz32(value);
    this.write(length, 6);
    if (length > 1) this.write(value, length - 1);
  }

  /** A number (u32) that is mostly around 2^k. */
  writeRice(value: number, k: number): void {
    const quotient = value >>> k;
    if (quotient < RICE_ESCAPE) {
      const ones = (1 << quotient) - 1;
      if (quotient + k < 16)
        this.write(ones | ((value & ((1 << k) - 1)) << (quotient + 1)), quotient + 1 + k);
      else {
        this.write(ones, quotient + 1);
        this.write(value, k);
      }
    } else {
      this.write(0xff, RICE_ESCAPE);
      const below = 31 - Math.clz32(value);
      this.write(below, 5);
      this.write(value, below);
    }
  }

  /** A number (u32) that is mostly like those before it. */
  writeExpected(value: number, expected: Expectation): void {
    this.writeRice(value, expected.bits);
    expected.learn(value);
  }
}

/** Reads what the writers wrote. Running past the end is a WireError, so every loop over it is bounded. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #position = 0;
  #pending = 0;
  #pendingBits = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** `bits` (0 … 32) as an unsigned number. */
  read(bits: number): number {
    if (bits <= 16) return this.#read16(bits);
    const low = this.#read16(16);
    return (low | (this.#read16(bits - 16) << 16)) >>> 0;
  }

  #read16(bits: number): number {
    let pending = this.#pending;
    let count = this.#pendingBits;
    while (count < bits) {
      const byte = this.#bytes[this.#position++];
      if (byte === undefined) throw new WireError("truncated", "a bit stream ends early");
      pending |= byte << count;
      count += 8;
    }
    this.#pending = pending >>> bits;
    this.#pendingBits = count - bits;
    return pending & ((1 << bits) - 1);
  }

  readGamma(): number {
    let zeros = 0;
    while (this.#read16(1) === 0) {
      if (++zeros > 31) throw new WireError("malformed", "a number is longer than 32 bits");
    }
    return ((2 ** zeros + this.read(zeros)) >>> 0) - 1;
  }

  readSized(): number {
    const length = this.#read16(6);
    if (length > 32) throw new WireError("malformed", "a number is longer than 32 bits");
    return length < 2 ? length : 2 ** (length - 1) + this.read(length - 1);
  }

  readRice(k: number): number {
    // All ones at once: bit by bit, this would be half of a snapshot's decoding.
    while (this.#pendingBits < 16 && this.#position < this.#bytes.length) {
      this.#pending |= (this.#bytes[this.#position++] as number) << this.#pendingBits;
      this.#pendingBits += 8;
    }
    const ones = 31 - Math.clz32(~this.#pending & (this.#pending + 1));
    if (ones < RICE_ESCAPE) {
      this.#read16(ones + 1);
      return ((ones << k) | this.read(k)) >>> 0;
    }
    this.#read16(RICE_ESCAPE);
    const below = this.#read16(5);
    return 2 ** below + this.read(below);
  }

  readExpected(expected: Expectation): number {
    const value = this.readRice(expected.bits);
    expected.learn(value);
    return value;
  }

  /** Refuses anything but the padding of the last byte, so that nothing can hide behind the end. */
  finish(): void {
    if (this.#position < this.#bytes.length || this.#pendingBits >= 8 || this.#pending !== 0) {
      throw new WireError("malformed", "a bit stream has something behind its end");
    }
  }
}

/** Maps 0, −1, 1, −2 … to 0, 1, 2, 3 …, any int32 to u32. */
export function zigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}

export function unzigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}
