import { type Box, directionOf, type Point } from "./geometry.ts";
import { WALLS } from "./level.ts";
import { BLOB_RADIUS, PAINT_RANGE, PAINT_SPEED, PLAYER_RADIUS, TICK_RATE } from "./tuning.ts";

/** Where a shot goes when nobody is in its way. */
export interface Trajectory extends Point {
  /** Direction, of length 1. */
  readonly dx: number;
  readonly dy: number;
  /** Metres to the wall that stops it, or to where it falls on the floor. */
  readonly reach: number;
}

/** Drawn from the middle of the player: a muzzle in front of it could be inside a wall already. */
export function trajectory(from: Point, aim: number, platforms: Iterable<Box>): Trajectory {
  const { x: dx, y: dy } = directionOf(aim);
  let reach: number = PAINT_RANGE;
  for (const box of [...WALLS, ...platforms])
    reach = Math.min(reach, metresToBox(from, { x: dx, y: dy }, box));
  return { x: from.x, y: from.y, dx, dy, reach };
}

export function placeAt({ x, y, dx, dy }: Trajectory, metres: number): Point {
  return { x: x + dx * metres, y: y + dy * metres };
}

/** Metres that a blob flies along a ray before it touches a box; infinity when it passes. */
function metresToBox(from: Point, way: Point, box: Box): number {
  let enter = 0;
  let leave = Number.POSITIVE_INFINITY;
  const slabs = [
    [from.x - box.x, way.x, box.halfWidth + BLOB_RADIUS],
    [from.y - box.y, way.y, box.halfHeight + BLOB_RADIUS],
  ] as const;
  for (const [start, run, half] of slabs) {
    if (run === 0) {
      if (Math.abs(start) >= half) return Number.POSITIVE_INFINITY;
      continue;
    }
    const one = (-half - start) / run;
    const other = (half - start) / run;
    enter = Math.max(enter, Math.min(one, other));
    leave = Math.min(leave, Math.max(one, other));
  }
  return enter < leave ? enter : Number.POSITIVE_INFINITY;
}

/** Metres that a blob flies before it touches a player; infinity when it passes, or lands before. */
export function metresToPlayer({ x, y, dx, dy, reach }: Trajectory, player: Point): number {
  const toX = player.x - x;
  const toY = player.y - y;
  const along = toX * dx + toY * dy;
  if (along <= 0) return Number.POSITIVE_INFINITY;
  const aside = toX * dy - toY * dx;
  const touch = PLAYER_RADIUS + BLOB_RADIUS;
  if (Math.abs(aside) >= touch) return Number.POSITIVE_INFINITY;
  const metres = Math.max(0, along - Math.sqrt(touch * touch - aside * aside));
  return metres < reach ? metres : Number.POSITIVE_INFINITY;
}

/** Ticks that paint is in the air for. */
export function flightTicks(metres: number): number {
  return Math.max(1, Math.ceil((metres / PAINT_SPEED) * TICK_RATE));
}
