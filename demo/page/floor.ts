import type { Box, Point } from "../geometry.ts";
import { FLOOR, PLATFORMS, SPAWN_POINTS } from "../level.ts";
import { type Frame, isVisible } from "./camera.ts";
import { INK } from "./palette.ts";

/** Metres between the crosses that structure the floor. */
const MESH = 4;
const CROSS = 0.16;

/** The dark around the arena. The context is in metres. */
export function drawOutside(context: CanvasRenderingContext2D, frame: Frame): void {
  const pixel = pixelOf(frame);
  const halfWidth = frame.width / frame.scale / 2;
  const halfHeight = frame.height / frame.scale / 2;
  const { x: centreX, y: centreY } = frame.centre;
  context.fillStyle = INK.outside;
  context.fillRect(centreX - halfWidth, centreY - halfHeight, 2 * halfWidth, 2 * halfHeight);
  context.fillStyle = INK.outsideGrid;
  for (let x = Math.ceil((centreX - halfWidth) / MESH) * MESH; x < centreX + halfWidth; x += MESH) {
    context.fillRect(x - pixel / 2, centreY - halfHeight, pixel, 2 * halfHeight);
  }
  for (let y = Math.ceil((centreY - halfHeight) / MESH) * MESH; y < centreY + halfHeight; y += MESH) {
    context.fillRect(centreX - halfWidth, y - pixel / 2, 2 * halfWidth, pixel);
  }
}

/** The floor with its mesh and markings. */
export function drawFloor(context: CanvasRenderingContext2D, frame: Frame): void {
  const { halfWidth, halfHeight } = FLOOR;
  context.fillStyle = INK.floor;
  context.fillRect(-halfWidth, -halfHeight, 2 * halfWidth, 2 * halfHeight);
  drawMesh(context, frame);
  drawMiddle(context);
  for (const point of SPAWN_POINTS) if (isVisible(frame, point, 1)) drawSpawnPoint(context, point);
  for (const { track } of PLATFORMS) drawRail(context, track);
}

/** A line that is one device pixel wide, two on very dense screens. */
function pixelOf(frame: Frame): number {
  return 1 / (frame.scale * Math.min(frame.density, 2));
}

function drawMesh(context: CanvasRenderingContext2D, frame: Frame): void {
  const pixel = pixelOf(frame);
  const { halfWidth, halfHeight } = FLOOR;
  context.fillStyle = INK.grid;
  for (let x = -halfWidth + 1; x < halfWidth; x++) {
    if (isVisible(frame, { x, y: frame.centre.y }, 1)) {
      context.fillRect(x - pixel / 2, -halfHeight, pixel, 2 * halfHeight);
    }
  }
  for (let y = -halfHeight + 1; y < halfHeight; y++) {
    if (isVisible(frame, { x: frame.centre.x, y }, 1)) {
      context.fillRect(-halfWidth, y - pixel / 2, 2 * halfWidth, pixel);
    }
  }
  context.fillStyle = INK.cross;
  for (let x = -Math.floor(halfWidth / MESH) * MESH; x < halfWidth; x += MESH) {
    for (let y = -Math.floor(halfHeight / MESH) * MESH; y < halfHeight; y += MESH) {
      if (!isVisible(frame, { x, y }, 1)) continue;
      context.fillRect(x - CROSS, y - pixel, 2 * CROSS, 2 * pixel);
      context.fillRect(x - pixel, y - CROSS, 2 * pixel, 2 * CROSS);
    }
  }
}

function drawSpawnPoint(context: CanvasRenderingContext2D, { x, y }: Point): void {
  context.strokeStyle = INK.marking;
  context.lineWidth = 0.05;
  context.setLineDash([0.5, 0.285]);
  context.beginPath();
  context.arc(x, y, 0.75, 0, 2 * Math.PI);
  context.stroke();
  context.setLineDash([]);
}

function drawMiddle(context: CanvasRenderingContext2D): void {
  context.strokeStyle = INK.marking;
  context.lineWidth = 0.05;
  for (const radius of [1.1, 3.1]) {
    context.beginPath();
    context.arc(0, 0, radius, 0, 2 * Math.PI);
    context.stroke();
  }
  for (let turn = 0; turn < 4; turn++) {
    context.save();
    context.rotate((turn * Math.PI) / 2);
    context.beginPath();
    context.moveTo(1.1, 0);
    context.lineTo(3.1, 0);
    context.stroke();
    context.restore();
  }
}

/** The rail that a platform runs on tells where it will come. */
function drawRail(context: CanvasRenderingContext2D, track: (typeof PLATFORMS)[number]["track"]): void {
  const { fromX, fromY, toX, toY } = track;
  context.strokeStyle = INK.rail;
  context.lineWidth = 0.09;
  context.setLineDash([0.32, 0.28]);
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(toX, toY);
  context.stroke();
  context.setLineDash([]);
  for (const [x, y] of [
    [fromX, fromY],
    [toX, toY],
  ] as const) {
    context.beginPath();
    context.arc(x, y, 0.3, 0, 2 * Math.PI);
    context.stroke();
  }
}

/** A soft dark strip around something that stands on the floor. */
export function drawShade(context: CanvasRenderingContext2D, box: Box, reach: number): void {
  const { x, y, halfWidth, halfHeight } = box;
  context.fillStyle = INK.shade;
  for (const grow of [reach, reach * 0.55]) {
    context.beginPath();
    context.roundRect(
      x - halfWidth - grow,
      y - halfHeight - grow,
      2 * (halfWidth + grow),
      2 * (halfHeight + grow),
      grow,
    );
    context.globalAlpha = 0.5;
    context.fill();
  }
  context.globalAlpha = 1;
}
