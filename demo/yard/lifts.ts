import type { Externals } from "tickroom/sim";
import type { Yard } from "./shape.ts";

export interface Track {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
  readonly period: number;
}

/** Where a lift is at a tick: nothing but the tick and its track decides. */
export function liftAt(track: Track, tick: number): { readonly x: number; readonly y: number } {
  const turn = (tick % track.period) / track.period;
  const way = turn < 0.5 ? 2 * turn : 2 - 2 * turn;
  // It rests for a while at either end, and sets off gently.
  const run = Math.min(Math.max((way - 0.1) / 0.8, 0), 1);
  const eased = run * run * (3 - 2 * run);
  return {
    x: track.fromX + (track.toX - track.fromX) * eased,
    y: track.fromY + (track.toY - track.fromY) * eased,
  };
}

export const lift: Externals<Yard>["lift"] = function lift({ pose, track }, { tick, dt }) {
  const before = liftAt(track, tick - 1);
  const now = liftAt(track, tick);
  pose.x = now.x;
  pose.y = now.y;
  pose.vx = (now.x - before.x) / dt;
  pose.vy = (now.y - before.y) / dt;
};
