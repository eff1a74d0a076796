import type { Point } from "../geometry.ts";
import { PLAYER_RADIUS, SPARK_RADIUS } from "../tuning.ts";
import { deepTint, INK, paleTint, tint } from "./palette.ts";
import { drawCoat } from "./splats.ts";

/** What a player looks like in this frame. */
export interface Figure extends Point {
  readonly heading: number;
  readonly hue: number;
  readonly stalled: boolean;
  /** Paint on it. */
  readonly coat: { readonly id: number; readonly hue: number; readonly strength: number } | undefined;
}

const R = PLAYER_RADIUS;
const TURN = 2 * Math.PI;

/** A paper lantern from above: a coloured shade, and the flame leaning into the direction of the walk. */
export function drawFigure(context: CanvasRenderingContext2D, figure: Figure): void {
  context.save();
  context.translate(figure.x, figure.y);
  context.fillStyle = INK.shade;
  context.beginPath();
  context.arc(0.05, 0.09, R * 1.04, 0, TURN);
  context.fill();
  context.rotate(figure.heading);
  if (figure.stalled) context.globalAlpha = 0.55;
  const body = context.createRadialGradient(R * 0.32, 0, R * 0.08, 0, 0, R);
  body.addColorStop(0, paleTint(figure.hue));
  body.addColorStop(0.42, tint(figure.hue));
  body.addColorStop(1, deepTint(figure.hue));
  context.fillStyle = body;
  context.beginPath();
  context.arc(0, 0, R, 0, TURN);
  context.fill();
  context.strokeStyle = INK.outline;
  context.lineWidth = 0.05;
  context.stroke();
  if (figure.coat) {
    context.save();
    context.clip();
    context.globalAlpha *= figure.coat.strength;
    drawCoat(context, figure.coat.id, figure.coat.hue, R);
    context.restore();
  }
  drawEyes(context);
  context.restore();
}

function drawEyes(context: CanvasRenderingContext2D): void {
  context.fillStyle = INK.outline;
  for (const side of [-1, 1]) {
    context.beginPath();
    context.ellipse(R * 0.52, side * R * 0.3, 0.075, 0.055, 0, 0, TURN);
    context.fill();
  }
}

/** Marks the own player; the ring's length is the breath that is left. */
export function drawOwnRing(
  context: CanvasRenderingContext2D,
  at: Point,
  stamina: number,
  winded: boolean,
): void {
  const radius = R + 0.24;
  context.lineCap = "round";
  context.lineWidth = 0.075;
  context.strokeStyle = "rgba(255, 255, 255, 0.16)";
  context.beginPath();
  context.arc(at.x, at.y, radius, 0, TURN);
  context.stroke();
  if (stamina <= 0.005) return;
  context.strokeStyle = winded ? "#ff8b6b" : "rgba(255, 255, 255, 0.92)";
  context.beginPath();
  context.arc(at.x, at.y, radius, -TURN / 4, -TURN / 4 + TURN * stamina);
  context.stroke();
}

/** Where the room last said that the own player was. */
export function drawGhost(context: CanvasRenderingContext2D, ghost: Point, own: Point): void {
  context.strokeStyle = "rgba(255, 255, 255, 0.75)";
  context.lineWidth = 0.05;
  context.setLineDash([0.16, 0.14]);
  context.beginPath();
  context.arc(ghost.x, ghost.y, R, 0, TURN);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 0.5;
  context.beginPath();
  context.moveTo(ghost.x, ghost.y);
  context.lineTo(own.x, own.y);
  context.stroke();
  context.globalAlpha = 1;
}

/** A star of four points that turns and breathes; its number shifts its rhythm against its neighbours'. */
export function drawSpark(
  context: CanvasRenderingContext2D,
  at: Point,
  worth: number,
  id: number,
  nowMs: number,
): void {
  const beat = Math.sin(nowMs / 420 + id * 1.7);
  const radius = SPARK_RADIUS * (worth > 1 ? 1.5 : 1) * (1 + 0.1 * beat);
  context.save();
  context.translate(at.x, at.y);
  context.rotate(nowMs / 2600 + id);
  context.fillStyle = worth > 1 ? "#fff6dd" : INK.spark;
  context.beginPath();
  for (let i = 0; i < 8; i++) {
    const reach = i % 2 === 0 ? radius : radius * 0.36;
    context.lineTo(Math.cos((i * TURN) / 8) * reach, Math.sin((i * TURN) / 8) * reach);
  }
  context.fill();
  context.restore();
}
