import {
  action,
  angle,
  axis,
  type CallInput,
  defineGame,
  flag,
  fragment,
  held,
  int,
  num,
  oneOf,
  packCommand,
  press,
  QuantisedState,
  ref,
  trigger,
} from "../../../sim/index.ts";

/** A game with every kind of field, control and action. */
export const game = defineGame({
  name: "samples",
  version: 3,
  tickRate: 60,
  input: { moveX: axis(), moveY: axis(), aim: angle({ bits: 10 }), fire: press(), sprint: held() },
  fragments: {
    transform: fragment({
      x: num({ step: 1 / 256, rate: "motion.vx" }),
      y: num({ step: 1 / 256, rate: "motion.vy", min: -100, max: 100 }),
      heading: angle({ bits: 12 }),
    }),
    motion: fragment({ vx: num({ step: 1 / 256 }), vy: num({ step: 1 / 256 }) }),
    stats: fragment({
      health: int({ min: 0, max: 100, default: 100 }),
      score: int({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      tired: flag(),
      mode: oneOf(["idle", "walk", "jump"]),
      target: ref(),
    }),
    shield: fragment({ strength: int({ min: 1, max: 5, default: 1 }) }),
  },
  archetypes: {
    player: { fragments: ["transform", "motion", "stats"], optional: ["shield"], predict: "owner" },
    stone: { fragments: ["transform", "motion"] },
  },
  actions: {
    shoot: action({ params: { aim: angle({ bits: 16 }), force: trigger(), aimed: held() } }),
    reload: action(),
    shop: action({ params: { x: axis(), y: axis(), aim: angle({ bits: 13 }) }, call: true }),
  },
  actionRules: {
    shoot: { admit: () => ({ admit: null }) },
    reload: { admit: () => ({ reject: "full" }) },
    shop: { admit: () => ({ admit: null }) },
  },
  systems: {},
});
export const { schema } = game;

export const secret = Uint8Array.from({ length: 32 }, (_, i) => (i * 37 + 1) & 0xff);

/** Every third command carries an action, some of them more. */
export function command(i: number): Uint8Array {
  const calls: CallInput[] = [];
  if (i % 3 === 2) calls.push({ slot: 0, params: { aim: i, force: 0.5, aimed: i % 2 === 0 } });
  if (i % 6 === 2) calls.push({ slot: 1 });
  if (i % 9 === 5) calls.push({ slot: 2, params: { x: -1, y: 1, aim: 3 } });
  const controls = { moveX: Math.sin(i), moveY: 1, aim: i / 7, fire: i % 5 === 0, sprint: true };
  return packCommand(schema, controls, calls);
}

/** A few entities, a little further on with every tick. */
export function stateAt(tick: number): QuantisedState {
  const state = new QuantisedState(tick);
  for (let id = 1; id <= 6; id++) {
    const v = (id * 300) | 0;
    const x = id * 1000 + Math.round((v * tick) / 60);
    if (id % 3 === 0) state.push(id, 1, 1, 0, 3, [x, -x, id * 100, v, -v], 0, 5);
    else {
      const shield = id === 2 && tick > 30 ? 8 : 0;
      const values = [
        x,
        -50,
        (id * 100 + tick) & 4095,
        v,
        0,
        90,
        tick,
        tick & 1,
        id % 3,
        65_538,
        shield >> 2,
      ];
      state.push(id, 2, 0, id, 7 | shield, values, 0, 11);
    }
  }
  return state;
}
