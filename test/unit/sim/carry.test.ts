import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  defineGame,
  type Fragment,
  flag,
  fragment,
  int,
  num,
  oneOf,
  RoomWorld,
  type SeatId,
} from "../../../sim/index.ts";

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

  it("[D7] leaves behind who predicted an entity when another side predicts it now, and keeps its teleports", () => {
    const spec = {
      name: "carried",
      tickRate: 60,
      input: {},
      fragments: { a: fragment({ x: num({ step: 1 / 8 }) }) },
      systems: {},
    } as const;
    const things = <P extends "island" | "owner">(predict: P) =>
      ({ thing: { fragments: ["a"], predict } }) as const;
    const [island, owner] = [
      defineGame({ ...spec, version: 1, archetypes: things("island") }),
      defineGame({ ...spec, version: 2, archetypes: things("owner") }),
    ];
    const old = new RoomWorld(island, 7);
    const ref = old.spawn("thing", { a: { x: 1 } });
    old.step(new Map());
    const before = old.get(ref);
    if (before) before.island = 3 as SeatId;
    before?.teleported();
    const next = new RoomWorld(owner, 7);
    next.carry(old);
    const back = new RoomWorld(island, 7);
    back.carry(next);
    const same = new RoomWorld(island, 7);
    same.carry(old);
    expect(next.get(ref)?.spawnedBy).toBeUndefined();
    expect(back.get(ref)?.island).toBe(0);
    expect(same.get(ref)?.island).toBe(3);
    for (const world of [next, back, same]) expect(world.quantise().jumps[0]).toBe(1);
  });
});
