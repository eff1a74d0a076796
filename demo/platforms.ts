import type { Externals } from "tickroom/sim";
import { clamp, type Point } from "./geometry.ts";
import type { PlatformPlan } from "./level.ts";
import type { Arena } from "./shape.ts";

/** Share of each way that a platform rests at its ends. */
const REST = 0.1;

/** Where a platform is at a tick: nothing but the tick and its track decides. */
export function platformAt(track: PlatformPlan["track"], tick: number): Point {
  const turn = ((tick + track.offset) % track.period) / track.period;
  const way = turn < 0.5 ? 2 * turn : 2 - 2 * turn;
  const run = clamp((way - REST / 2) / (1 - REST), 0, 1);
  const eased = run * run * (3 - 2 * run);
  return {
    x: track.fromX + (track.toX - track.fromX) * eased,
    y: track.fromY + (track.toY - track.fromY) * eased,
  };
}

/** Both sides compute it, the room for its tick and each page for the ticks that it predicts. */
export const platform: Externals<Arena>["platform"] = function platform(entity, { tick, dt }) {
  const { pose, track } = entity;
  const before = platformAt(track, tick - 1);
  const now = platformAt(track, tick);
  const after = platformAt(track, tick + 1);
  pose.x = now.x;
  pose.y = now.y;
  pose.vx = (after.x - before.x) / (2 * dt);
  pose.vy = (after.y - before.y) / (2 * dt);
};
