import type { Box, Point } from "../geometry.ts";
import { WALLS } from "../level.ts";
import type { Frame } from "./camera.ts";
import { drawShade } from "./floor.ts";
import { INK } from "./palette.ts";

/**
 * Walls and platforms as cut paper of some thickness: the roof is the base moved away from the middle of
 * the screen, as if the eye were above it, and the sides that face the middle fill the gap.
 */
const WALL_LIFT = 0.055;
const PLATFORM_LIFT = 0.028;

interface Paint {
  readonly roof: string;
  readonly edge: string;
  readonly lit: string;
  readonly dark: string;
}

const WALL: Paint = { roof: INK.roof, edge: INK.roofEdge, lit: INK.sideLit, dark: INK.sideDark };
const PLATFORM: Paint = {
  roof: INK.platform,
  edge: INK.platformEdge,
  lit: INK.platformSide,
  dark: INK.platformSideDark,
};

export function drawWallShades(context: CanvasRenderingContext2D, frame: Frame): void {
  for (const wall of WALLS) {
    if (isBoxVisible(frame, wall)) drawShade(context, wall, 0.5);
  }
}

/** All sides before all roofs: walls are equally high, so no side can hide a roof. */
export function drawWalls(context: CanvasRenderingContext2D, frame: Frame): void {
  const visible = WALLS.filter((wall) => isBoxVisible(frame, wall));
  for (const wall of visible) drawSides(context, frame.centre, wall, WALL_LIFT, WALL);
  const roofs = visible.map((wall) => lifted(frame.centre, wall, WALL_LIFT));
  drawRoofs(context, frame, roofs, WALL);
}

export function drawPlatform(context: CanvasRenderingContext2D, frame: Frame, box: Box): void {
  drawSides(context, frame.centre, box, PLATFORM_LIFT, PLATFORM);
  const roof = lifted(frame.centre, box, PLATFORM_LIFT);
  drawRoofs(context, frame, [roof], PLATFORM);
  drawStripes(context, roof);
}

function isBoxVisible(frame: Frame, box: Box): boolean {
  const halfWidth = frame.width / frame.scale / 2;
  const halfHeight = frame.height / frame.scale / 2;
  return (
    Math.abs(box.x - frame.centre.x) < halfWidth + box.halfWidth + 1 &&
    Math.abs(box.y - frame.centre.y) < halfHeight + box.halfHeight + 1
  );
}

function lifted(centre: Point, box: Box, lift: number): Box {
  return {
    x: box.x + (box.x - centre.x) * lift,
    y: box.y + (box.y - centre.y) * lift,
    halfWidth: box.halfWidth * (1 + lift),
    halfHeight: box.halfHeight * (1 + lift),
  };
}

function drawSides(
  context: CanvasRenderingContext2D,
  centre: Point,
  box: Box,
  lift: number,
  paint: Paint,
): void {
  const roof = lifted(centre, box, lift);
  const left = box.x - box.halfWidth;
  const right = box.x + box.halfWidth;
  const top = box.y - box.halfHeight;
  const bottom = box.y + box.halfHeight;
  const roofLeft = roof.x - roof.halfWidth;
  const roofRight = roof.x + roof.halfWidth;
  const roofTop = roof.y - roof.halfHeight;
  const roofBottom = roof.y + roof.halfHeight;
  if (centre.x < left)
    quad(context, paint.dark, left, top, roofLeft, roofTop, roofLeft, roofBottom, left, bottom);
  if (centre.x > right) {
    quad(context, paint.dark, right, top, roofRight, roofTop, roofRight, roofBottom, right, bottom);
  }
  if (centre.y < top) quad(context, paint.lit, left, top, roofLeft, roofTop, roofRight, roofTop, right, top);
  if (centre.y > bottom) {
    quad(context, paint.lit, left, bottom, roofLeft, roofBottom, roofRight, roofBottom, right, bottom);
  }
}

function quad(context: CanvasRenderingContext2D, colour: string, ...corners: number[]): void {
  context.fillStyle = colour;
  context.beginPath();
  for (let i = 0; i < corners.length; i += 2) context.lineTo(corners[i] as number, corners[i + 1] as number);
  context.fill();
}

/** Outlines first, then all faces over their inner halves: boxes that touch look like one piece. */
function drawRoofs(
  context: CanvasRenderingContext2D,
  frame: Frame,
  roofs: readonly Box[],
  paint: Paint,
): void {
  context.strokeStyle = paint.edge;
  context.lineWidth = 3 / frame.scale;
  for (const roof of roofs) context.strokeRect(...corners(roof));
  context.fillStyle = paint.roof;
  for (const roof of roofs) context.fillRect(...corners(roof));
}

function corners({ x, y, halfWidth, halfHeight }: Box): [number, number, number, number] {
  return [x - halfWidth, y - halfHeight, 2 * halfWidth, 2 * halfHeight];
}

function drawStripes(context: CanvasRenderingContext2D, roof: Box): void {
  const inset = 0.16;
  const left = roof.x - roof.halfWidth + inset;
  const top = roof.y - roof.halfHeight + inset;
  const width = 2 * (roof.halfWidth - inset);
  const height = 2 * (roof.halfHeight - inset);
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.fillStyle = INK.platformStripe;
  const stripe = 0.5;
  for (let x = left - height; x < left + width; x += 2 * stripe) {
    quad(
      context,
      INK.platformStripe,
      x,
      top + height,
      x + stripe,
      top + height,
      x + stripe + height,
      top,
      x + height,
      top,
    );
  }
  context.restore();
}
