import { describe, expect, it } from "vitest";
import { type Arena, arena } from "../../../demo/game.ts";
import { distance } from "../../../demo/geometry.ts";
import { rules } from "../../../demo/rules.ts";
import { DEFAULT_BOTS, SPARK_COUNT } from "../../../demo/tuning.ts";
import { createHarness, type HarnessOptions } from "../../harness/index.ts";

function arenaRoom(options: Omit<HarnessOptions<Arena>, "game" | "hooks"> = {}) {
  return createHarness<Arena>({ game: arena, hooks: rules, ...options });
}

/** Steady, 50 ms each way. */
const STEADY = { latencyMs: 50 };

describe("the arena's room", () => {
  it("has bots, platforms and sparks before the first player looks around", () => {
    const harness = arenaRoom();
    harness.untilJoined();
    harness.advance(500);
    const { view } = harness.client(0);
    expect([...view.all("player")]).toHaveLength(DEFAULT_BOTS + 1);
    expect([...view.all("platform")]).toHaveLength(2);
    expect([...view.all("spark")]).toHaveLength(SPARK_COUNT);
  });

  it.each([
    [{ bots: 0 }, 0],
    [{ bots: 9 }, 9],
    [{ bots: -3 }, 0],
    [{ bots: "many" }, DEFAULT_BOTS],
    [null, DEFAULT_BOTS],
  ])("makes of the options %j a room with %i bots", (roomOptions, bots) => {
    expect(arenaRoom({ roomOptions }).room.stats().bots).toBe(bots);
  });

  it("gives each player a place and a colour of its own", () => {
    const harness = arenaRoom({ clients: 4, roomOptions: { bots: 3 } });
    harness.untilJoined();
    harness.advance(1000);
    const players = [...harness.client(0).view.all("player")];
    expect(players).toHaveLength(7);
    expect(new Set(players.map(({ look }) => look.hue)).size).toBe(7);
    const owned = harness.clients.map(({ view }) => view.own?.pose ?? { x: 0, y: 0 });
    for (const [index, a] of owned.entries()) {
      for (const b of owned.slice(index + 1)) expect(distance(a, b)).toBeGreaterThan(1);
    }
  });

  it("lets nothing of a player stay who left", () => {
    const harness = arenaRoom({ clients: 2, roomOptions: { bots: 0 } });
    harness.untilJoined();
    harness.advance(300);
    harness.client(1).leave();
    harness.advance(1000);
    expect([...harness.client(0).view.all("player")]).toHaveLength(1);
  });

  it("[P4] [P6] needs no correction of somebody who runs about on a steady link, along walls and into platforms", () => {
    const harness = arenaRoom({ link: STEADY, roomOptions: { bots: 4 }, seed: 3 });
    harness.untilJoined();
    const client = harness.client(0);
    harness.advance(2000);
    const before = client.stats().corrections;
    let pushed = 0;
    // Towards the platform on the left or on the right, whichever side it began on, and against it for a while.
    for (let i = 0; i < 120; i++) {
      const own = client.view.own?.pose ?? { x: 0, y: 0 };
      const platform = [...client.view.all("platform")].sort(
        (a, b) => distance(a.pose, own) - distance(b.pose, own),
      )[0];
      const goal = platform?.pose ?? { x: 0, y: 0 };
      if (platform && Math.abs(goal.y - own.y) < 1.3 && Math.abs(goal.x - own.x) < 2.7) pushed++;
      client.input.set({
        moveX: Math.sign(Math.round(goal.x - own.x)),
        moveY: Math.sign(Math.round(goal.y - own.y)),
        sprint: i % 3 === 0,
      });
      harness.advance(250);
    }
    expect(pushed).toBeGreaterThan(10);
    expect(client.stats().corrections - before).toBe(0);
  });
});
