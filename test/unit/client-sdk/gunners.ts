import type { Receipt } from "../../../protocol/index.ts";
import {
  type ActionCall,
  action,
  angle,
  defineGame,
  fragment,
  held,
  int,
  json,
  num,
  type ShapeOf,
} from "../../../sim/index.ts";

/** The line with a wall at 10 and a gun: worked cases 2 to 6 are played on it. */
export const range = defineGame({
  name: "range",
  version: 1,
  tickRate: 60,
  input: { stride: held(), back: held(), leap: held() },
  fragments: {
    body: fragment({ x: num({ step: 1 / 256, tolerance: 0.05 }) }),
    gun: fragment({ ammo: int({ min: 0, max: 99, default: 9 }) }),
  },
  archetypes: { walker: { fragments: ["body", "gun"], predict: "owner" } },
  actions: {
    fire: action({ params: { aim: angle() }, result: json<{ readonly hit: boolean }>() }),
    buy: action({ result: json<{ readonly coins: number }>(), call: true }),
  },
  actionRules: {
    fire: {
      admit({ entity, params, effect }) {
        if (entity.gun.ammo === 0) return { reject: "no-ammo" };
        entity.gun.ammo -= 1;
        effect("muzzle", { aim: params.aim, x: entity.body.x });
        effect("shell", 1);
        effect("shell", 2);
        return { admit: null };
      },
    },
    buy: { admit: () => ({ admit: null }) },
  },
  systems: {
    physics: [
      function walk({ driven }) {
        for (const { entity, command } of driven("walker")) {
          const step = (command.leap ? 5 : 0) + (command.stride ? 0.2 : 0) - (command.back ? 1 : 0);
          entity.body.x = Math.min(entity.body.x + step, 10);
        }
      },
    ],
  },
});
export type Range = ShapeOf<typeof range>;

/** A receipt; what is left out is that of the first action of command 17, admitted in tick 600. */
export function receipt(more: Partial<Receipt> = {}): Receipt {
  return {
    number: 1,
    session: 1,
    seq: 17,
    slot: 0,
    revision: 1,
    status: "admitted",
    reason: "",
    result: null,
    tick: 600,
    ...more,
  };
}
/** Its hit, in tick 604. */
export const hit = (more: Partial<Receipt> = {}) =>
  receipt({ number: 2, revision: 2, status: "settled", result: { hit: true }, tick: 604, ...more });
/** Its time-out, in tick 606. */
export const late = (more: Partial<Receipt> = {}) =>
  receipt({ number: 2, revision: 2, status: "timedOut", reason: "deadline", tick: 606, ...more });

export const shot = (seq: number): ActionCall => ({ slot: 0, seq, params: { aim: 0 }, viewTick: 0 });
