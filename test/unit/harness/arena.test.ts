import { describe, expect, it } from "vitest";
import { arena } from "../../../demo/game.ts";
import { rules } from "../../../demo/rules.ts";
import { createHarness } from "../../harness/index.ts";

describe("the arena", () => {
  it("[P4] [P6] is predicted without a correction on a steady link, platforms and bots about", () => {
    const harness = createHarness({
      game: arena,
      hooks: rules,
      clients: ["ada", "ben"],
      link: { latencyMs: 90 },
      roomOptions: { bots: 6 },
      seed: 5,
    });
    harness.untilJoined();
    for (let turn = 0; turn < 12; turn++) {
      const angle = turn * 0.9;
      harness
        .client("ada")
        .input.set({ moveX: Math.cos(angle), moveY: Math.sin(angle), sprint: turn % 3 === 0 });
      harness.client("ben").input.set({ moveX: Math.sin(angle * 0.7), moveY: -Math.cos(angle) });
      harness.advance(350);
    }
    harness.settle();
    for (const client of harness.clients) {
      expect(client.stats()).toMatchObject({ corrections: 0, hardApplies: 0, badFrames: 0 });
      expect([...client.view.all("player")]).toHaveLength(8);
    }
    expect(harness.disagreements()).toEqual([]);
    expect(harness.ledgerProblems()).toEqual([]);
  });
});
