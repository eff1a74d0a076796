import { defineGame } from "tickroom/sim";
import { actions } from "./actions.ts";
import { events } from "./events.ts";
import { fire, recover } from "./gun.ts";
import { buy } from "./kiosk.ts";
import { slide, steer } from "./movement.ts";
import { platform } from "./platforms.ts";
import { archetypes, fragments, input } from "./shape.ts";
import { collect } from "./sparks.ts";
import { TICK_RATE } from "./tuning.ts";

/** The whole game, once: the room runs it as the truth, each page runs it as prediction. */
export const arena = defineGame({
  name: "arena",
  version: 1,
  tickRate: TICK_RATE,
  input,
  fragments,
  archetypes,
  actions,
  actionRules: { fire, buy },
  events,
  externals: { platform },
  systems: { input: [steer, recover], physics: [slide], gameplay: [collect] },
});

export type { Arena } from "./shape.ts";
