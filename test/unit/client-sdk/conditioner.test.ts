import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Conditioner } from "../../../client-sdk/conditioner.ts";
import type { ConditionerOptions } from "../../../client-sdk/types.ts";

/** Sends numbered messages 10 ms apart and lists what arrives when. */
function run(
  options: Partial<ConditionerOptions> & { seed: number },
  messages: number,
): { n: number; atMs: number }[] {
  const link = new Conditioner(options);
  const arrived: { n: number; atMs: number }[] = [];
  for (let nowMs = 0; nowMs < messages * 10 + 5000; nowMs++) {
    if (nowMs % 10 === 0 && nowMs / 10 < messages) link.push(new Uint8Array([nowMs / 10]), nowMs);
    for (const bytes of link.drain(nowMs)) arrived.push({ n: bytes[0] as number, atMs: nowMs });
  }
  return arrived;
}
const numbersOf = (arrived: { n: number }[]) => arrived.map(({ n }) => n);
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

describe("Conditioner", () => {
  it("passes everything at once when nothing is asked of it", () => {
    expect(run({ seed: 1 }, 5)).toEqual(upTo(5).map((n) => ({ n, atMs: n * 10 })));
  });

  it("adds latency and jitter within its bounds, and keeps the order of an ordered link", () => {
    const arrived = run({ seed: 2, latencyMs: 100, jitterMs: 80 }, 200);
    expect(numbersOf(arrived)).toEqual(upTo(200));
    for (const { n, atMs } of arrived) {
      expect(atMs).toBeGreaterThanOrEqual(n * 10 + 100);
      expect(atMs).toBeLessThanOrEqual(n * 10 + 181);
    }
  });

  it("holds everything behind a stalled message, and lets it go at once", () => {
    const arrived = run({ seed: 3, burstShare: 0.05, burstMs: 300 }, 200);
    expect(numbersOf(arrived)).toEqual(upTo(200));
    const together = arrived.filter(
      ({ atMs }) => atMs === arrived.find((first) => first.atMs !== first.n * 10)?.atMs,
    );
    expect(together.length).toBeGreaterThan(10);
  });

  it("lets messages overtake and repeat on a link that isn't ordered, but loses none", () => {
    const arrived = run(
      { seed: 4, ordered: false, reorderShare: 0.3, duplicateShare: 0.2, latencyMs: 20 },
      200,
    );
    expect([...new Set(numbersOf(arrived))].sort((a, b) => a - b)).toEqual(upTo(200));
    expect(numbersOf(arrived)).not.toEqual([...numbersOf(arrived)].sort((a, b) => a - b));
    expect(arrived.length).toBeGreaterThan(220);
  });

  it("does the same again from the same seed", () => {
    const options = { latencyMs: 30, jitterMs: 50, burstShare: 0.02, duplicateShare: 0.1, ordered: false };
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect(run({ ...options, seed }, 20)).toEqual(run({ ...options, seed }, 20));
      }),
      { numRuns: 20 },
    );
  });

  it("forgets what is in flight when its connection ends", () => {
    const link = new Conditioner({ seed: 5, latencyMs: 100 });
    link.push(new Uint8Array(1), 0);
    expect(link.nextMs).toBe(100);
    link.clear();
    expect(link.nextMs).toBe(Number.POSITIVE_INFINITY);
    expect(link.drain(1000)).toEqual([]);
  });
});
