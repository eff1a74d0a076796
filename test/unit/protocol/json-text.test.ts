import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromJsonText, LIMITS, toJsonText, WireError } from "../../../protocol/index.ts";

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

describe("JSON texts", () => {
  it("[W3] come back as the value that they were made of", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes("__proto__"));
        expect(toJsonText(value, 1e6)).toBe(text);
        expect(fromJsonText(text, 1e6)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("[W3] are never written when they couldn't be read", () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 4 }), (value) => {
        let text: string;
        try {
          text = toJsonText(value, 200);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          return;
        }
        fromJsonText(text, 200);
      }),
    );
  });

  it("[X1] hold as many bytes as they may, not characters, and no more", () => {
    expect(fromJsonText('"éé"', 6)).toBe("éé");
    expect(() => fromJsonText('"éé"', 5)).toThrow(WireError);
    expect(toJsonText("éé", 6)).toBe('"éé"');
    expect(() => toJsonText("éé", 5)).toThrow(RangeError);
  });

  it("[X1] nest 32 levels and no more, not counting brackets in strings", () => {
    const limit = LIMITS.jsonDepth;
    expect(fromJsonText(nested(limit), 1000)).toEqual(JSON.parse(nested(limit)));
    expect(() => fromJsonText(nested(limit + 1), 1000)).toThrow(WireError);
    expect(() => toJsonText(JSON.parse(nested(limit + 1)), 1000)).toThrow(RangeError);
    const text = JSON.stringify(`\\"${"[{".repeat(100)}`);
    expect(fromJsonText(text, 1000)).toBe(JSON.parse(text));
    expect(() => fromJsonText(nested(1e6), 1e7)).toThrow(WireError);
  });

  it("[W3] are refused with a key that would become a prototype wherever they are merged in", () => {
    for (const text of ['{"__proto__":{"admin":true}}', '[{"a":{"\\u005f_proto__":1}}]']) {
      expect(() => fromJsonText(text, 1000)).toThrow(WireError);
      expect(() => toJsonText(JSON.parse(text), 1000)).toThrow(RangeError);
    }
    expect(fromJsonText('"__proto__"', 100)).toBe("__proto__");
  });

  it("[W3] are refused as nothing but WireErrors, whatever they say", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'[]{}",:\\u0d1-e.tn ') })),
        (text) => {
          try {
            fromJsonText(text, 1000);
          } catch (error) {
            expect(error).toBeInstanceOf(WireError);
          }
        },
      ),
    );
  });

  it("refuse values that JSON has no text for", () => {
    const loop: unknown[] = [];
    loop.push(loop);
    for (const value of [undefined, () => 1, Symbol("s"), 1n, loop]) {
      expect(() => toJsonText(value, 1000)).toThrow(RangeError);
    }
  });
});
