import { type Box, distanceToBox, type Point } from "./geometry.ts";

/** Half the size of the floor, in metres. */
export const FLOOR = { halfWidth: 22, halfHeight: 14 } as const;

function box(left: number, top: number, right: number, bottom: number): Box {
  return {
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    halfWidth: (right - left) / 2,
    halfHeight: (bottom - top) / 2,
  };
}

function mirrored({ x, y, halfWidth, halfHeight }: Box): Box[] {
  return [-1, 1].flatMap((sx) => [-1, 1].map((sy) => ({ x: sx * x, y: sy * y, halfWidth, halfHeight })));
}

function opposite(one: Box): Box[] {
  return [one, { ...one, x: -one.x, y: -one.y }];
}

const { halfWidth: W, halfHeight: H } = FLOOR;
const RIM = 1.1;

/** The outer walls. Thicker than anything moves in a tick, so that nobody gets out. */
const RIM_WALLS: readonly Box[] = [
  box(-W - RIM, -H - RIM, W + RIM, -H),
  box(-W - RIM, H, W + RIM, H + RIM),
  box(-W - RIM, -H - RIM, -W, H + RIM),
  box(W, -H - RIM, W + RIM, H + RIM),
];

export const INNER_WALLS: readonly Box[] = [
  // A corner piece in each quarter, of two boxes that overlap.
  ...mirrored(box(11.5, 9.4, 18, 10.4)),
  ...mirrored(box(17, 4, 18, 9.9)),
  // Bars above and below the middle.
  ...opposite(box(-4.5, -10.4, 4.5, -9.4)),
  // A pinwheel around the middle.
  ...opposite(box(-1.2, -5.4, 5.4, -4.4)),
  ...opposite(box(4.4, -1.2, 5.4, 5.4)),
  // Pillars.
  ...mirrored(box(6.4, 6.8, 7.8, 8.2)),
];

/** All that stands still and stops players. */
export const WALLS: readonly Box[] = [...RIM_WALLS, ...INNER_WALLS];

/**
 * A platform's size and track. Its ends stay further from every wall than a player is wide, so that
 * nobody can be crushed between the two.
 */
export interface PlatformPlan {
  readonly slab: { readonly halfWidth: number; readonly halfHeight: number };
  readonly track: {
    readonly fromX: number;
    readonly fromY: number;
    readonly toX: number;
    readonly toY: number;
    readonly period: number;
    readonly offset: number;
  };
}

export const PLATFORMS: readonly PlatformPlan[] = [
  {
    slab: { halfWidth: 2.25, halfHeight: 0.75 },
    track: { fromX: -11.5, fromY: -6.25, toX: -11.5, toY: 6.25, period: 480, offset: 0 },
  },
  {
    slab: { halfWidth: 2.25, halfHeight: 0.75 },
    track: { fromX: 11.5, fromY: 6.25, toX: 11.5, toY: -6.25, period: 480, offset: 0 },
  },
];

/** Where newcomers appear: in the lane along the rim, with a free run in two directions. */
export const SPAWN_POINTS: readonly Point[] = [
  { x: -16, y: -12.2 },
  { x: 16, y: 12.2 },
  { x: 0, y: -12.2 },
  { x: 0, y: 12.2 },
  { x: 16, y: -12.2 },
  { x: -16, y: 12.2 },
  { x: -20, y: -6 },
  { x: 20, y: 6 },
  { x: 20, y: -6 },
  { x: -20, y: 6 },
  { x: -8, y: -12.2 },
  { x: 8, y: 12.2 },
];

/** In the middle, where everybody passes and nobody is safe. */
export const KIOSK: Point = { x: 0, y: 0 };

/** Distance from a point to the nearest wall, 0 inside one. */
function distanceToWalls(point: Point): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const wall of WALLS) nearest = Math.min(nearest, distanceToBox(point, wall));
  return nearest;
}

const COLUMNS = 2 * FLOOR.halfWidth;

/** The floor in square metres, numbered row by row. */
export const SQUARES = COLUMNS * 2 * FLOOR.halfHeight;

export function middleOf(square: number): Point {
  return {
    x: (square % COLUMNS) + 0.5 - FLOOR.halfWidth,
    y: Math.floor(square / COLUMNS) + 0.5 - FLOOR.halfHeight,
  };
}

export function squareAt({ x, y }: Point): number {
  return Math.floor(y + FLOOR.halfHeight) * COLUMNS + Math.floor(x + FLOOR.halfWidth);
}

/** The middle of a random square that is at least `clearance` away from every wall. */
export function freePlace(random: () => number, clearance: number): Point {
  // Two thirds of the floor are free: after 40 misses something is wrong with `random`, not with luck.
  for (let attempt = 0; attempt < 40; attempt++) {
    const place = middleOf(Math.floor(random() * SQUARES));
    if (distanceToWalls(place) >= clearance) return place;
  }
  return SPAWN_POINTS[0] as Point;
}
