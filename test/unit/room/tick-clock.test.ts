import { describe, expect, it } from "vitest";
import { nextAlarmMs } from "../../../room/core/alarm-time.ts";
import { TickClock } from "../../../room/core/tick-clock.ts";

function clock(
  options: { tickRate?: number; windowTicks?: number; maxCatchUpTicks?: number } = {},
): TickClock {
  const made = new TickClock({ tickRate: 60, windowTicks: 3, maxCatchUpTicks: 15, ...options });
  made.anchor(0, 1000);
  return made;
}

describe("the tick clock", () => {
  it("[T2] finds a window due when its last tick's time has come, and not before", () => {
    expect(clock().due(1049).ticks).toBe(0);
    expect(clock().due(1050)).toEqual({ ticks: 3, slipTicks: 0, latenessMs: 0 });
  });

  it("[T2] makes up for lateness by whole windows up to the bound", () => {
    expect(clock().due(1149)).toMatchObject({ ticks: 6, slipTicks: 0 });
    expect(clock().due(1250)).toEqual({ ticks: 15, slipTicks: 0, latenessMs: 200 });
  });

  it("[T3] forgets wall time beyond the bound instead of skipping a number or stretching a tick", () => {
    const slow = clock();
    const due = slow.due(2000);
    expect(due).toMatchObject({ ticks: 15, slipTicks: 45 });
    slow.advance(due);
    expect(slow.due(2000).ticks).toBe(0);
    expect(slow.nextWindowMs()).toBeCloseTo(2050, 6);
  });

  it("[T4] says the same until a window is advanced: an abandoned one is due again", () => {
    const room = clock();
    expect(room.due(1050)).toEqual(room.due(1050));
    room.advance(room.due(1050));
    expect(room.due(1050).ticks).toBe(0);
  });

  it("[T4] is overdue only a whole window after one was due", () => {
    expect(clock().overdue(1099)).toBe(false);
    expect(clock().overdue(1100)).toBe(true);
  });

  it("[T2] never drifts, also where a tick is no whole number of milliseconds", () => {
    const odd = clock({ tickRate: 30, windowTicks: 2 });
    let nowMs = 1000;
    for (let i = 0; i < 30 * 60 * 60; i += 2) {
      nowMs = nextAlarmMs(odd.nextWindowMs(), nowMs, nowMs);
      odd.advance(odd.due(nowMs));
    }
    expect(nowMs).toBe(1000 + 3_600_000);
  });

  it("[T7] takes a new present for granted after a pause", () => {
    const room = clock();
    room.anchor(600, 50_000);
    expect(room.due(50_049).ticks).toBe(0);
    expect(room.due(50_050)).toMatchObject({ ticks: 3, slipTicks: 0 });
  });
});

describe("the next alarm's time", () => {
  it("[T2] is the ideal time when that lies ahead", () => {
    expect(nextAlarmMs(1050, 1000, 999)).toBe(1050);
    expect(nextAlarmMs(1050.2, 1000)).toBe(1051);
  });

  it("[T2] is later than now by at least a millisecond", () => {
    expect(nextAlarmMs(900, 1000)).toBe(1001);
    expect(nextAlarmMs(1000, 1000)).toBe(1001);
  });

  it("[T2] is later than the firing alarm by at least a millisecond, also when that fires early", () => {
    expect(nextAlarmMs(1000, 990, 1000)).toBe(1001);
    expect(nextAlarmMs(900, 990, 1000)).toBe(1001);
  });
});
