/**
 * Only +, −, ×, ÷ and square roots: they give the same bits in every engine, so that a page predicts
 * what the room computes. Math.sin, Math.atan2 and Math.hypot may differ in the last bit.
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** An axis-aligned box by its centre and half its size. */
export interface Box extends Point {
  readonly halfWidth: number;
  readonly halfHeight: number;
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

export function distance(a: Point, b: Point): number {
  return Math.sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/** Distance from a point to a box, 0 inside. */
export function distanceToBox(point: Point, box: Box): number {
  const dx = Math.max(Math.abs(point.x - box.x) - box.halfWidth, 0);
  const dy = Math.max(Math.abs(point.y - box.y) - box.halfHeight, 0);
  return Math.sqrt(dx * dx + dy * dy);
}

/** Whether the segment from a to b passes through the box, grown by `margin` on every side. */
export function crosses(a: Point, b: Point, box: Box, margin: number): boolean {
  let enter = 0;
  let leave = 1;
  const slabs = [
    [a.x - box.x, b.x - a.x, box.halfWidth + margin],
    [a.y - box.y, b.y - a.y, box.halfHeight + margin],
  ] as const;
  for (const [start, run, half] of slabs) {
    if (run === 0) {
      if (Math.abs(start) >= half) return false;
      continue;
    }
    const one = (-half - start) / run;
    const other = (half - start) / run;
    enter = Math.max(enter, Math.min(one, other));
    leave = Math.min(leave, Math.max(one, other));
    if (enter >= leave) return false;
  }
  return true;
}

const TURN = 2 * Math.PI;

/** The angle of a direction in [0, 2π), within 0.0001 rad of the true one. */
export function angleOf(x: number, y: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  if (ax === 0 && ay === 0) return 0;
  // A polynomial for atan on [0, 1] (Abramowitz & Stegun 4.4.49), mirrored into the other seven octants.
  const t = Math.min(ax, ay) / Math.max(ax, ay);
  const s = t * t;
  const atan = t * (0.999866 + s * (-0.3302995 + s * (0.180141 + s * (-0.085133 + s * 0.0208351))));
  const quadrant = ay > ax ? Math.PI / 2 - atan : atan;
  const half = x < 0 ? Math.PI - quadrant : quadrant;
  return y < 0 ? TURN - half : half;
}

/** The direction of an angle, of length 1 within 0.00001. */
export function directionOf(angle: number): Point {
  const quarter = Math.floor(angle / (Math.PI / 2) + 0.5);
  // The rest is at most an eighth of a turn, where a short series is enough.
  const rest = angle - quarter * (Math.PI / 2);
  const s = rest * rest;
  const sin = rest * (1 - (s / 6) * (1 - (s / 20) * (1 - s / 42)));
  const cos = 1 - (s / 2) * (1 - (s / 12) * (1 - (s / 30) * (1 - s / 56)));
  switch (((quarter % 4) + 4) % 4) {
    case 0:
      return { x: cos, y: sin };
    case 1:
      return { x: -sin, y: cos };
    case 2:
      return { x: -cos, y: -sin };
    default:
      return { x: sin, y: -cos };
  }
}

/** An angle in [0, 2π). */
export function wrapAngle(angle: number): number {
  return angle - TURN * Math.floor(angle / TURN);
}

/** `from` turned towards `to` the short way round by at most `most`, in [0, 2π). */
export function turnTowards(from: number, to: number, most: number): number {
  const difference = to - from;
  const shortest = difference - TURN * Math.floor((difference + Math.PI) / TURN);
  return wrapAngle(from + clamp(shortest, -most, most));
}
