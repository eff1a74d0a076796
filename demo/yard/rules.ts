import type { RoomHooks } from "tickroom/room";
import { BALLS, CRATES, LIFTS, STARTS } from "./level.ts";
import { liftAt } from "./lifts.ts";
import type { Yard } from "./shape.ts";

export interface YardOptions {
  readonly bots?: number;
  /** Whether balls and crates lie about. */
  readonly loose?: boolean;
}

/** Degrees of hue from one seat to the next: far enough apart to be told from its neighbours. */
const HUE_STEP = 137;

/** Walks up and down, and jumps now and then. It keeps nothing in mind: a restarted room goes on alike. */
const stroll: NonNullable<RoomHooks<Yard>["bots"]>[string] = ({ tick, random }) => {
  return { move: Math.floor(tick / 170) % 2 === 0 ? 0.6 : -0.6, jump: random() < 0.01 };
};

export const rules: RoomHooks<Yard> = {
  bots: { stroll },

  onCreate(room, options) {
    const { world } = room;
    for (const init of LIFTS) {
      const { track } = init;
      world.spawn("lift", {
        ...init,
        pose: liftAt({ fromX: 0, fromY: 0, toX: 0, toY: 0, period: 480, ...track }, 0),
      });
    }
    const { bots = 1, loose = true } = (options ?? {}) as YardOptions;
    for (const init of loose ? BALLS : []) world.spawn("ball", init);
    for (const init of loose ? CRATES : []) world.spawn("crate", init);
    for (let i = 0; i < bots; i++) {
      room
        .addBot("stroll", { name: "Stroller" })
        .spawn("walker", { pose: { x: -12 + i, y: 4 }, look: { hue: 210 } });
    }
  },

  onJoin(seat) {
    const start = STARTS[(seat.id - 1) % STARTS.length] ?? { x: 0, y: 1 };
    seat.spawn("walker", { pose: start, look: { hue: (seat.id * HUE_STEP) % 360 } });
  },
};
