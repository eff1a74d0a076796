import { describe, expect, it } from "vitest";
import { ServerClock } from "../../../client-sdk/clock.ts";
import { seededRandom } from "../../../client-sdk/conditioner.ts";
import { Pacing } from "../../../client-sdk/pacing.ts";

const TICK_MS = 1000 / 60;
/** The room's tick at the client's time: the two clocks have nothing in common. */
const roomTick = (nowMs: number) => (nowMs + 123_456) / TICK_MS;

/** Runs exchanges of 50 ms over a link; `upMs` and `downMs` are drawn per exchange. */
function exchanges(
  count: number,
  upMs: () => number,
  downMs: () => number,
): { clock: ServerClock; nowMs: number } {
  const clock = new ServerClock(TICK_MS);
  let nowMs = 0;
  for (let i = 0; i < count; i++) {
    const sentMs = i * 50;
    const held = i % 7;
    const leftMs = sentMs + upMs() + held;
    nowMs = leftMs + downMs();
    clock.exchange(roomTick(leftMs), ServerClock.stamp(sentMs), held, nowMs);
  }
  return { clock, nowMs };
}

describe("ServerClock", () => {
  it("[C1] knows round trip and room tick from echoed stamps, without the time that the room held them", () => {
    const { clock, nowMs } = exchanges(
      20,
      () => 40,
      () => 40,
    );
    expect(clock.rttMs).toBeCloseTo(80, -1);
    expect(Math.abs((clock.tickAt(nowMs) as number) - roomTick(nowMs))).toBeLessThan(0.2);
  });

  it("[C1] isn't moved by spikes, not even by one in the newest packet", () => {
    const random = seededRandom(1);
    const { clock, nowMs } = exchanges(
      40,
      () => 30,
      () => 30 + (random() < 0.3 ? 400 : 0),
    );
    const before = clock.tickAt(10_000) as number;
    clock.exchange(roomTick(nowMs), ServerClock.stamp(nowMs), 0, nowMs + 900);
    expect(Math.abs((clock.tickAt(10_000) as number) - before)).toBeLessThan(0.5);
    expect(Math.abs(before - roomTick(10_000))).toBeLessThan(0.5);
    expect(clock.rttMs).toBeLessThan(70);
  });

  it("[C1] follows a lasting change of the route within two seconds", () => {
    let delayMs = 30;
    let i = 0;
    const grow = () => {
      if (++i > 40) delayMs = 90;
      return delayMs;
    };
    const { clock, nowMs } = exchanges(80, grow, () => delayMs);
    expect(clock.rttMs).toBeCloseTo(180, -1);
    expect(Math.abs((clock.tickAt(nowMs) as number) - roomTick(nowMs))).toBeLessThan(0.5);
  });

  it("[C1] works at a round trip of 0, and over the wrap of the stamp", () => {
    const clock = new ServerClock(TICK_MS);
    clock.exchange(10, ServerClock.stamp(2 ** 32 - 1), 0, 2 ** 32);
    expect(clock.rttMs).toBe(1);
  });

  it("[C1] says nothing before the first echo", () => {
    const clock = new ServerClock(TICK_MS);
    clock.exchange(10, 0, 0xffff, 5000);
    expect(clock.tickAt(5000)).toBeUndefined();
    expect(clock.rttMs).toBe(0);
  });

  it("[T3] moves with a room that slips", () => {
    const { clock, nowMs } = exchanges(
      20,
      () => 10,
      () => 10,
    );
    const before = clock.tickAt(nowMs) as number;
    clock.slip(5);
    expect(clock.tickAt(nowMs)).toBeCloseTo(before - 5, 9);
  });
});

describe("Pacing", () => {
  const count = (pacing: Pacing, elapsedMs: number, extra = 0) => {
    let ticks = 0;
    pacing.run(elapsedMs, extra, () => ++ticks > 0);
    return ticks;
  };

  it("[I1] makes as many ticks as time has passed at any frame rate", () => {
    for (const fps of [25, 30, 60, 144]) {
      const pacing = new Pacing(TICK_MS, 3);
      let ticks = 0;
      for (let i = 0; i < 10 * fps; i++) ticks += count(pacing, 1000 / fps);
      expect(Math.abs(ticks - 600)).toBeLessThanOrEqual(1);
    }
  });

  it("[C3] makes one tick after a pause, not hundreds", () => {
    const pacing = new Pacing(TICK_MS, 3);
    expect(count(pacing, 5)).toBe(0);
    expect(count(pacing, 60_000)).toBe(1);
    expect(count(pacing, 300)).toBe(1);
    expect(count(pacing, 200)).toBeGreaterThanOrEqual(12);
  });

  it("[I6] drops the time in which no command may be made, and draws the last tick meanwhile", () => {
    const pacing = new Pacing(TICK_MS, 3);
    count(pacing, 100);
    expect(pacing.fraction).toBeLessThan(1);
    for (let i = 0; i < 100; i++) pacing.run(TICK_MS, 0, () => false);
    expect(pacing.fraction).toBe(1);
    expect(count(pacing, 2 * TICK_MS)).toBeLessThanOrEqual(3);
  });

  /** A room that runs windows of 3 ticks, a link of constant delay, and a pacing between them. */
  function converge(options: {
    delayMs: number;
    depth: number;
    seconds: number;
    jitterMs?: number;
    wallDrift?: number;
  }) {
    const { delayMs, seconds, jitterMs = 0, wallDrift = 1 } = options;
    const random = seededRandom(3);
    const pacing = new Pacing(TICK_MS, 3);
    const arrivals: { atMs: number; commands: number }[] = [];
    let batch = 0;
    let lastArrivalMs = 0;
    let buffered = options.depth;
    let missed = 0;
    const depths: { atMs: number; depth: number }[] = [];
    const reports: { atMs: number; depth: number; missed: number }[] = [];
    let nextWindowMs = 40;
    for (let nowMs = 0; nowMs < seconds * 1000; nowMs += 1) {
      while (arrivals[0] && arrivals[0].atMs <= nowMs) buffered += arrivals.shift()?.commands ?? 0;
      if (nowMs >= nextWindowMs) {
        nextWindowMs += 50;
        missed += Math.max(0, 3 - buffered);
        buffered = Math.max(0, buffered - 3);
        depths.push({ atMs: nowMs, depth: buffered });
        reports.push({ atMs: nowMs + delayMs, depth: buffered, missed });
      }
      while (reports[0] && reports[0].atMs <= nowMs) {
        const report = reports.shift();
        if (report) pacing.report({ ...report, slipped: 0 }, 2 * delayMs, nowMs);
      }
      if (nowMs % 17 === 0) {
        pacing.run(17 * wallDrift, 0, () => ++batch > 0);
        if (batch >= 3) {
          lastArrivalMs = Math.max(lastArrivalMs, nowMs + delayMs + random() * jitterMs);
          arrivals.push({ atMs: lastArrivalMs, commands: batch });
          batch = 0;
        }
      }
    }
    return {
      pacing,
      missed,
      depthsAfter: (ms: number) => depths.filter((d) => d.atMs > ms).map((d) => d.depth),
    };
  }

  it.each([0, 30, 150])(
    "[C2] brings the buffer to a few commands within 2 s and keeps it there, at %i ms",
    (delayMs) => {
      for (const depth of [0, 10]) {
        const { depthsAfter } = converge({ delayMs, depth, seconds: 12 });
        const steady = depthsAfter(3000 + 2 * delayMs);
        expect(Math.min(...steady)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...steady)).toBeLessThanOrEqual(7);
      }
    },
  );

  it("[C2] misses nothing on a steady link once it has converged, also against a clock that drifts", () => {
    const early = converge({ delayMs: 40, depth: 0, seconds: 4, wallDrift: 0.999 }).missed;
    const late = converge({ delayMs: 40, depth: 0, seconds: 60, wallDrift: 0.999 }).missed;
    expect(late).toBe(early);
  });

  it("[C2] keeps more in hand on a link with jitter", () => {
    const steady = converge({ delayMs: 40, depth: 5, seconds: 20 }).depthsAfter(5000);
    const shaky = converge({ delayMs: 40, depth: 5, seconds: 20, jitterMs: 120 });
    const mean = (depths: number[]) => depths.reduce((sum, depth) => sum + depth, 0) / depths.length;
    expect(mean(shaky.depthsAfter(5000))).toBeGreaterThan(mean(steady) + 1);
    expect(shaky.missed).toBeLessThan(60);
  });

  it("[C2] withholds ticks for an excess that speed can't mend in time", () => {
    const { depthsAfter, pacing } = converge({ delayMs: 20, depth: 100, seconds: 4 });
    expect(Math.max(...depthsAfter(2500))).toBeLessThan(10);
    expect(Math.abs(pacing.speed - 1)).toBeLessThanOrEqual(0.1);
  });
});
