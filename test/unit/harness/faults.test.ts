import { describe, expect, it } from "vitest";
import { createHarness } from "../../harness/index.ts";
import { mortal, mortalHooks } from "./mortal-game.ts";

describe("a command that makes the game throw", () => {
  it("[T6] [P4] is rejected by the room, and its sender takes the room's word for what it is without it", () => {
    const harness = createHarness({ game: mortal, hooks: mortalHooks, clients: 2, link: { latencyMs: 40 } });
    harness.untilJoined();
    harness.advance(500);
    const client = harness.client(0);
    const faults = client.record("fault");
    client.input.set({ moveX: 0.1 });
    harness.advance(300);
    client.input.set({ moveX: 0 });
    harness.advance(300);
    // Nearly at rest: a tick that this side never finished differs by less than any tolerance.
    client.input.press("poison");
    harness.settle();
    expect(faults.length).toBeGreaterThan(0);
    expect(harness.executed(0).filter(({ disposition }) => disposition === 2)).toHaveLength(1);
    expect(harness.room.stats()).toMatchObject({ state: "running", connections: 2 });
    expect(harness.ledgerProblems()).toEqual([]);
    expect(harness.disagreements()).toEqual([]);
  });
});
