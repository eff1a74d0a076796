import fc from "fast-check";
import { LIMITS, type Receipt, receiptReason } from "../../../protocol/index.ts";

const anyU32 = fc.integer({ min: 1, max: 2 ** 32 - 1 });
const anyReason = fc.string({ unit: "binary", maxLength: 200 }).map(receiptReason);

/** A JSON value that fits a result. */
const anyResult = fc
  .jsonValue({ maxDepth: 5 })
  .filter((value) => new TextEncoder().encode(JSON.stringify(value)).length <= LIMITS.resultBytes)
  // Keys that JSON.parse would give a meaning are refused, not carried; -0 is 0 in JSON.
  .filter((value) => !JSON.stringify(value).includes("__proto__"))
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

const anyOutcome = fc.oneof(
  fc.record({
    status: fc.constant("admitted" as const),
    revision: fc.integer({ min: 1, max: 255 }),
    reason: fc.constant(""),
    result: fc.constant(null),
  }),
  fc.record({
    status: fc.constant("rejected" as const),
    revision: fc.constant(1),
    reason: anyReason,
    result: fc.constant(null),
  }),
  fc.record({
    status: fc.constant("settled" as const),
    revision: fc.integer({ min: 2, max: 255 }),
    reason: fc.constant(""),
    result: fc.oneof(
      anyResult,
      fc.integer({ min: 0, max: 1_000 }).map((length) => "r".repeat(length)),
    ),
  }),
  fc.record({
    status: fc.constant("timedOut" as const),
    revision: fc.integer({ min: 2, max: 255 }),
    reason: anyReason,
    result: fc.constant(null),
  }),
);

/** Receipts of session 12 in any order, no number and no action twice. */
export const anyReceipts: fc.Arbitrary<Receipt[]> = fc
  .array(
    fc.record({
      number: anyU32,
      seq: anyU32,
      slot: fc.integer({ min: 0, max: 255 }),
      tick: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      outcome: anyOutcome,
    }),
    { maxLength: 120 },
  )
  .map((items) => {
    const numbers = new Set<number>();
    const actions = new Set<string>();
    return items.flatMap(({ number, seq, slot, tick, outcome }) => {
      const action = `${seq}/${slot}`;
      if (numbers.has(number) || actions.has(action)) return [];
      numbers.add(number);
      actions.add(action);
      return [{ number, session: 12, seq, slot, tick, ...outcome }];
    });
  });
