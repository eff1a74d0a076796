import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dequantise, type FlatField, QuantisedState, quantise, RoomWorld } from "../../../sim/index.ts";
import { everything } from "./games.ts";

const field = (path: string): FlatField => {
  const found = everything.schema.archetypes.flatMap((a) => a.fields).find((f) => f.path === path);
  if (!found) throw new Error(path);
  return found;
};

describe("quantise", () => {
  it("[R3] is within half a step of every value in range, and clamps the rest", () => {
    const x = field("transform.x");
    fc.assert(
      fc.property(fc.double({ min: -100, max: 100, noNaN: true }), (value) => {
        expect(Math.abs(quantise(x, value) * x.step - value)).toBeLessThanOrEqual(x.step / 2 + 1e-9);
      }),
    );
    expect(quantise(x, 1e9)).toBe(6400);
    expect(quantise(x, Number.NEGATIVE_INFINITY)).toBe(-6400);
    expect(quantise(x, Number.NaN)).toBe(0);
  });

  it("[R3] takes any float32 to an integer that its own value gives again", () => {
    for (const path of ["transform.x", "transform.vx", "transform.heading"]) {
      const f = field(path);
      fc.assert(
        fc.property(fc.float(), (value) => {
          const quanta = quantise(f, value);
          expect(Number.isInteger(quanta) && quanta >= f.lo && quanta <= f.hi).toBe(true);
          if (Math.abs(quanta) < 2 ** 23) expect(quantise(f, dequantise(f, quanta))).toBe(quanta);
        }),
      );
    }
  });

  it("[R3] wraps angles around the turn", () => {
    const heading = field("transform.heading");
    expect(quantise(heading, 0)).toBe(0);
    expect(quantise(heading, 2 * Math.PI)).toBe(0);
    expect(quantise(heading, -Math.PI / 2)).toBe(192);
    expect(quantise(heading, 1e30)).toBeLessThan(256);
  });

  it("[R3] lists entities by id with absent fragments as zero, and reuses the memory that it is given", () => {
    const world = new RoomWorld(everything, 1);
    for (let i = 0; i < 40; i++) world.spawn(i % 2 ? "player" : "bullet", { transform: { x: i } });
    world.step(new Map());
    for (let id = 2; id < 20; id += 3) {
      const entity = world.byId(id);
      if (entity) world.despawn(entity);
    }
    world.step(new Map());
    const reused = new QuantisedState();
    const state = world.quantise(reused);
    expect(state).toBe(reused);
    const ids = [...state.ids.subarray(0, state.count)];
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(ids).toHaveLength(34);
    for (const [row, id] of ids.entries()) {
      expect(state.find(id)).toBe(row);
      expect(state.values[state.offsets[row] as number]).toBe((id - 1) * 64);
    }
    expect(state.find(2)).toBe(-1);
    const player = state.find(4);
    const strength = field("shield.strength");
    expect(state.values[(state.offsets[player] as number) + strength.index]).toBe(0);
    expect(state.presence[player]).toBe(0b011);
  });
});
