import { describe, expect, it } from "vitest";
import { type FeelRequest, measureCell } from "../../../bench/feel.ts";

const cell = (request: Partial<FeelRequest>) =>
  measureCell({ rttMs: 0, jitterMs: 0, stallShare: 0, minutes: 0.5, seed: 5, ...request });
const links = [0, 60, 120, 200, 300].flatMap((rttMs) =>
  [0, 20, 60].map((jitterMs) => [rttMs, jitterMs] as const),
);

describe("a room over a link without stalls", () => {
  it.each(links)(
    "[P4][V4][C2] of %i ± %i ms needs no correction in a static world, and shows others without a gap, hardly late",
    (rttMs, jitterMs) => {
      const felt = cell({ rttMs, jitterMs });
      expect(felt.correctionsPerMinute).toBe(0);
      expect(felt.lateShare).toBeLessThan(0.01);
      expect(felt.underrunShare).toBeLessThan(0.005);
      // Two snapshot intervals of 50 ms, and a little more than the jitter.
      expect(felt.interpolationDelayMs).toBeLessThanOrEqual(100.001 + 1.25 * jitterMs);
      expect(felt.leadConvergedMs).toBeLessThan(2000);
    },
  );

  it("[C2] of 150 ± 30 ms is late with fewer than one command in a hundred", () => {
    const felt = cell({ rttMs: 150, jitterMs: 30, minutes: 2 });
    expect(felt.lateShare).toBeLessThan(0.01);
    expect(felt.leadConvergedMs).toBeLessThan(2000);
  });
});
