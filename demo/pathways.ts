import { crosses, distance, type Point } from "./geometry.ts";
import { INNER_WALLS, middleOf, SQUARES, squareAt } from "./level.ts";
import { PLAYER_RADIUS } from "./tuning.ts";

/** Places between which one can walk straight: gaps, corners of lanes, the middle. Bots walk from one to the next. */
const WAYPOINTS: readonly Point[] = [
  { x: 0, y: 0 },
  // Along the rim.
  ...[-20, -8, 0, 8, 20].flatMap((x) => [-12.2, 12.2].map((y) => ({ x, y }))),
  ...[-20, 20].flatMap((x) => [-7, 0, 7].map((y) => ({ x, y }))),
  // Gaps in the ring of corner pieces and bars.
  ...[-8, 8].flatMap((x) => [-10, 10].map((y) => ({ x, y }))),
  ...[-15.5, 15.5].flatMap((x) => [-8, 0, 8].map((y) => ({ x, y }))),
  // Between the ring and the pinwheel.
  ...[-7, 7].flatMap((x) => [-6, 0, 6].map((y) => ({ x, y }))),
  ...[-3, 3].flatMap((x) => [-7.4, 7.4].map((y) => ({ x, y }))),
  // Ways into the pinwheel.
  { x: -3.2, y: -6 },
  { x: 3.2, y: 6 },
  { x: 6, y: -3 },
  { x: -6, y: 3 },
];

/** Not more: who slides along a wall is exactly this far from it, and must not think it is inside. */
const MARGIN = PLAYER_RADIUS;

/** Whether somebody can walk straight from a to b. */
export function isStraightWay(a: Point, b: Point): boolean {
  return !INNER_WALLS.some((wall) => crosses(a, b, wall, MARGIN));
}

/** Length of the shortest way between each two waypoints (Floyd and Warshall). */
const LENGTHS: readonly (readonly number[])[] = shortestWays();

function shortestWays(): number[][] {
  const lengths = WAYPOINTS.map((a) =>
    WAYPOINTS.map((b) => (isStraightWay(a, b) ? distance(a, b) : Number.POSITIVE_INFINITY)),
  );
  for (const [via, ways] of lengths.entries()) {
    for (const row of lengths) {
      for (const [to, onwards] of ways.entries()) {
        row[to] = Math.min(row[to] as number, (row[via] as number) + onwards);
      }
    }
  }
  return lengths;
}

/**
 * For each square metre of floor: the length of the way from each waypoint to its middle. Worked out
 * once, when the room's code is loaded, so that a bot's thought stays a look-up however many bots there are.
 */
const WAYS_TO: readonly Float32Array[] = Array.from({ length: SQUARES }, (_, square) =>
  waysTo(middleOf(square)),
);

function waysTo(goal: Point): Float32Array {
  const seen = WAYPOINTS.map((to) => isStraightWay(goal, to));
  return Float32Array.from(WAYPOINTS, (_, from) => {
    let shortest = Number.POSITIVE_INFINITY;
    for (const [last, waypoint] of WAYPOINTS.entries()) {
      if (!seen[last]) continue;
      shortest = Math.min(shortest, lengthBetween(from, last) + distance(waypoint, goal));
    }
    return shortest;
  });
}

function lengthBetween(from: number, to: number): number {
  return (LENGTHS[from] as readonly number[])[to] as number;
}

/** Prefers the further one of two waypoints on the same line, so that who stands on one goes on. */
const EAGERNESS = 0.999;

/**
 * Where to walk to now in order to get to `goal`, the middle of a square: to it itself when the way is
 * straight, else to the waypoint that begins the shortest way.
 */
export function nextStep(from: Point, goal: Point): Point {
  if (isStraightWay(from, goal)) return goal;
  const ways = WAYS_TO[squareAt(goal)] as Float32Array;
  let next = goal;
  let shortest = Number.POSITIVE_INFINITY;
  for (const [index, waypoint] of WAYPOINTS.entries()) {
    const length = distance(from, waypoint) * EAGERNESS + (ways[index] as number);
    if (length >= shortest || !isStraightWay(from, waypoint)) continue;
    next = waypoint;
    shortest = length;
  }
  return next;
}
