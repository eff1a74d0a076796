import {
  action,
  defineGame,
  fragment,
  held,
  int,
  json,
  num,
  press,
  type ShapeOf,
} from "../../../sim/index.ts";

/** A game for the room's tests with actions: a shot that settles two ticks later, and a purchase by a call. */
export const shooter = defineGame({
  name: "shooter",
  version: 1,
  tickRate: 60,
  input: { step: held(), boom: press() },
  fragments: {
    body: fragment({ x: num({ step: 1 / 64 }), luck: num({ step: 1e-6 }) }),
    gun: fragment({ ammo: int({ min: 0, max: 99, default: 9 }), hits: int({ min: 0, max: 999 }) }),
  },
  archetypes: { player: { fragments: ["body", "gun"], predict: "owner" } },
  actions: {
    fire: action({ capture: json<{ x: number }>(), result: json<{ hit: boolean }>() }),
    buy: action({ call: true, deadlineTicks: 30, result: json<{ coins: number }>() }),
  },
  actionRules: {
    fire: {
      admit({ entity }) {
        if (entity.gun.ammo === 0) return { reject: "no-ammo" };
        entity.gun.ammo -= 1;
        return { admit: { x: entity.body.x } };
      },
      settle({ tick, admittedTick, entity, world }) {
        if (tick < admittedTick + 2) return undefined;
        const hit = world.random() < 0.5;
        if (hit && entity) entity.gun.hits += 1;
        return { hit };
      },
    },
    buy: {
      admit: () => ({ admit: null }),
      settle({ answer, entity }) {
        if (answer === undefined) return undefined;
        const { coins } = answer as { coins: number };
        if (entity) entity.gun.ammo = Math.min(99, entity.gun.ammo + coins);
        return { coins };
      },
    },
  },
  systems: {
    input: [
      function walk({ driven }) {
        for (const { entity, command } of driven("player")) {
          if (command.boom) throw new Error("boom");
          if (command.step) entity.body.x += 1;
        }
      },
    ],
    gameplay: [
      function chance({ world }) {
        for (const player of world.all("player")) player.body.luck = world.random();
      },
    ],
  },
});

export type Shooter = ShapeOf<typeof shooter>;

export const FIRE = 0;
export const BUY = 1;
