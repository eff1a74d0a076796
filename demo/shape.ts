import { angle, axis, flag, fragment, held, int, num, type Shape } from "tickroom/sim";
import type { actions } from "./actions.ts";
import type { events } from "./events.ts";
import {
  BUY_PAUSE_TICKS,
  COOLDOWN_TICKS,
  MOST_PAINT,
  MOST_SPARKS,
  REFILL_TICKS,
  START_COINS,
  TANK,
} from "./tuning.ts";

const LAST_TICK = 2 ** 31 - 1;

/** What a player can ask for in one tick. */
export const input = { moveX: axis(), moveY: axis(), sprint: held() };

/** Metres and seconds everywhere; y grows downwards, as on a screen. */
export const fragments = {
  pose: fragment({
    x: num({ step: 1 / 256, rate: "vx" }),
    y: num({ step: 1 / 256, rate: "vy" }),
    vx: num({ step: 1 / 64 }),
    vy: num({ step: 1 / 64 }),
  }),
  facing: fragment({ heading: angle() }),
  stride: fragment({
    /** 1 is fresh, 0 is out of breath. */
    stamina: num({ step: 1 / 255, min: 0, max: 1, default: 1 }),
    sprinting: flag(),
    /** Out of breath: no sprint until some stamina is back. */
    winded: flag(),
  }),
  look: fragment({ hue: int({ min: 0, max: 359 }) }),
  tally: fragment({ sparks: int({ min: 0, max: MOST_SPARKS }) }),
  gun: fragment({
    /** Shots left. */
    paint: int({ min: 0, max: MOST_PAINT, default: TANK }),
    /** Ticks until it is ready again. */
    cooldown: int({ min: 0, max: COOLDOWN_TICKS }),
    /** Ticks until the next shot has gathered, 0 while the tank is full. */
    refill: int({ min: 0, max: REFILL_TICKS }),
  }),
  /** Ticks until the kiosk serves this player again. */
  till: fragment({ pause: int({ min: 0, max: BUY_PAUSE_TICKS }) }),
  /** What the wallet last said, and the cans that it has paid for. */
  purse: fragment({
    coins: int({ min: 0, max: LAST_TICK, default: START_COINS }),
    cans: int({ min: 0, max: 9999 }),
  }),
  /** Paint of whoever hit this player last. */
  coat: fragment({
    hue: int({ min: 0, max: 359 }),
    /** Tick until which it is wet. */
    until: int({ min: 0, max: LAST_TICK }),
  }),
  /** Half the width and the height of a platform. */
  slab: fragment({ halfWidth: num({ step: 1 / 256, min: 0 }), halfHeight: num({ step: 1 / 256, min: 0 }) }),
  /** A platform goes from one end of its track to the other and back in `period` ticks. */
  track: fragment({
    fromX: num({ step: 1 / 256 }),
    fromY: num({ step: 1 / 256 }),
    toX: num({ step: 1 / 256 }),
    toY: num({ step: 1 / 256 }),
    period: int({ min: 2, max: 3600, default: 480 }),
    offset: int({ min: 0, max: 3600 }),
  }),
  spot: fragment({
    x: num({ step: 1 / 64 }),
    y: num({ step: 1 / 64 }),
    worth: int({ min: 1, max: 9, default: 1 }),
  }),
};

export const archetypes = {
  player: {
    fragments: ["pose", "facing", "stride", "look", "tally", "gun", "till", "purse", "coat"],
    predict: "owner",
    rollback: ["pose", "facing", "stride", "gun", "till"],
    interpolate: { pose: "hermite" },
    snapDistance: 3,
    // A shot is judged by what its player saw.
    rewind: true,
  },
  platform: { fragments: ["pose", "slab", "track"], external: true, interpolate: { pose: "hermite" } },
  spark: { fragments: ["spot"] },
} as const;

/** The types of the arena. Systems in files of their own are written against this. */
export type Arena = Shape<typeof input, typeof fragments, typeof archetypes, typeof actions, typeof events>;
