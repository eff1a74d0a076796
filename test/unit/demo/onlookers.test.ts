import { describe, expect, it } from "vitest";
import { LANE_Y, playerOf, range } from "./range.ts";

/** What each page hears of shots, in the order of hearing. */
function listen(harness: ReturnType<typeof range>) {
  return harness.clients.map(({ core }) => {
    const heard: string[] = [];
    core.effects.on("shot", { play: () => heard.push("own shot") });
    core.events.on("shot", ({ data }) => heard.push(`shot of ${data.shooter}`));
    core.events.on("hit", () => heard.push("hit"));
    core.events.on("judged", ({ data }) => heard.push(`judged ${data.length}`));
    return heard;
  });
}

describe("a shot in the arena", () => {
  it("[R9] is seen and heard by onlookers through events, by the shooter at once, by nobody twice", () => {
    const harness = range([
      { x: -4, y: LANE_Y },
      { x: 4, y: LANE_Y },
      { x: 0, y: 6 },
    ]);
    const [shooter, target, onlooker] = listen(harness);
    harness.client(0).actions.fire({ aim: 0, live: false });
    harness.advance(1500);
    const { id } = playerOf(harness, 0);
    expect(shooter).toEqual(["own shot", "judged 2"]);
    expect(target).toEqual([`shot of ${id}`, "hit"]);
    expect(onlooker).toEqual(target);
  });

  it("[L1][R9] shows its shooter where the room found others: where the page had drawn them", () => {
    const harness = range(
      [
        { x: -4, y: LANE_Y },
        { x: 4, y: LANE_Y },
      ],
      { link: { latencyMs: 125 } },
    );
    const shooter = harness.client(0);
    const judged: number[] = [];
    shooter.core.events.on("judged", ({ data }) => judged.push(...data.map(({ x }) => x)));
    harness.client(1).input.set({ moveX: 1 });
    harness.advance(600);
    const drawn = [...shooter.view.all("player")].find(({ own }) => !own)?.pose.x as number;
    shooter.actions.fire({ aim: 0, live: false });
    shooter.frame();
    const now = playerOf(harness, 1).pose.x;
    harness.advance(1000);
    expect(judged).toHaveLength(1);
    expect(judged[0]).toBeCloseTo(drawn, 1);
    expect(now - drawn).toBeGreaterThan(0.5);
  });
});
