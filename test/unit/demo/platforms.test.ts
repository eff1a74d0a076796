import { describe, expect, it } from "vitest";
import { arena } from "../../../demo/game.ts";
import { distanceToBox } from "../../../demo/geometry.ts";
import { PLATFORMS, WALLS } from "../../../demo/level.ts";
import { platformAt } from "../../../demo/platforms.ts";
import { PLAYER_RADIUS, TICK_RATE } from "../../../demo/tuning.ts";
import { RoomWorld } from "../../../sim/index.ts";
import { arenaWith, playerOf, step } from "./arena.ts";

const [west] = PLATFORMS;
if (!west) throw new Error("the level has no platform");

function platformsOf(world: ReturnType<typeof arenaWith>) {
  return [...world.all("platform")];
}

describe("platforms of the arena", () => {
  it("are where their track says at every tick, also after a restart of the world", () => {
    const world = arenaWith({ x: 0, y: -12.2 });
    step(world, {}, 200);
    const restored = new RoomWorld(arena, 0);
    restored.restore(world.save());
    step(world, {}, 77);
    step(restored, {}, 77);
    for (const [index, { pose, track }] of platformsOf(world).entries()) {
      const { x, y } = platformAt(track, world.tick);
      expect(Math.abs(pose.x - x)).toBeLessThanOrEqual(1 / 512);
      expect(Math.abs(pose.y - y)).toBeLessThanOrEqual(1 / 512);
      expect(platformsOf(restored)[index]?.pose).toMatchObject({ x: pose.x, y: pose.y });
    }
  });

  it("[P6] stand on the grid that the wire carries, so that prediction reads exactly what the room has", () => {
    const world = arenaWith({ x: 0, y: -12.2 });
    for (let i = 0; i < 300; i++) {
      step(world, {});
      for (const { pose } of world.all("platform")) {
        expect(pose.y * 256).toBe(Math.round(pose.y * 256));
        expect(pose.vy * 64).toBe(Math.round(pose.vy * 64));
      }
    }
  });

  it("push whoever stands in their way, along their way and no further than their edge", () => {
    const world = arenaWith({ x: west.track.fromX, y: 0 });
    const { pose } = playerOf(world);
    // Once there and at rest at the far end.
    step(world, {}, west.track.period / 2);
    expect(pose.x).toBeCloseTo(west.track.fromX, 3);
    expect(pose.y).toBeGreaterThan(west.track.toY + west.slab.halfHeight);
    expect(pose.y - PLAYER_RADIUS).toBeGreaterThanOrEqual(west.track.toY + west.slab.halfHeight - 1 / 64);
  });

  it("make whoever they push as fast as themselves, so that onlookers see it move smoothly", () => {
    const world = arenaWith({ x: west.track.fromX, y: 0 });
    const { pose } = playerOf(world);
    const [platform] = platformsOf(world);
    let pushed = 0;
    for (let i = 0; i < west.track.period / 2; i++) {
      step(world, {});
      if (pose.vy === 0) continue;
      pushed++;
      expect(pose.vy).toBeGreaterThanOrEqual((platform?.pose.vy ?? 0) - 0.1);
    }
    expect(pushed).toBeGreaterThan(30);
  });

  it("never leave less room to a wall than a player needs, so that nobody is crushed", () => {
    for (const { slab, track } of PLATFORMS) {
      for (let tick = 0; tick < track.period; tick++) {
        const { x, y } = platformAt(track, tick);
        for (const wall of WALLS) {
          const grown = {
            x: wall.x,
            y: wall.y,
            halfWidth: wall.halfWidth + slab.halfWidth,
            halfHeight: wall.halfHeight + slab.halfHeight,
          };
          expect(distanceToBox({ x, y }, grown)).toBeGreaterThan(2 * PLAYER_RADIUS + 0.1);
        }
      }
    }
  });

  it("move slower in a tick than a player's radius, so that they can't pass through one", () => {
    for (const { track } of PLATFORMS) {
      for (let tick = 0; tick < track.period; tick++) {
        const a = platformAt(track, tick);
        const b = platformAt(track, tick + 1);
        expect(Math.hypot(b.x - a.x, b.y - a.y)).toBeLessThan(PLAYER_RADIUS);
        expect(Math.hypot(b.x - a.x, b.y - a.y) * TICK_RATE).toBeLessThan(8);
      }
    }
  });
});
