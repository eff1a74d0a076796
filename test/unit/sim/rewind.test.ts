import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  action,
  axis,
  defineGame,
  entityRef,
  fragment,
  Histories,
  isPackedCommand,
  type NetId,
  num,
  packCommand,
  QuantisedState,
  quantise,
  quantiseView,
  rewindTo,
  type ShapeOf,
  unpackCalls,
} from "../../../sim/index.ts";

const hunt = defineGame({
  name: "hunt",
  version: 1,
  tickRate: 60,
  input: { move: axis() },
  fragments: { pose: fragment({ x: num({ step: 1 / 64, rate: "vx" }), vx: num({ step: 1 / 64 }) }) },
  archetypes: {
    hare: { fragments: ["pose"], predict: "owner", rewind: true, snapDistance: 3 },
    bush: { fragments: ["pose"] },
  },
  actions: { shoot: action({ params: { aim: axis() }, rewind: true }), shout: action() },
  actionRules: { shoot: { admit: () => ({ admit: null }) }, shout: { admit: () => ({ admit: null }) } },
});
type Hunt = ShapeOf<typeof hunt>;
const { schema, dt } = hunt;

/** A boundary with hares at places, each moving as fast as told. */
function boundary(
  tick: number,
  ...hares: { id: number; epoch?: number; x: number; vx?: number; jumps?: number }[]
): QuantisedState {
  const state = QuantisedState.empty(tick);
  for (const { id, epoch = 1, x, vx = 0, jumps = 0 } of hares) {
    const values =
      schema.archetypes[0]?.fields.map((field) => quantise(field, field.name === "x" ? x : vx)) ?? [];
    state.push(id, epoch, 0, 0, 1, values, 0, values.length, jumps);
  }
  return state;
}

function seenAt(tick: number, ...states: QuantisedState[]) {
  const histories = new Histories(schema);
  for (const state of states) histories.insert(state);
  return rewindTo<Hunt>(histories, tick, dt);
}

const places = (tick: number, ...states: QuantisedState[]) =>
  [...seenAt(tick, ...states).all("hare")].map(({ id, pose }) => [id, pose.x]);

describe("the view time of a command", () => {
  it("[L1] travels in an action with `rewind` and in no other, to the 256th of a tick", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0xffff_ffff, noNaN: true }), fc.boolean(), (viewTick, both) => {
        const calls = [{ slot: 0, params: { aim: 1 }, viewTick }, ...(both ? [{ slot: 1, viewTick }] : [])];
        const bytes = packCommand(schema, { move: 1 }, calls);
        expect(isPackedCommand(schema, bytes)).toBe(true);
        const [shoot, shout] = unpackCalls(schema, bytes, 7);
        expect(shoot).toEqual({ slot: 0, seq: 7, params: { aim: 1 }, viewTick: quantiseView(viewTick) });
        expect(viewTick - (shoot?.viewTick ?? 0)).toBeLessThan(1 / 256);
        if (both) expect(shout?.viewTick).toBe(0);
      }),
    );
  });

  it("[L1] is 0 for what is no moment", () => {
    for (const odd of [Number.NaN, -1, Number.NEGATIVE_INFINITY]) expect(quantiseView(odd)).toBe(0);
    expect(quantiseView(Number.POSITIVE_INFINITY)).toBe(0xffff_ffff);
  });
});

describe("a rewind", () => {
  const early = boundary(30, { id: 1, x: 0, vx: 60 }, { id: 2, x: 5 });
  const late = boundary(33, { id: 1, x: 3, vx: 60 }, { id: 2, x: 5 });

  it("[L1] shows others between two boundaries, as pages draw them", () => {
    expect(places(31.5, early, late)).toEqual([
      [1, 1.5],
      [2, 5],
    ]);
  });

  it("[L1] doesn't follow a guess past the newest boundary", () => {
    expect(places(35, early, late)).toEqual([
      [1, 3],
      [2, 5],
    ]);
  });

  it("[L1] doesn't look back across a teleport, declared or too far to be none", () => {
    const far = boundary(33, { id: 1, x: 90 }, { id: 2, x: 5, jumps: 1 });
    expect(places(31.5, early, far)).toEqual([
      [1, 90],
      [2, 5],
    ]);
    const declared = boundary(33, { id: 1, x: 3, vx: 60, jumps: 1 });
    expect(places(31.5, early, declared)[0]).toEqual([1, 3]);
  });

  it("[L1] doesn't show who wasn't born yet, who is gone, nor another life under the same id", () => {
    const reborn = boundary(36, { id: 1, epoch: 2, x: 8 });
    expect(places(34, early, late, reborn)).toEqual([
      [1, 3],
      [2, 5],
    ]);
    expect(places(36, early, late, reborn)).toEqual([[1, 8]]);
    const past = seenAt(34, early, late, reborn);
    expect(past.get(entityRef(1 as NetId, 1))?.pose.x).toBe(3);
    expect(past.get(entityRef(1 as NetId, 2))).toBeUndefined();
  });

  it("[L1] shows only archetypes that declare it", () => {
    const state = boundary(30, { id: 1, x: 0 });
    state.push(2, 1, 1, 0, 1, [0, 0], 0, 2);
    expect([...seenAt(30, state).all("bush")]).toEqual([]);
  });
});
