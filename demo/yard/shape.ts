import { angle, axis, flag, fragment, int, num, press, ref, type Shape } from "tickroom/sim";

/** What a player can ask for in one tick. */
export const input = { move: axis(), jump: press() };

/** Metres and seconds; y grows upwards. */
export const fragments = {
  pose: fragment({
    x: num({ step: 1 / 256, rate: "vx" }),
    y: num({ step: 1 / 256, rate: "vy" }),
    vx: num({ step: 1 / 64 }),
    vy: num({ step: 1 / 64 }),
  }),
  /** How a body is turned, in radians, counter-clockwise. */
  spin: fragment({ turn: angle({ bits: 12, rate: "spin.omega" }), omega: num({ step: 1 / 32 }) }),
  feet: fragment({
    grounded: flag(),
    /** The lift that carries the walker. */
    lift: ref(),
    /** Ticks since it last stood: for so long it can still jump. */
    airborne: int({ min: 0, max: 255 }),
  }),
  look: fragment({ hue: int({ min: 0, max: 359 }) }),
  /** A lift goes from one end to the other and back in `period` ticks. */
  track: fragment({
    fromX: num({ step: 1 / 256 }),
    fromY: num({ step: 1 / 256 }),
    toX: num({ step: 1 / 256 }),
    toY: num({ step: 1 / 256 }),
    period: int({ min: 2, max: 3600, default: 480 }),
  }),
};

export const archetypes = {
  walker: {
    fragments: ["pose", "feet", "look"],
    predict: "owner",
    rollback: ["pose", "feet"],
    interpolate: { pose: "hermite" },
    snapDistance: 4,
  },
  // Whoever is near predicts them, together with their walker.
  ball: { fragments: ["pose", "spin"], predict: "island", interpolate: { pose: "hermite" } },
  crate: { fragments: ["pose", "spin"], predict: "island", interpolate: { pose: "hermite" } },
  lift: { fragments: ["pose", "track"], external: true, interpolate: { pose: "hermite" } },
} as const;

export type Yard = Shape<typeof input, typeof fragments, typeof archetypes>;
