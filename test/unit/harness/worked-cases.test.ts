import { describe, expect, it } from "vitest";
import { createHarness } from "../../harness/index.ts";
import { line, lineHooks, Walker, walkerAt } from "./line.ts";

describe("the worked cases of the specification", () => {
  it("[P4] [V2] case 1: a correction of 0.1 moves the present from 5.5 to 5.4 and is shown as a glide", () => {
    const walker = new Walker(
      createHarness({ game: line, hooks: lineHooks(4.9), windowTicks: 1, frameRate: 240 }),
    );
    const { client, harness } = walker;
    harness.untilJoined();
    walker.idleUntil(101);
    expect(harness.predictedEntity(0)?.values["place.x"]).toBeCloseTo(4.9, 5);

    client.down.hold();
    walker.make(2, true);
    expect(walker.xAfter(101)).toBeCloseTo(5.1, 5);
    walker.make(2);
    walker.make(2);
    client.pause("stops");
    expect(walker.xAfter(103)).toBeCloseTo(5.5, 5);
    const drawnBefore = client.view.own?.place.x ?? Number.NaN;

    walker.takeSnapshotsUntil(101);
    expect(walker.xAfter(101)).toBe(5);
    expect(walker.xAfter(103)).toBeCloseTo(5.4, 5);
    expect(client.stats().corrections).toBe(1);
    expect(client.stats().lastCorrectionDistance).toBeCloseTo(0.1, 5);

    // The same instant again: what is drawn stays, so the offset is the 0.1 by which the simulation went back.
    client.frame();
    expect(client.view.own?.place.x).toBeCloseTo(drawnBefore, 9);

    // Standing still from now on, only the offset moves, and it halves every 50 ms.
    client.input.set({ steps: 0 });
    client.down.release();
    client.resume();
    for (const sinceMs of [50, 100, 150]) {
      harness.advance(50);
      client.frame();
      expect(client.view.own?.place.x).toBeCloseTo(5.4 + 0.1 * 2 ** (-sinceMs / 50), 5);
    }
  });

  it.each([{ numbers: [16, 17, 18] }, { numbers: [65_535, 65_536, 65_537] }] as const)(
    "[P4] [P6] [I2] case 2: a wall changes what a replay gives, with commands $numbers",
    ({ numbers }) => {
      const [first, second, third] = numbers;
      const walker = walkerAt(first - 10, 3);
      const { client, harness } = walker;
      walker.idleUntil(first);
      client.down.hold();
      walker.make(0, true);
      client.up.hold();
      walker.make(5, true);
      walker.make(-1);
      client.pause("stops");
      // As far as the client can know: from 3 m.
      expect([first, second, third].map((seq) => walker.xAfter(seq))).toEqual([3, 8, 7]);

      // The room says 8 m after the first: 5 m more end at the wall, and 1 m back from there is 9 m, not 12.
      expect(walker.takeSnapshotsUntil(first)).toBe(2);
      expect([first, second, third].map((seq) => walker.xAfter(seq))).toEqual([8, 10, 9]);
      expect(client.stats().pendingInputs).toBe(2);

      // The second is consumed at the wall: only the third is replayed on top of it.
      client.up.release(1);
      expect(walker.takeSnapshotsUntil(second)).toBe(1);
      expect(harness.serverEntity(0)?.values["place.x"]).toBe(10);
      expect([second, third].map((seq) => walker.xAfter(seq))).toEqual([10, 9]);
      expect(client.stats().pendingInputs).toBe(1);

      client.up.release();
      client.down.release();
      client.resume();
      harness.settle();
      expect(harness.serverEntity(0)?.values["place.x"]).toBe(9);
      expect(harness.disagreements()).toEqual([]);
      expect(harness.ledgerProblems()).toEqual([]);
      const executed = harness.executed(0).map(({ seq }) => seq);
      expect(executed).toEqual(expect.arrayContaining([...numbers]));
    },
  );
});
