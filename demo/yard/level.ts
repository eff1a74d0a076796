import type { EntityInit } from "tickroom/sim";
import type { Yard } from "./shape.ts";

/** A box that never moves, turned counter-clockwise by so many radians. */
export interface Block {
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly turn: number;
}

const block = (x: number, y: number, halfWidth: number, halfHeight: number, turn = 0): Block => {
  return { x, y, halfWidth, halfHeight, turn };
};

export const YARD = { left: -20, right: 20, top: 13 } as const;

export const BLOCKS: readonly Block[] = [
  block(0, -1, 22, 1),
  block(-21, 6, 1, 8),
  block(21, 6, 1, 8),
  // A hill, gentle on one side and steep on the other.
  block(-10.2, 0.55, 4.2, 0.5, 0.36),
  block(-4.95, 0.45, 2.5, 0.5, -0.72),
  // Steps up to the right.
  block(8, 0.2, 1, 0.2),
  block(10, 0.4, 1, 0.4),
  block(12, 0.6, 1, 0.6),
  // A ledge that only the lift reaches, with a rim.
  block(16.5, 5, 3.5, 0.3),
  block(19.7, 5.7, 0.3, 0.4),
];

export const LIFT = { halfWidth: 1.6, halfHeight: 0.2 } as const;

export const LIFTS: readonly EntityInit<Yard, "lift">[] = [
  { track: { fromX: 4.5, fromY: 0.3, toX: 10.8, toY: 5, period: 540 } },
];

export const BALLS: readonly EntityInit<Yard, "ball">[] = [
  { pose: { x: 1, y: 1 } },
  { pose: { x: 13.5, y: 3 } },
];

export const CRATES: readonly EntityInit<Yard, "crate">[] = [
  { pose: { x: -18.6, y: 0.5 } },
  { pose: { x: -18.6, y: 1.5 } },
  { pose: { x: 16, y: 6 } },
];

export const STARTS: readonly { readonly x: number; readonly y: number }[] = [
  { x: -1, y: 1 },
  { x: -17.5, y: 1 },
  { x: 6.5, y: 1 },
  { x: 15, y: 1 },
];
