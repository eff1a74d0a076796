import { expect } from "vitest";
import { WireError, type WireReason } from "../../protocol/index.ts";
import { countReads } from "./count-reads.ts";

export type Decode = (bytes: Uint8Array) => unknown;

/** Reads per byte that any input may cost: checks and contents. */
const READS_PER_BYTE = 4;

/** The reason of refusal, or "accepted". Anything else thrown, or work out of proportion, fails the test. */
export function verdict(
  decode: Decode,
  bytes: Uint8Array,
  unpackedBytes = bytes.length,
): WireReason | "accepted" {
  let result: WireReason | "accepted" = "accepted";
  const reads = countReads(() => {
    try {
      decode(bytes);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      // A refusal is decided, never stumbled upon.
      expect(error.cause).toBeUndefined();
      result = error.reason;
    }
  });
  expect(reads).toBeLessThanOrEqual(READS_PER_BYTE * unpackedBytes + 2000);
  return result;
}
