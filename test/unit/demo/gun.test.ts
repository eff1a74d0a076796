import { describe, expect, it } from "vitest";
import type { ActionReceipt } from "../../../client-sdk/index.ts";
import { flightTicks, metresToPlayer, trajectory } from "../../../demo/ballistics.ts";
import type { ShotSight } from "../../../demo/events.ts";
import type { Arena } from "../../../demo/game.ts";
import { directionOf, distanceToBox } from "../../../demo/geometry.ts";
import { WALLS } from "../../../demo/level.ts";
import {
  BLOB_RADIUS,
  COAT_TICKS,
  COOLDOWN_TICKS,
  HIT_WORTH,
  PAINT_RANGE,
  PLAYER_RADIUS,
  REFILL_TICKS,
  SPREAD,
  TANK,
} from "../../../demo/tuning.ts";
import type { Harness } from "../../harness/index.ts";
import { LANE_Y, playerOf, range } from "./range.ts";

const EAST = 0;
const TICK_MS = 1000 / 60;

type Handle = ReturnType<Harness<Arena>["clients"][number]["actions"]["fire"]>;

/** Pulls the trigger in every frame for a while, as a page does that doesn't look at the gun. */
function shootFor(harness: Harness<Arena>, ms: number, aim: (shot: number) => number): Handle[] {
  const handles: Handle[] = [];
  for (let passed = 0; passed < ms; passed += TICK_MS) {
    handles.push(harness.client(0).actions.fire({ aim: aim(handles.length), live: false }));
    harness.advance(TICK_MS);
  }
  return handles;
}

function receiptsOf(harness: Harness<Arena>, client = 0): ActionReceipt<Arena, "fire">[] {
  const receipts: ActionReceipt<Arena, "fire">[] = [];
  harness.client(client).core.receipts.on("fire", (receipt) => receipts.push(receipt));
  return receipts;
}

describe("a shot's way", () => {
  it("has a direction that is right to a hundred-thousandth, without a sine", () => {
    for (let angle = -7; angle < 14; angle += 0.01) {
      const { x, y } = directionOf(angle);
      expect(x).toBeCloseTo(Math.cos(angle), 5);
      expect(y).toBeCloseTo(Math.sin(angle), 5);
    }
  });

  it("ends at the first wall, and never inside one", () => {
    for (let aim = 0; aim < 2 * Math.PI; aim += 0.05) {
      const path = trajectory({ x: 0, y: -7.5 }, aim, []);
      for (let metres = 0; metres < path.reach - 0.01; metres += 0.05) {
        const at = { x: path.x + path.dx * metres, y: path.y + path.dy * metres };
        expect(Math.min(...WALLS.map((wall) => distanceToBox(at, wall)))).toBeGreaterThan(BLOB_RADIUS * 0.7);
      }
    }
    expect(trajectory({ x: 0, y: LANE_Y }, 1.5 * Math.PI, []).reach).toBeCloseTo(14 - 12.2 - BLOB_RADIUS, 3);
  });

  it("is as long as paint flies where nothing is, and shorter where a platform is", () => {
    const from = { x: -16, y: LANE_Y };
    expect(trajectory(from, EAST, []).reach).toBe(PAINT_RANGE);
    const platform = { x: -10, y: LANE_Y, halfWidth: 1, halfHeight: 1 };
    expect(trajectory(from, EAST, [platform]).reach).toBeCloseTo(5 - BLOB_RADIUS, 5);
  });

  it("touches players that stand in it, neither those beside nor behind it", () => {
    const path = trajectory({ x: -16, y: LANE_Y }, EAST, []);
    const touch = PLAYER_RADIUS + BLOB_RADIUS;
    expect(metresToPlayer(path, { x: -10, y: LANE_Y })).toBeCloseTo(6 - touch, 5);
    expect(metresToPlayer(path, { x: -10, y: LANE_Y + touch - 0.01 })).toBeLessThan(6);
    expect(metresToPlayer(path, { x: -10, y: LANE_Y + touch + 0.01 })).toBe(Number.POSITIVE_INFINITY);
    expect(metresToPlayer(path, { x: -18, y: LANE_Y })).toBe(Number.POSITIVE_INFINITY);
    expect(metresToPlayer(path, { x: 2, y: LANE_Y })).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("the paint gun", () => {
  it("[P4] [P8] is predicted exactly on a steady link: no correction, no admission or cooldown foreseen wrongly", () => {
    const harness = range([
      { x: -16, y: LANE_Y },
      { x: -12, y: LANE_Y },
    ]);
    const [client] = harness.clients;
    const played: string[] = [];
    const cancelled: string[] = [];
    client?.core.effects.on<ShotSight>("shot", {
      play: ({ seq }) => played.push(String(seq)),
      cancel: ({ seq }) => cancelled.push(String(seq)),
    });
    const before = client?.stats().corrections;
    client?.input.set({ moveX: 0.5, sprint: true });
    const handles = shootFor(harness, 3000, (shot) => shot * 0.37);
    const foreseen = handles.map(({ predicted }) => predicted?.admitted);
    harness.advance(2500);
    expect(client?.stats().corrections).toBe(before);
    expect(handles.map(({ status }) => status === "settled")).toEqual(foreseen);
    const shots = foreseen.filter((admitted) => admitted).length;
    expect(shots).toBeGreaterThan(TANK);
    expect(new Set(played).size).toBe(shots);
    expect(played).toHaveLength(shots);
    expect(cancelled).toEqual([]);
    client?.input.set({ moveX: 0, sprint: false });
    harness.settle();
    expect(harness.disagreements()).toEqual([]);
    expect(playerOf(harness, 0).tally.sparks).toBeGreaterThanOrEqual(0);
  });

  it("takes paint from the tank, cools down, runs dry and fills again by itself", () => {
    const harness = range([{ x: -16, y: LANE_Y }]);
    const handles = shootFor(harness, 3000, () => EAST);
    harness.advance(500);
    const reasons = new Set(handles.map(({ predicted }) => predicted?.admitted || predicted?.reason));
    expect(reasons).toEqual(new Set([true, "cooling-down", "no-paint"]));
    const seqs = handles.flatMap(({ status, identity }) =>
      status === "settled" ? [identity?.seq ?? 0] : [],
    );
    for (let i = 1; i < TANK; i++) expect((seqs[i] ?? 0) - (seqs[i - 1] ?? 0)).toBe(COOLDOWN_TICKS);
    const { gun } = playerOf(harness, 0);
    expect(gun.paint).toBeLessThan(3);
    harness.advance((REFILL_TICKS + 1) * TANK * TICK_MS);
    expect(playerOf(harness, 0).gun).toMatchObject({ paint: TANK, refill: 0, cooldown: 0 });
  });

  it("scatters a little, the same in the room as the page has shown it", () => {
    const harness = range([{ x: -16, y: LANE_Y }]);
    const shown: ShotSight[] = [];
    harness.client(0).core.effects.on<ShotSight>("shot", { play: ({ data }) => shown.push(data) });
    const receipts = receiptsOf(harness);
    shootFor(harness, 1000, () => 0.3);
    harness.advance(1500);
    const landed = receipts.flatMap((receipt) => (receipt.status === "settled" ? [receipt.result] : []));
    expect(landed.length).toBeGreaterThan(4);
    expect(landed.map(({ x, y }) => [x, y])).toEqual(
      shown.map(({ x, y, dx, dy, reach }) => [x + dx * reach, y + dy * reach]),
    );
    const aims = shown.map(({ dx, dy }) => Math.atan2(dy, dx));
    expect(new Set(aims).size).toBe(aims.length);
    for (const aim of aims) expect(Math.abs(aim - 0.3)).toBeLessThan(SPREAD / 2 + 0.001);
  });

  it("[A3] hits who stood in the way when it was fired, as many ticks later as the paint flies", () => {
    const harness = range([
      { x: -16, y: LANE_Y },
      { x: -8, y: LANE_Y },
    ]);
    const receipts = receiptsOf(harness);
    harness.client(0).actions.fire({ aim: EAST, live: false });
    harness.advance(50);
    // Away as soon as it is on its way: too late, its place is in the shot.
    harness.client(1).input.set({ moveY: 1, sprint: true });
    harness.advance(1000);
    const [admitted, settled] = receipts;
    if (admitted?.status !== "admitted" || settled?.status !== "settled") throw new Error("no such receipts");
    expect(settled.result.hit).toBe(harness.client(1).seat);
    expect(settled.result.x).toBeCloseTo(-8 - PLAYER_RADIUS - BLOB_RADIUS, 0);
    expect(settled.tick - admitted.tick).toBe(flightTicks(settled.result.x + 16));
    const target = playerOf(harness, 1);
    expect(target.coat).toMatchObject({
      hue: playerOf(harness, 0).look.hue,
      until: settled.tick + COAT_TICKS,
    });
    expect(playerOf(harness, 0).tally.sparks).toBeGreaterThanOrEqual(HIT_WORTH);
    expect(playerOf(harness, 0).coat.until).toBe(0);
  });

  it("misses a target that has left before the paint came", () => {
    const harness = range([
      { x: -16, y: LANE_Y },
      { x: -4, y: LANE_Y },
    ]);
    const receipts = receiptsOf(harness);
    const shot = harness.client(0).actions.fire({ aim: EAST, live: false });
    harness.advance(60);
    harness.client(1).leave();
    harness.advance(1500);
    expect(shot.status).toBe("settled");
    expect(receipts.at(-1)).toMatchObject({ status: "settled", result: { hit: 0 } });
  });

  it("is stopped by walls that stand before the target", () => {
    const harness = range([
      { x: 0, y: -7.5 },
      { x: 0, y: LANE_Y },
    ]);
    const receipts = receiptsOf(harness);
    harness.client(0).actions.fire({ aim: 1.5 * Math.PI, live: false });
    harness.advance(1000);
    expect(receipts.at(-1)).toMatchObject({ status: "settled", result: { hit: 0 } });
    expect(playerOf(harness, 1).coat.until).toBe(0);
  });
});
