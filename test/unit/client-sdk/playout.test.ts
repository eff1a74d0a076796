import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../client-sdk/conditioner.ts";
import { Playout } from "../../../client-sdk/playout.ts";

const TICK_MS = 1000 / 60;
const FRAME_MS = 1000 / 144;

interface Link {
  /** Delay of the snapshot sent at a time; undefined loses it. */
  delayMs(sentMs: number): number | undefined;
  seconds: number;
}

/** Plays snapshots of every third tick over a link; calls back for each frame with the newest tick that has come. */
function play(link: Link, each?: (playout: Playout, newest: number, nowMs: number) => void): Playout {
  const playout = new Playout(TICK_MS, 3);
  const arrivals: { tick: number; atMs: number }[] = [];
  for (let tick = 3; tick < link.seconds * 60; tick += 3) {
    const delayMs = link.delayMs(tick * TICK_MS);
    if (delayMs !== undefined) arrivals.push({ tick, atMs: tick * TICK_MS + delayMs });
  }
  arrivals.sort((a, b) => a.atMs - b.atMs);
  let newest = -1;
  for (let nowMs = 0; nowMs < link.seconds * 1000; nowMs += FRAME_MS) {
    for (let next = arrivals[0]; next && next.atMs <= nowMs; next = arrivals[0]) {
      arrivals.shift();
      playout.arrived(next.tick, next.atMs);
      newest = Math.max(newest, next.tick);
    }
    playout.advance(nowMs, FRAME_MS);
    if (newest >= 0) each?.(playout, newest, nowMs);
  }
  return playout;
}

describe("Playout", () => {
  it("[V4] shows two snapshot intervals ago on a steady link, whatever its latency", () => {
    for (const latency of [0, 80, 400]) {
      const playout = play({ delayMs: () => latency, seconds: 5 });
      expect(playout.delayMs).toBeCloseTo(100, 3);
      expect(playout.starved).toBe(false);
    }
  });

  it("[V4] adds the measured jitter, and has the next snapshot in hand in 99.5 % of frames", () => {
    const random = seededRandom(4);
    let frames = 0;
    let covered = 0;
    const playout = play({ delayMs: () => 50 + 60 * random(), seconds: 30 }, ({ tick }, newest, nowMs) => {
      if (nowMs < 5000) return;
      frames++;
      if (newest >= tick) covered++;
    });
    expect(playout.delayMs).toBeGreaterThan(140);
    expect(playout.delayMs).toBeLessThan(170);
    expect(covered / frames).toBeGreaterThan(0.995);
  });

  it("[V4] never runs backwards, and runs smoothly, over stalls, loss and changes of latency", () => {
    const random = seededRandom(9);
    let latency = 40;
    let last = Number.NEGATIVE_INFINITY;
    let steepest = 0;
    const delayMs = (sentMs: number) => {
      if (sentMs > 10_000) latency = 150;
      if (random() < 0.05) return undefined;
      return latency + (sentMs > 5000 && sentMs < 5300 ? 5300 - sentMs : 20 * random());
    };
    play({ delayMs, seconds: 20 }, ({ tick }) => {
      expect(tick).toBeGreaterThanOrEqual(last);
      if (Number.isFinite(last)) steepest = Math.max(steepest, (tick - last) / (FRAME_MS / TICK_MS));
      last = tick;
    });
    expect(steepest).toBeLessThan(1.2);
  });

  it("[V6] stands still one interval past the newest snapshot, and goes on without a long freeze", () => {
    // Two seconds of silence, as when a room restarts; then its ticks go on as if no time had passed.
    const playout = new Playout(TICK_MS, 3);
    let nowMs = 0;
    const run = (ms: number, fromTick: number, snapshots: boolean) => {
      let next = fromTick;
      for (const until = nowMs + ms; nowMs < until; nowMs += FRAME_MS) {
        while (snapshots && (next - fromTick) * TICK_MS <= ms - (until - nowMs)) {
          playout.arrived(next, nowMs);
          next += 3;
        }
        playout.advance(nowMs, FRAME_MS);
      }
      return next;
    };
    const next = run(2000, 0, true);
    run(2000, 0, false);
    expect(playout.starved).toBe(true);
    expect(playout.tick).toBeCloseTo(next - 3 + 3, 0);
    playout.restart();
    run(500, next, true);
    expect(playout.starved).toBe(false);
    const before = playout.tick;
    run(500, next + 30, true);
    expect(playout.tick - before).toBeGreaterThan(20);
  });

  it("[T3] follows a room whose time slips against the wall without waiting for old arrivals to age", () => {
    const playout = new Playout(TICK_MS, 3);
    for (let tick = 3; tick <= 120; tick += 3) playout.arrived(tick, tick * TICK_MS);
    playout.slip(60);
    for (let tick = 123; tick <= 150; tick += 3) playout.arrived(tick, (tick + 60) * TICK_MS);
    expect(playout.delayMs).toBeCloseTo(100, 0);
  });
});
