import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FieldPlan, fieldPlans } from "../../../client-sdk/field-plan.ts";
import { VisualOffset } from "../../../client-sdk/smoothing.ts";
import { field } from "./games.ts";

const plan = fieldPlans(field.schema)[0] as FieldPlan;
const at = (name: string) => plan.smooth.findIndex((smooth) => smooth.name === name);
const pose = (x: number, heading: number) => {
  const values = new Float64Array(plan.smooth.length);
  values[at("x")] = x;
  values[at("heading")] = heading;
  return values;
};

/** What is left of a correction after a time at a frame rate. */
function leftAfter(ms: number, fps: number, size = 0.1): Float64Array {
  const offset = new VisualOffset(plan);
  offset.keep(pose(size, size / 2), pose(0, 0), false);
  const frameMs = 1000 / fps;
  let elapsed = 0;
  for (; elapsed + frameMs <= ms + 1e-9; elapsed += frameMs) offset.decay(frameMs);
  offset.decay(ms - elapsed);
  return offset.values;
}

describe("VisualOffset", () => {
  it("[V2] is what was drawn minus the corrected pose, for position and angle", () => {
    const offset = new VisualOffset(plan);
    offset.keep(pose(5.5, 3.1), pose(5.4, -3.1), false);
    expect(offset.values[at("x")]).toBeCloseTo(0.1, 12);
    // The short way round: from -3.1 forward over π.
    expect(offset.values[at("heading")]).toBeCloseTo(6.2 - 2 * Math.PI, 12);
  });

  it("[V2] halves every 50 ms and is gone visually after 0.2 s", () => {
    expect(leftAfter(50, 60)[at("x")]).toBeCloseTo(0.05, 9);
    expect(leftAfter(100, 60)[at("heading")]).toBeCloseTo(0.0125, 9);
    expect(leftAfter(200, 60)[at("x")]).toBeLessThan(0.007);
  });

  it("[V2] goes faster with a large correction, so that it too is under a fifth of the tolerance after 0.2 s", () => {
    for (const size of [0.5, 1, 3.9, 80])
      expect(leftAfter(200, 60, size)[at("x")]).toBeLessThan(0.05 / 5 + 1e-9);
  });

  it("[V2] agrees at 30, 60 and 144 frames per second at equal times", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 500, noNaN: true }), (ms) => {
        const [slow, usual, fast] = [30, 60, 144].map((fps) => leftAfter(ms, fps));
        for (const name of ["x", "heading"]) {
          expect(slow?.[at(name)]).toBeCloseTo(usual?.[at(name)] as number, 9);
          expect(fast?.[at(name)]).toBeCloseTo(usual?.[at(name)] as number, 9);
        }
      }),
    );
  });

  it("[V3] is reset by a jump", () => {
    const offset = new VisualOffset(plan);
    offset.keep(pose(1, 1), pose(0, 0), false);
    offset.keep(pose(100, 1), pose(0, 0), true);
    expect([...offset.values]).toEqual(plan.smooth.map(() => 0));
  });
});
