import { describe, expect, it } from "vitest";
import { botName, wander } from "../../../demo/bots.ts";
import { type Arena, arena } from "../../../demo/game.ts";
import { FLOOR, freePlace, PLATFORMS } from "../../../demo/level.ts";
import { isStraightWay, nextStep } from "../../../demo/pathways.ts";
import { platformAt } from "../../../demo/platforms.ts";
import { scatterSpark } from "../../../demo/sparks.ts";
import { SPARK_COUNT } from "../../../demo/tuning.ts";
import { type CommandOf, quantiseCommand, RoomWorld, type SeatId } from "../../../sim/index.ts";
import { arenaWith, distanceToNearestWall, playerOf, step } from "./arena.ts";

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

describe("sparks", () => {
  it("go to whoever touches them, and another one lights up elsewhere", () => {
    const world = arenaWith({ x: -16, y: -12.2 });
    world.spawn("spark", { spot: { x: -12, y: -12.2, worth: 3 } });
    step(world, { moveX: 1 }, 10);
    expect(playerOf(world).tally.sparks).toBe(0);
    step(world, { moveX: 1 }, 40);
    expect(playerOf(world).tally.sparks).toBe(3);
    const sparks = [...world.all("spark")];
    expect(sparks).toHaveLength(1);
    expect(sparks[0]?.spot.x).not.toBe(-12);
  });

  it("go to one player only when two arrive in the same tick", () => {
    const world = arenaWith({ x: 0, y: 0.4 });
    world.spawn("player", { pose: { x: 0, y: -0.4 } }, { owner: 2 as SeatId });
    world.spawn("spark", { spot: { x: 0, y: 0 } });
    step(world, {}, 3);
    const tallies = [...world.all("player")].map(({ tally }) => tally.sparks);
    expect(tallies.toSorted()).toEqual([0, 1]);
  });

  it("light up on free floor only", () => {
    const random = generator(3);
    for (let i = 0; i < 500; i++) {
      const place = freePlace(random, 1);
      expect(distanceToNearestWall(place)).toBeGreaterThanOrEqual(1);
      expect(Math.abs(place.x)).toBeLessThan(FLOOR.halfWidth);
    }
  });
});

describe("pathways", () => {
  it("lead from any free place to any other by steps that are straight ways", () => {
    const random = generator(11);
    for (let i = 0; i < 300; i++) {
      const square = freePlace(random, 1.2);
      let here = { x: square.x + random() - 0.5, y: square.y + random() - 0.5 };
      const goal = freePlace(random, 0.7);
      let steps = 0;
      while (here !== goal) {
        const next = nextStep(here, goal);
        expect(isStraightWay(here, next)).toBe(true);
        here = next;
        steps++;
        expect(steps).toBeLessThan(12);
      }
    }
  });
});

describe("bots", () => {
  function roomOfBots(count: number): RoomWorld<Arena> {
    const world = new RoomWorld(arena, 5);
    for (const { slab, track } of PLATFORMS) {
      world.spawn("platform", { pose: platformAt(track, 0), slab, track });
    }
    for (let i = 0; i < SPARK_COUNT; i++) scatterSpark(world);
    for (let i = 1; i <= count; i++) {
      const { x, y } = freePlace(() => world.random(), 1);
      world.spawn("player", { pose: { x, y } }, { owner: i as SeatId });
    }
    world.commitStructure();
    return world;
  }

  function think(world: RoomWorld<Arena>, random: () => number): Map<SeatId, CommandOf<Arena>> {
    const commands = new Map<SeatId, CommandOf<Arena>>();
    for (const entity of world.all("player")) {
      const thought = wander({ tick: world.tick, world, entity, random });
      commands.set(entity.owner as SeatId, quantiseCommand<Arena>(arena.schema, thought));
    }
    return commands;
  }

  it("find sparks all over the arena and never get stuck for good", () => {
    const world = roomOfBots(6);
    const random = generator(1);
    const tallies = () => [...world.all("player")].map(({ tally }) => tally.sparks);
    for (let minute = 0; minute < 2; minute++) {
      const before = tallies();
      for (let i = 0; i < 3600; i++) world.step(think(world, random));
      for (const [index, now] of tallies().entries()) expect(now).toBeGreaterThan(before[index] ?? 0);
    }
  });

  it("[D3] go on alike from a saved room, because they keep nothing in mind", () => {
    const world = roomOfBots(4);
    const random = generator(1);
    for (let i = 0; i < 100; i++) world.step(think(world, random));
    const restored = new RoomWorld(arena, 0);
    restored.restore(world.save());
    const later = [generator(2), generator(2)] as const;
    for (let i = 0; i < 300; i++) {
      world.step(think(world, later[0]));
      restored.step(think(restored, later[1]));
    }
    expect(restored.hash()).toBe(world.hash());
  });

  it("have names of their own, however many they are", () => {
    const names = Array.from({ length: 60 }, (_, index) => botName(index));
    expect(new Set(names).size).toBe(60);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(24);
  });
});
