import { describe, expect, it } from "vitest";
import { judge, playSchedule, type Schedule } from "../../faults/index.ts";

/** Boundaries of four windows and more: ticks, settlements, commits, alarms, sends and calls. */
const BOUNDARIES = 80;

const idle = { client: 0, moveX: 0.6, moveY: -0.3, brace: false, aim: 1.3, actions: [] } as const;

/** A shot and a purchase are under way, and the process ends after so many boundaries more. */
function crashAt(skip: number, commitEvery: number): Schedule {
  const crash = { what: "crash", at: "any", skip, downMs: 20 } as const;
  return {
    seed: 21,
    clients: 1,
    commitEvery,
    windowTicks: 3,
    firstSeq: 1,
    links: [{ latencyMs: 10 }],
    steps: [
      { forMs: 300, controls: [{ ...idle, actions: ["buy"] }], faults: [] },
      // The fault falls into the middle of its step.
      { forMs: 160, controls: [{ ...idle, actions: ["fire", "wave", "buy"] }], faults: [crash] },
      { forMs: 300, controls: [idle], faults: [] },
    ],
  };
}

describe.each([1, 4])(
  "a room that ends at each boundary in turn, with a commit every %i windows",
  (commitEvery) => {
    it.each(Array.from({ length: BOUNDARIES }, (_, skip) => skip))(
      "[D3] [I4] [A2] [A3] [A4] [D4] has executed, answered and charged the same as a run without a crash: %i",
      async (skip) => {
        const evidence = await playSchedule(crashAt(skip, commitEvery));
        expect(evidence.harness.room.incarnation).toBe(2);
        expect(judge(evidence)).toEqual({ lost: [], doubled: [], divergent: [] });
      },
    );
  },
);
