import { describe, expect, it } from "vitest";
import { asIncarnation, asInputSession, asNetId, asSeatId, asSeq, asTick } from "../../../protocol/index.ts";

describe("doors of branded numbers", () => {
  const doors = [
    ["[I2] a sequence number", asSeq, 1, 2 ** 32 - 1],
    ["[I2] an input session", asInputSession, 1, 2 ** 32 - 1],
    ["[P3] an incarnation", asIncarnation, 1, 2 ** 32 - 1],
    ["[T1] a tick", asTick, 0, 2 ** 32 - 1],
    ["[R2] a network id", asNetId, 1, 65_535],
    ["[S2] a seat", asSeatId, 1, 65_535],
  ] as const;

  for (const [what, door, min, max] of doors) {
    it(`${what} is ${min} to ${max}, and whole`, () => {
      expect(door(min)).toBe(min);
      expect(door(max)).toBe(max);
      for (const wrong of [min - 1, max + 1, min + 0.5, Number.NaN])
        expect(() => door(wrong)).toThrow(RangeError);
    });
  }
});
