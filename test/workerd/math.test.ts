import { expect, it } from "vitest";
import { MATH_DIGEST, mathDigest } from "../unit/sim/math-digest.ts";

it("[T1][D4] detMath gives the same bits in the room's engine as in Node", () => {
  expect(mathDigest()).toBe(MATH_DIGEST);
});
