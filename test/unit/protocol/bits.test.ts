import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BitReader, CodeWriter, unzigzag, zigzag } from "../../../protocol/bits.ts";

const u32 = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc.integer({ min: 0, max: 31 }).map((bit) => 2 ** bit),
  fc.constantFrom(0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 2),
);

describe("bit streams", () => {
  it("[R3] give back any mixture of codes in order", () => {
    const item = fc.oneof(
      fc.record({ kind: fc.constant("gamma"), value: u32.filter((v) => v < 2 ** 32 - 1), k: fc.constant(0) }),
      fc.record({ kind: fc.constant("sized"), value: u32, k: fc.constant(0) }),
      fc.record({ kind: fc.constant("rice"), value: u32, k: fc.integer({ min: 0, max: 31 }) }),
      fc
        .record({ kind: fc.constant("plain"), value: u32, k: fc.integer({ min: 0, max: 32 }) })
        .map((plain) => ({ ...plain, value: plain.k === 0 ? 0 : plain.value % 2 ** plain.k })),
    );
    fc.assert(
      fc.property(fc.array(item, { maxLength: 200 }), (items) => {
        const writer = new CodeWriter(1);
        for (const { kind, value, k } of items) {
          if (kind === "gamma") writer.writeGamma(value);
          else if (kind === "sized") writer.writeSized(value);
          else if (kind === "rice") writer.writeRice(value, k);
          else writer.write(value, k);
        }
        const reader = new BitReader(writer.finish());
        for (const { kind, value, k } of items) {
          if (kind === "gamma") expect(reader.readGamma()).toBe(value);
          else if (kind === "sized") expect(reader.readSized()).toBe(value);
          else if (kind === "rice") expect(reader.readRice(k)).toBe(value);
          else expect(reader.read(k)).toBe(value);
        }
        reader.finish();
      }),
    );
  });

  it("[W3] end with a typed error instead of reading on as zeroes", () => {
    expect(() => new BitReader(new Uint8Array(2)).read(17)).toThrow(/truncated/);
    expect(() => new BitReader(new Uint8Array(100)).readGamma()).toThrow(/malformed/);
    expect(() => new BitReader(Uint8Array.of(33)).readSized()).toThrow(/malformed/);
    expect(() => new BitReader(Uint8Array.of(0, 0)).finish()).toThrow(/malformed/);
  });

  it("map every int32 to a u32 and back, small ones to small ones", () => {
    for (const value of [0, -1, 1, -2, 2 ** 31 - 1, -(2 ** 31)]) expect(unzigzag(zigzag(value))).toBe(value);
    expect([0, -1, 1, -2, 2].map(zigzag)).toEqual([0, 1, 2, 3, 4]);
  });
});
