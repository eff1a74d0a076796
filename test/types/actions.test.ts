import { describe, expectTypeOf, it } from "vitest";
import type { RoomHooks } from "../../room/index.ts";
import {
  action,
  angle,
  axis,
  defineGame,
  fragment,
  int,
  json,
  num,
  type ResultOf,
  type ShapeOf,
  trigger,
} from "../../sim/index.ts";

const game = defineGame({
  name: "types",
  version: 1,
  tickRate: 60,
  input: { moveX: axis() },
  fragments: {
    body: fragment({ x: num({ step: 0.01 }), ammo: int({ min: 0, max: 9 }) }),
  },
  archetypes: { player: { fragments: ["body"], predict: "owner" } },
  actions: {
    fire: action({
      params: { aim: angle() },
      capture: json<{ readonly from: number }>(),
      result: json<{ readonly hit: boolean }>(),
    }),
    wave: action(),
    buy: action({ params: { amount: trigger() }, result: json<{ readonly total: number }>(), call: true }),
  },
  actionRules: {
    fire: {
      admit({ entity, params, effect }) {
        expectTypeOf(params).toEqualTypeOf<{ readonly aim: number }>();
        // @ts-expect-error a misspelt parameter
        params.aiming;
        effect("muzzle", { aim: params.aim });
        return entity.body.ammo > 0 ? { admit: { from: entity.body.x } } : { reject: "no-ammo" };
      },
      settle({ capture }) {
        expectTypeOf(capture).toEqualTypeOf<{ readonly from: number }>();
        return capture.from > 1 ? { hit: true } : undefined;
      },
    },
    wave: {
      admit: () => ({ admit: null }),
    },
    buy: {
      admit: () => ({ admit: null }),
      // @ts-expect-error the result has no field of that name
      settle: () => ({ sum: 1 }),
    },
  },
});

describe("types of actions", () => {
  it("[A1] gives parameters, captures and results the types of their declarations", () => {
    expectTypeOf<ResultOf<ShapeOf<typeof game>, "fire">>().toEqualTypeOf<{ readonly hit: boolean }>();
    expectTypeOf<ResultOf<ShapeOf<typeof game>, "wave">>().toEqualTypeOf<null>();
  });

  it("[A3] takes calls of actions that have one, with the types of their declarations", () => {
    const hooks: RoomHooks<ShapeOf<typeof game>> = {
      calls: {
        buy: ({ key, params, capture }) => {
          expectTypeOf(key).toEqualTypeOf<string>();
          expectTypeOf(params).toEqualTypeOf<{ readonly amount: number }>();
          expectTypeOf(capture).toEqualTypeOf<null>();
          return Promise.resolve({ total: params.amount });
        },
        // @ts-expect-error this action settles by itself
        fire: () => Promise.resolve(1),
      },
    };
    expectTypeOf(hooks.calls).not.toBeAny();
  });

  it("refuses rules for an action that isn't declared", () => {
    const refused = () =>
      defineGame({
        name: "bad",
        version: 1,
        tickRate: 60,
        input: {},
        fragments: { body: fragment({ x: num({ step: 1 }) }) },
        archetypes: { player: { fragments: ["body"] } },
        actions: { fire: action() },
        // @ts-expect-error a misspelt action
        actionRules: { fire: { admit: () => ({ admit: null }) }, fyre: { admit: () => ({ admit: null }) } },
      });
    expectTypeOf(refused).toBeFunction();
  });
});
