import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FieldPlan, fieldPlans } from "../../../client-sdk/field-plan.ts";
import {
  type EntityHistory,
  Histories,
  interpolate,
  type Pose,
  QuantisedState,
  quantise,
} from "../../../sim/index.ts";
import { field } from "./games.ts";

const plans = fieldPlans(field.schema);
const spark = field.schema.archetypes.findIndex((archetype) => archetype.name === "spark");
const plan = plans[spark] as FieldPlan;
const indexOf = (name: string) => plan.archetype.fields.findIndex((known) => known.name === name);

interface SparkState {
  id?: number;
  epoch?: number;
  x?: number;
  vx?: number;
  heading?: number;
}

function stateAt(tick: number, ...sparks: SparkState[]): QuantisedState {
  const state = QuantisedState.empty(tick);
  for (const { id = 1, epoch = 1, ...values } of sparks) {
    const quanta = plan.archetype.fields.map((f) =>
      quantise(f, values[f.name as "x" | "vx" | "heading"] ?? 0),
    );
    state.push(id, epoch, spark, 0, plan.archetype.requiredMask, quanta, 0, quanta.length);
  }
  return state;
}

function histories(...states: QuantisedState[]): Histories {
  const all = new Histories(field.schema);
  for (const state of states) all.insert(state);
  return all;
}
const livesOf = (all: Histories) => [...all.lives()];
const onlyLife = (all: Histories) => livesOf(all)[0] as EntityHistory;

function show(
  life: EntityHistory,
  tick: number,
  maxExtrapolationTicks = 3,
): Pose & { x: number; heading: number } {
  const pose: Pose = {
    values: new Float64Array(plan.archetype.fields.length),
    presence: 0,
    owner: 0,
    jumps: 0,
    stalled: false,
  };
  interpolate(life, { tick, maxExtrapolationTicks, dt: field.dt }, pose);
  const value = (name: string) => pose.values[indexOf(name)] as number;
  return { ...pose, x: value("x"), heading: value("heading") };
}

describe("history and interpolation", () => {
  it("[V5] keeps samples in tick order for any order of arrival, and one per tick", () => {
    const ticks = Array.from({ length: 10 }, (_, i) => 3 * (i + 1));
    fc.assert(
      fc.property(fc.shuffledSubarray([...ticks, ...ticks], { minLength: 20 }), (order) => {
        const life = onlyLife(histories(...order.map((tick) => stateAt(tick, { x: tick }))));
        expect(life.samples.map((sample) => sample.tick)).toEqual(ticks);
      }),
    );
  });

  it("[V5] lets a second sample of a tick replace the first", () => {
    const life = onlyLife(histories(stateAt(3, { x: 1 }), stateAt(6, { x: 2 }), stateAt(3, { x: 1.5 })));
    expect(show(life, 3).x).toBe(1.5);
    expect(life.samples.length).toBe(2);
  });

  it("[V5] passes through every sample and follows the declared velocity between them (Hermite)", () => {
    const life = onlyLife(histories(stateAt(0, { x: 0, vx: 0 }), stateAt(60, { x: 1, vx: 3 })));
    expect(show(life, 0).x).toBe(0);
    expect(show(life, 60).x).toBe(1);
    // x = t³ has x(0) = 0, x'(0) = 0, x(1) = 1, x'(1) = 3: the cubic is exact.
    expect(show(life, 30).x).toBeCloseTo(0.125, 5);
    expect(show(life, 45).x).toBeCloseTo(0.421875, 5);
  });

  it("[V5] turns angles the short way round", () => {
    const life = onlyLife(histories(stateAt(0, { heading: 3 }), stateAt(2, { heading: -3 })));
    expect(Math.abs(show(life, 1).heading)).toBeCloseTo(Math.PI, 2);
  });

  it("[V5] never interpolates across a teleport", () => {
    const life = onlyLife(histories(stateAt(0, { x: 0 }), stateAt(3, { x: 100 })));
    expect(show(life, 2.9).x).toBe(0);
    expect(show(life, 3).x).toBe(100);
  });

  it("[V5] takes fast motion at its declared velocity for what it is, not for a teleport", () => {
    const life = onlyLife(histories(stateAt(0, { x: 0, vx: 1000 }), stateAt(3, { x: 50, vx: 1000 })));
    expect(show(life, 1.5).x).toBeCloseTo(25, 1);
  });

  it("[V5] never interpolates between two lives of one id", () => {
    const all = histories(stateAt(0, { x: 0 }), stateAt(3, { x: 1, epoch: 2 }));
    const [first, second] = livesOf(all) as [EntityHistory, EntityHistory];
    expect(show(first, 1.5).x).toBe(0);
    expect(first.goneTick).toBe(3);
    expect(second.bornTick).toBe(3);
  });

  it("[V5] discards the samples of ticks that a new incarnation runs again, and what was born in them", () => {
    const all = histories(
      stateAt(3, { x: 1 }),
      stateAt(6, { x: 2 }, { id: 2 }),
      stateAt(9, { x: 3 }, { id: 2 }),
    );
    all.discardFrom(6);
    expect(livesOf(all).map((life) => life.samples.map((sample) => sample.tick))).toEqual([[3]]);
    all.insert(stateAt(6, { x: 7 }));
    expect(show(onlyLife(all), 6).x).toBe(7);
  });

  it("[V5] brings back what had gone only in ticks that are run again", () => {
    const all = histories(stateAt(3, { x: 1 }), stateAt(6));
    expect(onlyLife(all).goneTick).toBe(6);
    all.discardFrom(6);
    all.insert(stateAt(6, { x: 1 }));
    expect(onlyLife(all).goneTick).toBe(Number.POSITIVE_INFINITY);
  });

  it("[V6] goes on with the last velocity for one snapshot interval, then freezes and says so", () => {
    const life = onlyLife(histories(stateAt(0, { x: 0, vx: 6 }), stateAt(3, { x: 0.3, vx: 6 })));
    const newest = show(life, 3).x;
    expect(show(life, 4.5).x).toBeCloseTo(newest + 0.15, 3);
    expect(show(life, 6)).toMatchObject({ stalled: false });
    expect(show(life, 6).x).toBeCloseTo(newest + 0.3, 3);
    expect(show(life, 100)).toMatchObject({ x: show(life, 6).x, stalled: true });
  });

  it("[V6] freezes at once what declares no velocity", () => {
    const life = onlyLife(histories(stateAt(0, { heading: 0 }), stateAt(3, { heading: 1 })));
    expect(show(life, 5).heading).toBe(show(life, 3).heading);
  });
});
