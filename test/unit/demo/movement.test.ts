import { describe, expect, it } from "vitest";
import { distanceToBox } from "../../../demo/geometry.ts";
import { SPAWN_POINTS, WALLS } from "../../../demo/level.ts";
import {
  PLAYER_RADIUS,
  SECOND_WIND,
  SPRINT_SECONDS,
  SPRINT_SPEED,
  TICK_RATE,
  WALK_SPEED,
} from "../../../demo/tuning.ts";
import { arenaWith, distanceToNearestWall, playerOf, step } from "./arena.ts";

/** In the lane along the rim, with a free run to the east. */
const LANE = { x: -16, y: -12.2 };

function speedOf({ pose }: ReturnType<typeof playerOf>): number {
  return Math.hypot(pose.vx, pose.vy);
}

describe("movement in the arena", () => {
  it("speeds up to walking pace within a quarter of a second and keeps it", () => {
    const world = arenaWith(LANE);
    step(world, { moveX: 1 }, 2);
    expect(speedOf(playerOf(world))).toBeLessThan(WALK_SPEED / 2);
    step(world, { moveX: 1 }, 13);
    expect(speedOf(playerOf(world))).toBeCloseTo(WALK_SPEED, 4);
    step(world, { moveX: 1 }, 30);
    expect(speedOf(playerOf(world))).toBeCloseTo(WALK_SPEED, 4);
  });

  it("comes to rest by friction and then stays where it is", () => {
    const world = arenaWith(LANE);
    step(world, { moveX: 1 }, 30);
    step(world, {}, 30);
    const { x, y } = playerOf(world).pose;
    expect(speedOf(playerOf(world))).toBe(0);
    step(world, {}, 30);
    expect(playerOf(world).pose).toMatchObject({ x, y });
  });

  it("isn't faster on two keys than on one", () => {
    const world = arenaWith({ x: -20, y: -12.2 });
    step(world, { moveX: 1, moveY: 1 }, 12);
    expect(speedOf(playerOf(world))).toBeCloseTo(WALK_SPEED, 4);
  });

  it("sprints while there is breath, is winded when it is spent, and sprints again after a rest", () => {
    const world = arenaWith(LANE);
    const player = playerOf(world);
    step(world, { moveX: 1, sprint: true }, 30);
    expect(player.stride.sprinting).toBe(true);
    expect(speedOf(player)).toBeCloseTo(SPRINT_SPEED, 4);
    step(world, { moveX: 1, sprint: true }, Math.ceil(SPRINT_SECONDS * TICK_RATE) - 29);
    expect(player.stride).toMatchObject({ stamina: 0, winded: true });
    step(world, { moveX: 1, sprint: true }, 10);
    expect(player.stride.sprinting).toBe(false);
    step(world, {}, 120);
    expect(player.stride.stamina).toBeGreaterThan(SECOND_WIND);
    step(world, { moveX: -1, sprint: true }, 1);
    expect(player.stride.sprinting).toBe(true);
  });

  it("doesn't spend breath on sprinting while standing", () => {
    const world = arenaWith(LANE);
    step(world, { sprint: true }, 60);
    expect(playerOf(world).stride).toMatchObject({ stamina: 1, sprinting: false });
  });

  it("turns its heading into the direction of the walk, the short way round", () => {
    const world = arenaWith({ x: -10, y: -12.2 }, { facing: { heading: 0.2 } });
    step(world, { moveX: 0.5, moveY: -0.5 }, 1);
    const { facing } = playerOf(world);
    expect(facing.heading > 6 || facing.heading < 0.2).toBe(true);
    step(world, { moveX: 0.5, moveY: -0.5 }, 20);
    expect(facing.heading).toBeCloseTo((7 * Math.PI) / 4, 3);
  });
});

describe("walls of the arena", () => {
  it("stop whoever runs straight into them, at once and without a bounce", () => {
    const world = arenaWith({ x: 0, y: -12.2 });
    step(world, { moveY: -1, sprint: true }, 60);
    const { pose } = playerOf(world);
    expect(pose.y).toBeCloseTo(-14 + PLAYER_RADIUS, 2);
    expect(pose.vy).toBeCloseTo(0, 6);
    const { x, y } = pose;
    step(world, { moveY: -1, sprint: true }, 60);
    expect(pose.x).toBe(x);
    expect(Math.abs(pose.y - y)).toBeLessThan(0.01);
  });

  it("let a player that runs into them at an angle slide along, at its speed along the wall", () => {
    const world = arenaWith(LANE);
    step(world, { moveX: 1, moveY: -1 }, 60);
    const { pose } = playerOf(world);
    const before = pose.x;
    step(world, { moveX: 1, moveY: -1 }, 60);
    expect(pose.y).toBeCloseTo(-14 + PLAYER_RADIUS, 2);
    expect(pose.x - before).toBeCloseTo(WALK_SPEED * Math.SQRT1_2, 1);
  });

  it("let a player slide around a convex corner instead of catching it", () => {
    // Against the left end of the bar above the middle, a little above its corner.
    const world = arenaWith({ x: -8, y: -10.7 });
    step(world, { moveX: 1 }, 120);
    expect(playerOf(world).pose.x).toBeGreaterThan(2);
  });

  it("are thicker than a sprint is fast, so that nobody passes through in one tick", () => {
    expect(SPRINT_SPEED / TICK_RATE).toBeLessThan(PLAYER_RADIUS);
    for (const wall of WALLS) {
      expect(Math.min(wall.halfWidth, wall.halfHeight)).toBeGreaterThanOrEqual(SPRINT_SPEED / TICK_RATE);
    }
  });

  it("hold a player in an inner corner", () => {
    const world = arenaWith({ x: 14, y: 7 });
    step(world, { moveX: 1, moveY: 1, sprint: true }, 240);
    const { pose } = playerOf(world);
    expect(distanceToNearestWall(pose)).toBeGreaterThanOrEqual(PLAYER_RADIUS);
    expect(pose.x).toBeCloseTo(17 - PLAYER_RADIUS, 2);
    expect(pose.y).toBeCloseTo(9.4 - PLAYER_RADIUS, 2);
  });

  it("leave every spawn point clear of all walls", () => {
    for (const point of SPAWN_POINTS) {
      expect(Math.min(...WALLS.map((wall) => distanceToBox(point, wall)))).toBeGreaterThan(PLAYER_RADIUS);
    }
  });
});
