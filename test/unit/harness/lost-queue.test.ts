import { describe, expect, it } from "vitest";
import { createHarness } from "../../harness/index.ts";
import { type Shots, shots, shotsHooks } from "./shots.ts";

describe("a page that has lost its queue", () => {
  it("[S3] [S5] [I3] gives no number again, also when the room's word about the barrier doesn't arrive", () => {
    // Found by `npm run faults`, seeds 26 and 52.
    for (const lost of [0, 1, 2, 3, 4]) {
      const harness = createHarness<Shots>({ game: shots, hooks: shotsHooks, link: { latencyMs: 60 } });
      const client = harness.client(0);
      harness.untilJoined();
      client.input.set({ steps: 1 / 127 });
      harness.advance(800);
      client.down.lose(lost);
      harness.reloadClient(client, { store: "lost" });
      client.input.set({ steps: -1 / 127 });
      const handles = [client.actions.fire()];
      for (let i = 0; i < 10; i++) {
        harness.advance(50);
        handles.push(client.actions.fire());
      }
      harness.until(() => client.stats().openActions === 0, { what: "the end of all actions" });
      harness.settle();
      expect(handles.map(({ status }) => status).filter((status) => status !== "void")).toEqual(
        handles.filter(({ status }) => status !== "void").map(() => "settled"),
      );
      expect(handles.some(({ status }) => status === "settled")).toBe(true);
      expect(harness.ledgerProblems()).toEqual([]);
      expect(harness.disagreements()).toEqual([]);
    }
  });
});
