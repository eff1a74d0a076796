import { defineGame } from "tickroom/sim";
import { simulate } from "./engine.ts";
import { lift } from "./lifts.ts";
import { archetypes, fragments, input } from "./shape.ts";
import { gather, steer } from "./systems.ts";
import { TICK_RATE } from "./tuning.ts";

/** A yard with a hill, a lift, balls and crates: Rapier moves it, in the room and in each page's prediction. */
export const yard = defineGame({
  name: "yard",
  version: 1,
  tickRate: TICK_RATE,
  input,
  fragments,
  archetypes,
  externals: { lift },
  systems: { input: [steer], physics: [simulate], gameplay: [gather] },
});

export type { Yard } from "./shape.ts";
