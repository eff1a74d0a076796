import {
  action,
  defineGame,
  fragment,
  held,
  int,
  json,
  press,
  type ShapeOf,
  trigger,
} from "../../../sim/index.ts";

/** A delay of so many ticks, as `fire` takes it. */
export const afterTicks = (ticks: number) => ticks / 255;
const ticksOf = (delay: number) => Math.round(delay * 255);

/** A game with every kind of action, for the room's tests. */
export const gunner = defineGame({
  name: "gunner",
  version: 1,
  tickRate: 60,
  input: { step: held(), boom: press() },
  fragments: {
    body: fragment({
      x: int({ min: 0, max: 1_000_000 }),
      ammo: int({ min: 0, max: 10_000, default: 1_000 }),
      hits: int({ min: 0, max: 1_000_000 }),
      cursed: int({ min: 0, max: 1 }),
    }),
  },
  archetypes: { player: { fragments: ["body"], predict: "owner" } },
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
      function suffer({ world }) {
        for (const entity of world.all("player")) if (entity.body.cursed) throw new Error("cursed");
      },
    ],
  },
  actions: {
    /** Settles by itself `delay` ticks after its admission. */
    fire: action({
      params: { delay: trigger() },
      capture: json<{ readonly x: number }>(),
      result: json<{ readonly from: number; readonly hits: number }>(),
      deadlineTicks: 6,
    }),
    wave: action(),
    /** Settles with what the call answers. */
    buy: action({ params: { amount: trigger() }, capture: json<{ readonly amount: number }>(), call: true }),
    /** Waits for a call, then has its own word. */
    shoot: action({ result: json<{ readonly hit: boolean }>(), deadlineTicks: 6, call: true }),
    /** Its settlement throws. */
    dud: action({ deadlineTicks: 60 }),
    /** Its settlement makes another system throw. */
    curse: action({ deadlineTicks: 60 }),
    /** `big`: captures too much; else results in too much. */
    hoard: action({ params: { big: held() }, capture: json<string>(), result: json<string>() }),
    /** Its admission throws. */
    jam: action(),
  },
  actionRules: {
    fire: {
      admit({ entity }) {
        if (entity.body.ammo === 0) return { reject: "no-ammo" };
        entity.body.ammo -= 1;
        return { admit: { x: entity.body.x } };
      },
      settle({ tick, admittedTick, params, capture, entity }) {
        if (tick < admittedTick + ticksOf(params.delay) || !entity) return undefined;
        entity.body.hits += 1;
        return { from: capture.x, hits: entity.body.hits };
      },
    },
    wave: { admit: () => ({ admit: null }) },
    buy: { admit: ({ params }) => ({ admit: { amount: ticksOf(params.amount) } }) },
    shoot: {
      admit: () => ({ admit: null }),
      settle({ answer, entity }) {
        if (answer === undefined) return undefined;
        if (answer === true && entity) entity.body.hits += 1;
        return { hit: answer === true };
      },
    },
    dud: {
      admit: () => ({ admit: null }),
      settle() {
        throw new Error("dud");
      },
    },
    curse: {
      admit: () => ({ admit: null }),
      settle({ entity }) {
        if (entity) entity.body.cursed = 1;
        return null;
      },
    },
    hoard: {
      admit: ({ params }) => ({ admit: params.big ? "x".repeat(5_000) : "x" }),
      settle: () => "x".repeat(2_000),
    },
    jam: {
      admit() {
        throw new Error("jam");
      },
    },
  },
});

export type Gunner = ShapeOf<typeof gunner>;

/** Action slots by name. */
export const SLOT = { fire: 0, wave: 1, buy: 2, shoot: 3, dud: 4, curse: 5, hoard: 6, jam: 7 } as const;
