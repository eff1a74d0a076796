import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Conditioner } from "../../../client-sdk/conditioner.ts";
import { linkPresets } from "../../../client-sdk/link-presets.ts";
import { NO_FAULTS } from "../../../client-sdk/no-faults.ts";
import type { ConditionerOptions } from "../../../client-sdk/types.ts";

/** Sends numbered messages 10 ms apart and lists what arrives when. */
function run(
  { seed, ...faults }: Partial<ConditionerOptions> & { seed: number },
  messages: number,
): { n: number; atMs: number }[] {
  const link = new Conditioner({ ...NO_FAULTS, ...faults }, seed);
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
    const link = new Conditioner({ ...NO_FAULTS, latencyMs: 100 }, 5);
    link.push(new Uint8Array(1), 0);
    expect(link.nextMs).toBe(100);
    link.clear();
    expect(link.nextMs).toBe(Number.POSITIVE_INFINITY);
    expect(link.drain(1000)).toEqual([]);
  });

  it("sends what was lost again after a round trip, and holds what follows it", () => {
    const arrived = run({ seed: 5, lossShare: 0.05, latencyMs: 50 }, 200);
    expect(numbersOf(arrived)).toEqual(upTo(200));
    const delays = arrived.map(({ n, atMs }) => atMs - n * 10);
    expect(Math.min(...delays)).toBe(50);
    // Two more one-way delays to notice and to send again, and a little.
    expect(Math.max(...delays)).toBeGreaterThanOrEqual(170);
    expect(Math.max(...delays)).toBeLessThan(400);
    expect(delays.filter((ms) => ms > 50).length).toBeGreaterThan(20);
  });

  it("lets no more bytes through than there is room for", () => {
    // A byte each 10 ms is asked for; 50 a second pass.
    const arrived = run({ seed: 6, bytesPerSecond: 50 }, 100);
    expect(numbersOf(arrived)).toEqual(upTo(100));
    expect(arrived.at(-1)?.atMs).toBe(2000);
  });

  it("lets nothing through while it is frozen, what is on its way included, and then all at once in order", () => {
    const link = new Conditioner({ ...NO_FAULTS, latencyMs: 20 }, 7);
    link.push(Uint8Array.of(1), 0);
    link.options.frozenUntilMs = 3000;
    link.push(Uint8Array.of(2), 100);
    expect(link.drain(2999)).toEqual([]);
    expect(link.nextMs).toBe(3000);
    expect(link.drain(3000).map(([n]) => n)).toEqual([1, 2]);
  });

  it.each(Object.entries(linkPresets))(
    "has a preset %s, which keeps the order and loses nothing",
    (_, preset) => {
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          expect(numbersOf(run({ ...preset, seed }, 100))).toEqual(upTo(100));
        }),
        { numRuns: 5 },
      );
    },
  );
});
