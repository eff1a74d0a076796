import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineGame, type Fragment, flag, fragment, int, num, oneOf, RoomWorld } from "../../../sim/index.ts";

function worldOf<A extends Fragment>(version: number, a: A) {
  const game = defineGame({
    name: "carried",
    version,
    tickRate: 60,
    input: {},
    fragments: { a, b: fragment({ left: int({ min: 0, max: 9, default: 4 }) }) },
    archetypes: { thing: { fragments: ["a"], optional: ["b"] } },
    systems: {},
  });
  return new RoomWorld(game, 7);
}

describe("a world carried into another definition", () => {
  it("[D7] of the same definition is the same world, whatever was spawned and despawned before", () => {
    const step = fc.record({ spawn: fc.boolean(), pick: fc.nat(20), x: fc.integer({ min: -99, max: 99 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const old = worldOf(1, fragment({ x: num({ step: 1 / 8 }) }));
        for (const { spawn, pick, x } of steps) {
          const all = [...old.all("thing")];
          const picked = all[pick % Math.max(1, all.length)];
          if (spawn) old.spawn("thing", { a: { x }, ...(x > 0 && { b: { left: 2 } }) });
          else if (picked) old.despawn(picked);
          old.step(new Map());
        }
        const next = worldOf(2, fragment({ x: num({ step: 1 / 8 }) }));
        next.carry(old);
        expect(next.quantise()).toEqual(old.quantise());
        const ids = [old, next].map((world) => {
          const refs = Array.from({ length: 5 }, () => world.spawn("thing"));
          world.step(new Map());
          return [refs, world.random()];
        });
        expect(ids[1]).toEqual(ids[0]);
      }),
    );
  });

  it("[D7] keeps a value whose field changed its kind, as far as the new kind has it", () => {
    const old = worldOf(
      1,
      fragment({
        count: num({ step: 1 / 8 }),
        wild: num({ step: 1 / 8 }),
        level: int({ min: 0, max: 9 }),
        awake: flag(),
        mood: oneOf(["calm", "cross", "glad"]),
        gone: oneOf(["one", "two"]),
      }),
    );
    const mood = "glad" as const;
    old.spawn("thing", {
      a: { count: 2.75, wild: Number.NaN, level: 5, awake: true, mood, gone: "two" },
      b: { left: 9 },
    });
    old.spawn("thing");
    old.step(new Map());
    const next = worldOf(
      2,
      fragment({
        mood: oneOf(["glad", "calm"]),
        gone: int({ min: 0, max: 9, default: 6 }),
        awake: int({ min: 0, max: 1 }),
        level: num({ step: 1 / 8 }),
        wild: int({ min: 0, max: 9, default: 8 }),
        count: int({ min: 0, max: 9 }),
        fresh: int({ min: 0, max: 9, default: 3 }),
      }),
    );
    next.carry(old);
    const [first, second] = [...next.all("thing")];
    expect(first?.a).toMatchObject({ mood: "glad", awake: 1, level: 5, count: 3, fresh: 3 });
    // What can't be said in the new kind has its default.
    expect(first?.a).toMatchObject({ gone: 6, wild: 8 });
    expect(first?.b?.left).toBe(9);
    expect(second?.b).toBeUndefined();
    expect(second?.a.mood).toBe("calm");
  });
});
