import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detMath } from "../../../sim/index.ts";
import { MATH_DIGEST, mathDigest } from "./math-digest.ts";

const { sin, cos, tan, atan, atan2, asin, acos, exp, log, pow, hypot } = detMath;
const NEAR = 1e-13;

const real = (max: number) => fc.double({ min: -max, max, noNaN: true });

/** Distance from what the engine says, relative to it or to 1. */
function error(own: number, engine: number): number {
  if (Object.is(own, engine)) return 0;
  return Math.abs(own - engine) / Math.max(1, Math.abs(engine));
}

describe("detMath", () => {
  it.each([
    ["sin", sin, Math.sin, 1e6],
    ["cos", cos, Math.cos, 1e6],
    ["tan", tan, Math.tan, 1.5],
    ["atan", atan, Math.atan, 1e9],
    ["asin", asin, Math.asin, 1],
    ["acos", acos, Math.acos, 1],
    ["exp", exp, Math.exp, 700],
    ["log", (x: number) => log(Math.abs(x)), (x: number) => Math.log(Math.abs(x)), 1e300],
  ] as const)("[T1] %s is what the engine's is, but for the last bits", (_, own, engine, max) => {
    fc.assert(
      fc.property(real(max), (x) => {
        expect(error(own(x), engine(x))).toBeLessThan(NEAR);
      }),
    );
  });

  it("[T1] atan2, hypot and pow are what the engine's are, but for the last bits", () => {
    const pair = fc.tuple(real(1000), real(1000));
    fc.assert(
      fc.property(pair, ([x, y]) => {
        expect(error(hypot(x, y), Math.hypot(x, y))).toBeLessThan(NEAR);
        // Zeroes have signs there that no angle needs.
        if (x !== 0 && y !== 0) expect(error(atan2(y, x), Math.atan2(y, x))).toBeLessThan(NEAR);
        const base = Math.abs(x) / 100;
        const power = y / 200;
        const engine = base ** power;
        if (engine < 1e6) expect(error(pow(base, power), engine)).toBeLessThan(NEAR);
      }),
    );
  });

  it("[T1] has the ends of each function where they belong", () => {
    expect([exp(0), exp(Number.NEGATIVE_INFINITY), exp(1000), exp(-1000)]).toEqual([
      1,
      0,
      Number.POSITIVE_INFINITY,
      0,
    ]);
    expect([log(1), log(0), log(-1), log(Number.POSITIVE_INFINITY)]).toEqual([
      0,
      Number.NEGATIVE_INFINITY,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ]);
    expect([asin(2), acos(-2), sin(Number.POSITIVE_INFINITY), cos(Number.NaN)]).toEqual(
      new Array(4).fill(Number.NaN),
    );
    expect([pow(0, 0), pow(-2, 3), pow(-2, 0.5), pow(0, -0.5)]).toEqual([
      1,
      -8,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ]);
    expect([atan2(0, 0), atan2(1, 0), atan2(0, -1), atan2(-1, 0)]).toEqual([
      0,
      Math.PI / 2,
      Math.PI,
      -Math.PI / 2,
    ]);
    expect(exp(-740)).toBeGreaterThan(0);
  });

  it("[T1][D4] gives these very bits, in this engine as in the room's", () => {
    expect(mathDigest()).toBe(MATH_DIGEST);
  });
});
