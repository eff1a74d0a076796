import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServerFrame as ServerRoot } from "../../../protocol/generated/frames.ts";
import {
  decodeReceiptRow,
  decodeServerFrame,
  encodeReceiptRow,
  encodeServerFrame,
  isFinal,
  LIMITS,
  type Receipt,
  receiptFrames,
  receiptReason,
  STORAGE_VERSION,
} from "../../../protocol/index.ts";
import { writeMessage } from "../../../protocol/message-writer.ts";
import { pack } from "../../../protocol/packing.ts";
import { anyReceipts } from "./arbitrary-receipts.ts";
import { receipts } from "./frame-samples.ts";
import { reasonOf } from "./reason-of.ts";

const [admitted, rejected, settled, timedOut] = receipts as readonly [Receipt, Receipt, Receipt, Receipt];

function encodeOne(receipt: Receipt): Uint8Array {
  return encodeServerFrame({ type: "receipts", session: receipt.session, items: [receipt] });
}

function rowOf(receipt: Receipt): Uint8Array {
  return encodeReceiptRow({ formatVersion: STORAGE_VERSION, seat: 1, receipt, committedTick: 9 });
}

/** Writes a receipt as a room without our checks would. */
function forge(change: Record<string, unknown>): Uint8Array {
  const item = {
    number: 1,
    seq: 1,
    revision: 1,
    tick: 0,
    slot: 0,
    status: 0,
    reason: "",
    result: "",
    ...change,
  };
  return pack(writeMessage(ServerRoot, { type: "receipts", session: 12, items: [item] }));
}

describe("a receipt", () => {
  it("[A2] is pending as admitted and final in every other status", () => {
    expect(receipts.map(isFinal)).toEqual([false, true, true, true, true]);
  });

  it("[A2] comes back as it was, from a frame and from storage", () => {
    fc.assert(
      fc.property(anyReceipts, (items) => {
        for (const receipt of items) {
          expect(decodeServerFrame(encodeOne(receipt))).toMatchObject({ items: [receipt] });
          expect(decodeReceiptRow(rowOf(receipt)).receipt).toEqual(receipt);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("[A2] neither leaves nor arrives with a status that its revision, reason or result denies", () => {
    const odd: Partial<Receipt>[] = [
      { ...admitted, revision: 0 },
      { ...admitted, reason: "why" },
      { ...admitted, result: 1 },
      { ...rejected, revision: 2 },
      { ...rejected, revision: 0 },
      { ...rejected, result: {} },
      { ...settled, revision: 1 },
      { ...settled, reason: "why" },
      { ...timedOut, revision: 1 },
      { ...timedOut, result: false },
      { ...admitted, number: 0 },
      { ...admitted, seq: 0 },
    ];
    const statuses = ["admitted", "rejected", "settled", "timedOut"];
    for (const receipt of odd) {
      expect(() => encodeOne(receipt as Receipt)).toThrow(RangeError);
      expect(() => rowOf(receipt as Receipt)).toThrow(RangeError);
      const { status, result, session: _, ...rest } = receipt as Receipt;
      const text = result === null ? "" : JSON.stringify(result);
      const bytes = forge({ ...rest, status: statuses.indexOf(status), result: text });
      expect(reasonOf(() => decodeServerFrame(bytes))).toBe("bad-value");
    }
  });

  it("[A2] may skip revisions, and settle without having been told pending", () => {
    for (const receipt of [
      { ...settled, revision: 2 },
      { ...settled, revision: 255 },
      { ...admitted, revision: 9 },
    ]) {
      expect(decodeServerFrame(encodeOne(receipt))).toMatchObject({ items: [receipt] });
    }
  });

  it("[A2] of an unknown status is refused", () => {
    for (const status of [4, 5, 65_535]) {
      expect(reasonOf(() => decodeServerFrame(forge({ status, revision: 2 })))).toBe("bad-value");
    }
    expect(() => encodeOne({ ...settled, status: "lost" as "settled" })).toThrow(RangeError);
  });

  it("[X1] carries a reason of 64 characters and no longer one, counting characters and not bytes", () => {
    const longest = "🦊".repeat(LIMITS.reasonCharacters);
    expect(decodeServerFrame(encodeOne({ ...rejected, reason: longest }))).toMatchObject({
      items: [{ reason: longest }],
    });
    expect(() => encodeOne({ ...rejected, reason: `${longest}!` })).toThrow(RangeError);
    expect(reasonOf(() => decodeServerFrame(forge({ status: 1, reason: `${longest}!` })))).toBe("bad-value");
  });

  it("[X1] takes any reason that a game gives, once it is cut", () => {
    const any = fc.oneof(fc.string({ unit: "binary", maxLength: 100 }), fc.constant("\ud83e".repeat(70)));
    fc.assert(
      fc.property(any, (text) => {
        const receipt = { ...rejected, reason: receiptReason(text) };
        expect(decodeServerFrame(encodeOne(receipt))).toMatchObject({ items: [receipt] });
      }),
    );
    expect(receiptReason("cooldown")).toBe("cooldown");
  });

  it("[X1] carries a result of 1,024 bytes of JSON and not one more", () => {
    const text = (bytes: number) => `${"é".repeat((bytes - 2) >> 1)}${bytes % 2 === 1 ? "e" : ""}`;
    const limit = LIMITS.resultBytes;
    const largest = { ...settled, result: text(limit) };
    expect(decodeServerFrame(encodeOne(largest))).toMatchObject({ items: [largest] });
    expect(() => encodeOne({ ...settled, result: text(limit + 1) })).toThrow(RangeError);
    const tooLong = forge({ status: 2, revision: 2, result: JSON.stringify(text(limit + 1)) });
    expect(reasonOf(() => decodeServerFrame(tooLong))).toBe("bad-value");
  });

  it("[W3] is refused with a result that is no JSON", () => {
    for (const result of ["{", "nul", "1 2", "'a'", "[1,]", '{"__proto__":{}}', "NaN", "\u0000"]) {
      const bytes = forge({ status: 2, revision: 2, result });
      expect(reasonOf(() => decodeServerFrame(bytes))).toBe("bad-value");
    }
  });
});

describe("receipt frames", () => {
  it("[A4] are refused with numbers that don't ascend", () => {
    const items = [admitted, { ...rejected, number: admitted.number }];
    const frame = { type: "receipts", session: 12, items } as const;
    expect(() => encodeServerFrame(frame)).toThrow(RangeError);
    const item = { revision: 1, tick: 0, slot: 0, status: 0, reason: "", result: "" };
    const forged = [2, 1].map((number) => ({ ...item, number, seq: 3 - number }));
    const bytes = pack(writeMessage(ServerRoot, { type: "receipts", session: 12, items: forged }));
    expect(reasonOf(() => decodeServerFrame(bytes))).toBe("bad-value");
  });

  it("[A4] hold receipts of one session only", () => {
    const frame = { type: "receipts", session: 11, items: [admitted] } as const;
    expect(() => encodeServerFrame(frame)).toThrow(RangeError);
    expect(() => encodeServerFrame({ ...frame, session: 0, items: [] })).toThrow(RangeError);
  });

  it("[R7] hold any number of receipts, in order and in frames of at most 16 KiB each", () => {
    fc.assert(
      fc.property(anyReceipts, (items) => {
        const frames = receiptFrames(12, items);
        const arrived = frames.flatMap((frame) => {
          const bytes = encodeServerFrame(frame);
          expect(bytes.length).toBeLessThanOrEqual(LIMITS.partBytes);
          const decoded = decodeServerFrame(bytes);
          return decoded.type === "receipts" ? decoded.items : [];
        });
        expect(arrived).toEqual(items.toSorted((a, b) => a.number - b.number));
      }),
      { numRuns: 40 },
    );
    expect(receiptFrames(12, [])).toEqual([]);
  });
});
