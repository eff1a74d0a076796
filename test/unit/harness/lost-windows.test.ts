import { describe, expect, it } from "vitest";
import { createHarness, type Harness } from "../../harness/index.ts";
import { type Shots, shots, shotsHooks } from "./shots.ts";

const WINDOW_TICKS = 3;

/** Windows that were run and sent, and aren't stored. */
function unstored(harness: Harness<Shots>): number {
  return (harness.room.tick - (harness.store.ledgerRows.at(-1)?.toTick ?? 0)) / WINDOW_TICKS;
}

function minesIn(harness: Harness<Shots>): number[] {
  return [...harness.room.world.all("mine")].map(({ id }) => id);
}

describe("worked case 6: a crash between commits of every fourth window", () => {
  const cases = [1, 2 ** 16 - 60, 2 ** 31 - 60].flatMap((firstSeq) =>
    [1, 2, 3].flatMap((lost) => Array.from({ length: lost + 1 }, (_, seen) => ({ firstSeq, lost, seen }))),
  );
  it.each(cases)(
    "[D2] [D3] [R2] [V5] [I2] runs commands once and takes back what only lost windows had: $lost lost, $seen seen, from $firstSeq",
    ({ firstSeq, lost, seen }) => {
      const harness = createHarness<Shots>({
        game: shots,
        hooks: shotsHooks,
        clients: ["miner", "watcher"],
        seed: 11,
        room: { commitEvery: 4, sessions: { firstSeq } },
      });
      const [miner, watcher] = [harness.client("miner"), harness.client("watcher")];
      harness.untilJoined();
      watcher.input.set({ steps: 1 / 127 });
      harness.advance(500);
      // A mine of a window that isn't stored yet, at the wanted distance from the last commit.
      harness.until(() => unstored(harness) === 0, { what: "a commit" });
      miner.input.press("mine");
      for (let window = 0; window < lost; window++) {
        if (window === seen) watcher.down.hold();
        harness.until(() => unstored(harness) === window + 1, { what: `window ${window + 1}` });
      }
      const told = watcher.stats();
      const spawned = minesIn(harness);
      if (lost === 3) expect(spawned).toHaveLength(1);
      const { incarnation } = harness.room;
      // The miner's page goes with the room, and with it the command: nobody lays that mine again.
      harness.crashRoom({ downMs: 50 });
      harness.reloadClient(miner, { store: "lost" });
      watcher.down.release();
      harness.until(() => harness.room.incarnation > incarnation, { what: "the restart" });
      expect(minesIn(harness)).toEqual([]);
      harness.settle();
      expect([...watcher.view.all("mine")].map(({ id }) => id)).toEqual([]);
      expect(watcher.stats().durable).toBeGreaterThanOrEqual(told.consumed);

      // Its number goes to another one, which nobody's memory of the lost timeline may hide.
      watcher.input.press("mine");
      harness.advance(400);
      harness.settle();
      const again = minesIn(harness);
      expect(again).toHaveLength(1);
      if (spawned.length > 0) expect(again).toEqual(spawned);
      for (const client of harness.clients) {
        expect([...client.view.all("mine")].map(({ id }) => id)).toEqual(again);
      }
      const steps = harness.executed(watcher).filter(({ command }) => command.steps > 0).length;
      expect(harness.serverEntity(watcher)?.values["place.x"]).toBe(steps);
      expect(harness.ledgerProblems()).toEqual([]);
      expect(harness.disagreements()).toEqual([]);
    },
  );
});
