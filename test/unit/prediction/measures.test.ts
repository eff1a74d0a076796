import { describe, expect, it } from "vitest";
import { Counters } from "../../../client-sdk/counters.ts";
import type { Intake } from "../../../client-sdk/reconciler.ts";
import { createHarness } from "../../harness/index.ts";
import { field } from "../client-sdk/games.ts";
import { ScriptedRoom } from "../client-sdk/scripted-room.ts";
import { fieldHooks, field as harnessField } from "../harness/games.ts";

const KEPT: Intake = {
  how: "kept",
  dependency: false,
  changed: false,
  distance: 0,
  replayedTicks: 0,
  resumedTicks: 0,
  restarted: false,
  replayMs: 0,
};
const correction = (distance: number): Intake => ({
  ...KEPT,
  how: "replayed",
  changed: true,
  distance,
  replayedTicks: 10,
  replayMs: 0.5,
});

function counted(...intakes: Intake[]) {
  const counters = new Counters();
  for (const intake of intakes) counters.reconciled(intake);
  return counters.figures;
}

describe("figures about prediction", () => {
  it("[P10] corrections are counted when the present changed, and only then", () => {
    expect(counted(KEPT, correction(1), { ...correction(0), changed: false }).corrections).toBe(1);
    expect(counted({ ...correction(1), how: "fresh" }).corrections).toBe(0);
  });

  it("[P10] corrections per minute are those of the last minute of the page's time", () => {
    const counters = new Counters();
    for (let second = 0; second < 90; second++) {
      if (second % 10 === 0) counters.reconciled(correction(1));
      counters.passed(1000, false);
    }
    expect(counters.figures.corrections).toBe(9);
    expect(counters.figures.correctionsPerMinute).toBe(6);
    counters.passed(60_001, false);
    expect(counters.figures.correctionsPerMinute).toBe(0);
  });

  it("[P10] the correction distance is told for the last one, and for 95 of 100 of the last 128", () => {
    const many = Array.from({ length: 100 }, (_, i) => correction((i + 1) / 100));
    const figures = counted(...many);
    expect(figures.lastCorrectionDistance).toBe(1);
    expect(figures.correctionP95).toBeCloseTo(0.95, 5);
    // Large ones of long ago don't count any more.
    const later = counted(correction(9), ...Array.from({ length: 128 }, () => correction(0.2)));
    expect(later.correctionP95).toBe(0.2);
  });

  it("[P10] replayed ticks and the time that they took are added up", () => {
    expect(counted(correction(1), KEPT, correction(2))).toMatchObject({ replayedTicks: 20, replayMs: 1 });
  });

  it("[P10] the share in tolerance is of the snapshots that something was predicted for", () => {
    expect(counted().inToleranceShare).toBe(1);
    expect(counted(KEPT, KEPT, KEPT, correction(1)).inToleranceShare).toBe(0.75);
    expect(counted(KEPT, { ...KEPT, how: "fresh" }).inToleranceShare).toBe(1);
  });

  it("[P10] hard applies, re-anchors and replays for an external are counted apart", () => {
    const figures = counted(
      { ...correction(1), how: "hard" },
      { ...correction(0), changed: false },
      { ...correction(1), dependency: true },
    );
    expect(figures).toMatchObject({ hardApplies: 1, reanchors: 1, dependencyReplays: 1, inTolerance: 1 });
  });

  it("[P10] the time that prediction has waited for an external is added up", () => {
    const counters = new Counters();
    counters.passed(100, false);
    counters.passed(30, true);
    counters.passed(20, true);
    expect(counters.figures.externalPauseMs).toBe(50);
  });

  it("[P10] the age of a command is its ticks from when it was made to when it was answered", () => {
    for (const [latencyMs, least, most] of [
      [0, 0, 9],
      [100, 12, 21],
    ] as const) {
      const harness = createHarness({ game: harnessField, hooks: fieldHooks, link: { latencyMs } });
      harness.untilJoined();
      harness.advance(3000);
      const age = harness.client(0).stats().commandAgeTicks;
      expect(age).toBeGreaterThanOrEqual(least);
      expect(age).toBeLessThanOrEqual(most);
    }
  });

  it("[P10] replays are timed with the stopwatch that the client is given, and with nothing else", () => {
    let readings = 0;
    const room = new ScriptedRoom(field, { stopwatch: () => 3 * readings++ });
    room.world.put(1, 1, 0, 3, 7, new Uint32Array(11));
    room.client.opened(0);
    room.welcome(0);
    room.snapshot(0, { tick: 600, consumed: 0 });
    for (let ms = 0; ms < 100; ms += 10) room.client.frame(ms);
    expect(room.client.stats().replayMs).toBe(0);
    const cells = new Uint32Array(11);
    cells[0] = new Uint32Array(new Float32Array([5]).buffer)[0] ?? 0;
    room.world.put(1, 1, 0, 3, 7, cells);
    room.snapshot(100, { tick: 601, consumed: 1 });
    expect(room.client.stats()).toMatchObject({ replayMs: 3, corrections: 1 });
  });
});
