import { describe, expect, it } from "vitest";
import { type FeelRequest, measureCell } from "../../../bench/feel.ts";
import { type Arena, arena } from "../../../demo/game.ts";
import { rules } from "../../../demo/rules.ts";
import { createHarness } from "../../harness/index.ts";

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

describe("a room over a link that stalls for a round trip", () => {
  const stalls = [200, 300].flatMap((rttMs) =>
    [0, 60].flatMap((jitterMs) => [0.01, 0.05].map((share) => [rttMs, jitterMs, share] as const)),
  );

  it.each(stalls)(
    "[V4][C2] at %i ± %i ms, behind a share of %f of the frames, remembers it till the next one",
    (rttMs, jitterMs, stallShare) => {
      const felt = cell({ rttMs, jitterMs, stallShare, minutes: 1 });
      expect(felt.lateShare).toBeLessThan(0.01);
      expect(felt.underrunShare).toBeLessThan(0.005);
      expect(felt.leadConvergedMs).toBeLessThan(2000);
      // The jitter is what stalls add to it: a round trip instead of half of one.
      expect(felt.interpolationDelayMs).toBeLessThanOrEqual(100 + 1.25 * (jitterMs + rttMs / 2));
    },
  );
});

describe("a link that stands still for 2 s", () => {
  it.each([0, 60, 200])(
    "[C2][V4] at %i ms shows others as promptly as before 2 s after it goes on",
    (rttMs) => {
      const harness = createHarness<Arena>({
        game: arena,
        hooks: rules,
        roomOptions: { bots: 3 },
        link: { latencyMs: rttMs / 2 },
        seed: 3,
      });
      harness.untilJoined();
      harness.advance(8000);
      const player = harness.client(0);
      player.setLink({ latencyMs: rttMs / 2, frozenUntilMs: harness.nowMs + 2000 });
      harness.advance(4500);
      const { interpolationDelayMs, bufferDepth } = player.stats();
      expect(interpolationDelayMs).toBeLessThanOrEqual(200);
      expect(bufferDepth).toBeLessThanOrEqual(18);
      expect(player.stats().incarnation).toBe(1);
    },
  );
});

describe("a link whose latency changes for good", () => {
  const changes = [
    [0, 200],
    [60, 300],
    [200, 60],
    [300, 0],
    [300, 60],
  ] as const;

  it.each(changes)("[C1][C2][V4] from %i to %i ms has lead and delay settled within 2 s", (from, to) => {
    const harness = createHarness<Arena>({
      game: arena,
      hooks: rules,
      roomOptions: { bots: 3 },
      link: { latencyMs: from / 2 },
      seed: 3,
    });
    harness.untilJoined();
    harness.advance(10_000);
    const player = harness.client(0);
    player.setLink({ latencyMs: to / 2 });
    harness.advance(2000);
    const before = player.stats();
    for (let ms = 0; ms < 5000; ms += 50) {
      harness.advance(50);
      const { bufferDepth, interpolationDelayMs } = player.stats();
      expect(bufferDepth).toBeLessThanOrEqual(6);
      expect(interpolationDelayMs).toBeLessThanOrEqual(101);
    }
    const after = player.stats();
    expect(after.missedInputs).toBe(before.missedInputs);
    expect(after.underruns).toBe(before.underruns);
  });
});
