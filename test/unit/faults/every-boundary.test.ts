import { describe, expect, it } from "vitest";
import { crashAt, crashAtRefund, judge, playSchedule } from "../../faults/index.ts";

/** Boundaries of four windows and more: ticks, settlements, commits, alarms, sends and calls. */
const BOUNDARIES = 80;
const SKIPS = Array.from({ length: BOUNDARIES }, (_, skip) => skip);

describe.each([1, 4])(
  "a room that ends at each boundary in turn, with a commit every %i windows",
  (commitEvery) => {
    it.each(SKIPS)(
      "[D3] [I4] [A2] [A3] [A4] [D4] has executed, answered and charged the same as a run without a crash: %i",
      async (skip) => {
        const evidence = await playSchedule(crashAt(skip, commitEvery));
        expect(evidence.harness.room.incarnation).toBe(2);
        expect(judge(evidence)).toEqual({ lost: [], doubled: [], divergent: [] });
      },
    );

    it.each(SKIPS)("[A9] [D3] has charged nobody who left before the answer: %i", async (skip) => {
      const evidence = await playSchedule(crashAtRefund(skip, commitEvery));
      expect(judge(evidence)).toEqual({ lost: [], doubled: [], divergent: [] });
      expect(evidence.harness.room.stats().debts).toBe(0);
    });
  },
);

it("[A9] a guest of those runs is refunded at least once", async () => {
  const { harness } = await playSchedule(crashAtRefund(30, 1));
  expect([...harness.calls.made.keys()].some((key) => key.startsWith("undo "))).toBe(true);
});
