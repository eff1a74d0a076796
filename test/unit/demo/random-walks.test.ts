import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Arena } from "../../../demo/game.ts";
import { arena } from "../../../demo/game.ts";
import { distanceToBox } from "../../../demo/geometry.ts";
import { FLOOR, freePlace, PLATFORMS } from "../../../demo/level.ts";
import { platformAt } from "../../../demo/platforms.ts";
import { PLAYER_RADIUS } from "../../../demo/tuning.ts";
import { HEADER_CELLS, quantiseCommand, RoomWorld, World } from "../../../sim/index.ts";
import { arenaWith, command, distanceToNearestWall, playerOf, SEAT, type Steering, step } from "./arena.ts";

const unit = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
/** Somewhere on the free floor, but not on a platform: that would begin with a push. */
const place = fc
  .infiniteStream(unit)
  .map((numbers) => freePlace(() => numbers.next().value as number, 0.6))
  .filter((start) =>
    PLATFORMS.every(({ slab, track }) => distanceToBox(start, { ...platformAt(track, 0), ...slab }) > 1),
  );
const axis = fc.oneof(fc.constantFrom(-1, 0, 1), fc.double({ min: -1, max: 1, noNaN: true }));
/** A walk in legs: one steering for some ticks, then the next. */
const walk = fc.array(
  fc.record({
    steering: fc.record({ moveX: axis, moveY: axis, sprint: fc.boolean() }),
    ticks: fc.integer({ min: 1, max: 90 }),
  }),
  { minLength: 1, maxLength: 14 },
);

function asSent(steering: Steering): Steering {
  return quantiseCommand<Arena>(arena.schema, command(steering));
}

describe("any walk through the arena", () => {
  it("never ends a tick inside a wall, nor outside the floor, nor faster than anybody can run", () => {
    fc.assert(
      fc.property(place, walk, (start, legs) => {
        const world = arenaWith(start);
        const { pose } = playerOf(world);
        for (const { steering, ticks } of legs) {
          for (let i = 0; i < ticks; i++) {
            const { x, y } = pose;
            step(world, asSent(steering));
            expect(distanceToNearestWall(pose)).toBeGreaterThanOrEqual(PLAYER_RADIUS);
            expect(Math.abs(pose.x)).toBeLessThan(FLOOR.halfWidth);
            expect(Math.abs(pose.y)).toBeLessThan(FLOOR.halfHeight);
            // Never further in one tick than its own radius: a push of a platform included.
            expect(Math.hypot(pose.x - x, pose.y - y)).toBeLessThan(PLAYER_RADIUS);
          }
        }
      }),
      { numRuns: 120 },
    );
  });

  it("[T1] gives the same state, bit for bit, from the same start and the same commands", () => {
    fc.assert(
      fc.property(place, walk, (start, legs) => {
        const worlds = [arenaWith(start), arenaWith(start)] as const;
        for (const world of worlds) {
          for (const { steering, ticks } of legs) step(world, asSent(steering), ticks);
        }
        expect(worlds[0].hash()).toBe(worlds[1].hash());
      }),
      { numRuns: 40 },
    );
  });

  it("[D3] goes on alike from a saved state, at whatever tick it was saved", () => {
    fc.assert(
      fc.property(place, walk, fc.nat(1000), (start, legs, cut) => {
        const straight = arenaWith(start);
        const steerings = legs.flatMap(({ steering, ticks }) =>
          Array.from({ length: ticks }, () => asSent(steering)),
        );
        const at = cut % steerings.length;
        let restored: RoomWorld<Arena> | undefined;
        for (const [tick, steering] of steerings.entries()) {
          if (tick === at) {
            restored = new RoomWorld(arena, 0);
            restored.restore(straight.save());
          }
          step(straight, steering);
          if (restored) step(restored, steering);
        }
        expect(restored?.hash()).toBe(straight.hash());
      }),
      { numRuns: 40 },
    );
  });

  it("[P1] comes out in a client's prediction as in the room, platforms included", () => {
    fc.assert(
      fc.property(place, walk, (start, legs) => {
        const room = arenaWith(start);
        const page = new World(arena);
        for (const id of room.ids()) {
          const { archetype = 0, cells = new Uint32Array() } = room.rowOf(id) ?? {};
          const [, epoch = 0, owner = 0, presence = 0] = cells;
          page.put(id, epoch, archetype, owner, presence, cells.slice(HEADER_CELLS));
        }
        for (const { steering, ticks } of legs) {
          for (let i = 0; i < ticks; i++) {
            step(room, asSent(steering));
            page.predict(room.tick, new Map([[SEAT, command(asSent(steering))]]));
          }
        }
        const { id } = playerOf(room);
        expect(page.rowOf(id)?.cells).toEqual(room.rowOf(id)?.cells);
      }),
      { numRuns: 40 },
    );
  });
});
