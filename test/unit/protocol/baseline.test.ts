import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServerFrame as ServerRoot } from "../../../protocol/generated/frames.ts";
import {
  type BaselineFrame,
  baselineFrames,
  decodeServerFrame,
  encodeServerFrame,
  LIMITS,
  type Receipt,
} from "../../../protocol/index.ts";
import { writeMessage } from "../../../protocol/message-writer.ts";
import { pack, unpack } from "../../../protocol/packing.ts";
import { anyReceipts } from "./arbitrary-receipts.ts";
import { receipts, serverFrames } from "./frame-samples.ts";
import { reasonOf } from "./reason-of.ts";

const [admitted, , settled, timedOut] = receipts as readonly [Receipt, Receipt, Receipt, Receipt];
const MAX_U32 = 2 ** 32 - 1;
const NO_RECEIPTS = encodeServerFrame({ type: "receipts", session: 12, items: [] }).length;

/** Bytes that a receipt takes in a frame. */
function shareOf(receipt: Receipt): number {
  return encodeServerFrame({ type: "receipts", session: 12, items: [receipt] }).length - NO_RECEIPTS;
}

/** A receipt as a room without our checks would send it. */
const blank = { number: 1, seq: 7, slot: 0, revision: 1, tick: 0, status: 0, reason: "", result: "" };

const unpackedLength = (bytes: Uint8Array) => unpack(bytes, LIMITS.frameBytesOut).length;

describe("a baseline", () => {
  const sample = serverFrames.baseline as BaselineFrame;
  const head = { requestId: 3, session: 12, requestCursor: 5, baselineId: 1, covering: MAX_U32 };

  /** Pending receipts, each with as large a frame's share as one can have. */
  function large(count: number): Receipt[] {
    return Array.from({ length: count }, (_, i) => {
      return { ...settled, number: i + 1, seq: i + 1, result: "x".repeat(LIMITS.resultBytes - 2) };
    });
  }

  it("[R7] comes in parts of at most 16 KiB that say how many they are, none of them left half empty", () => {
    fc.assert(
      fc.property(anyReceipts, (items) => {
        const parts = baselineFrames(head, items);
        const encoded = parts.map((part) => encodeServerFrame(part));
        for (const [i, bytes] of encoded.entries()) {
          const length = unpackedLength(bytes);
          expect(length).toBeLessThanOrEqual(LIMITS.partBytes);
          expect(decodeServerFrame(bytes)).toEqual({ ...parts[i], part: i + 1, parts: parts.length });
          const next = parts[i + 1]?.items[0];
          // The first of the next part had no room here.
          if (next) expect(length + shareOf(next)).toBeGreaterThan(LIMITS.partBytes);
        }
        expect(parts.flatMap(({ items: some }) => some)).toEqual(
          items.toSorted((a, b) => a.number - b.number),
        );
      }),
      { numRuns: 40 },
    );
  });

  it("[A6] of nothing is one part, so that the client learns that nothing is pending", () => {
    const parts = baselineFrames(head, []);
    expect(parts).toEqual([{ type: "baseline", ...head, part: 1, parts: 1, items: [] }]);
    expect(decodeServerFrame(encodeServerFrame(parts[0] as BaselineFrame))).toEqual(parts[0]);
  });

  it("[A7] of a seat whose store is full fits the parts that a client takes", () => {
    const parts = baselineFrames(head, large(LIMITS.receiptsRetained + LIMITS.pendingActions));
    expect(parts.length).toBeLessThanOrEqual(LIMITS.baselineParts);
  });

  it("[X1] has at most 64 parts", () => {
    const perPart = baselineFrames(head, large(100))[0]?.items.length as number;
    const limit = LIMITS.baselineParts;
    expect(baselineFrames(head, large(perPart * limit))).toHaveLength(limit);
    expect(() => baselineFrames(head, large(perPart * limit + 1))).toThrow(RangeError);
  });

  it("[X1] has parts of 16 KiB and none a word longer", () => {
    // Filled up to the last word by the last result.
    const items = Array.from({ length: 16 }, (_, i) => ({ ...settled, number: i + 1, seq: i + 1 }));
    const fitted = (spare: number): BaselineFrame => ({
      type: "baseline",
      ...head,
      part: 1,
      parts: 1,
      items: items.map((item, i) => ({ ...item, result: "x".repeat(i === 15 ? spare : 1_022) })),
    });
    const rest = LIMITS.partBytes - unpackedLength(encodeServerFrame(fitted(0)));
    // Two quotation marks, a terminator and `spare` characters share the words that the empty string began.
    const largest = encodeServerFrame(fitted(rest + 5));
    expect(unpackedLength(largest)).toBe(LIMITS.partBytes);
    expect(decodeServerFrame(largest)).toMatchObject({ type: "baseline" });
    expect(() => encodeServerFrame(fitted(rest + 6))).toThrow(RangeError);
    // As a room without our checks would send it.
    const long = pack(
      writeMessage(ServerRoot, {
        type: "receipts",
        session: 12,
        items: new Array(511).fill(blank),
      }),
    );
    expect(reasonOf(() => decodeServerFrame(long))).toBe("too-large");
  });

  it("[A6] is refused below its own request's cursor, which it would move back", () => {
    const encode = (change: Partial<BaselineFrame>) => encodeServerFrame({ ...sample, items: [], ...change });
    expect(decodeServerFrame(encode({ requestCursor: 70_000, covering: 70_000 }))).toMatchObject({
      covering: 70_000,
    });
    expect(() => encode({ requestCursor: 70_001, covering: 70_000 })).toThrow(RangeError);
    // The same as a room without our checks would send it.
    const bytes = encode({ requestCursor: 70_000, covering: 70_001 });
    const view = new DataView(bytes.buffer);
    const at = [...bytes.keys()].filter((i) => i % 4 === 0 && view.getUint32(i, true) === 70_001);
    expect(at).toHaveLength(1);
    view.setUint32(at[0] as number, 69_999, true);
    expect(reasonOf(() => decodeServerFrame(bytes))).toBe("bad-value");
  });

  it("[A6] is refused with what can't be in it: a later receipt, an action twice, a part that isn't", () => {
    const odd: Partial<BaselineFrame>[] = [
      { requestId: 0 },
      { baselineId: 0 },
      { part: 0 },
      { part: 4 },
      { part: 1, parts: 0 },
      { parts: LIMITS.baselineParts + 1 },
      { session: 0, items: [] },
      { items: [{ ...timedOut, number: sample.covering + 1 }] },
      { items: [admitted, settled] },
    ];
    for (const change of odd) expect(() => encodeServerFrame({ ...sample, ...change })).toThrow(RangeError);
    const forged = ({ sameAction = 0, ...change }: Record<string, number>) => {
      const items = [1, 2].map((number) => ({ ...blank, number, slot: sameAction ? 0 : number }));
      const head = {
        session: 12,
        requestId: 1,
        baselineId: 1,
        covering: 2,
        part: 1,
        parts: 1,
        requestCursor: 0,
      };
      const bytes = pack(writeMessage(ServerRoot, { type: "baseline", ...head, ...change, items }));
      return reasonOf(() => decodeServerFrame(bytes));
    };
    expect(forged({})).toBe("accepted");
    for (const change of [{ covering: 1 }, { part: 2 }, { parts: 65 }, { requestId: 0 }, { baselineId: 0 }]) {
      expect(forged(change)).toBe("bad-value");
    }
    expect(forged({ session: 0 })).toBe("bad-value");
    expect(forged({ sameAction: 1 })).toBe("bad-value");
  });
});
