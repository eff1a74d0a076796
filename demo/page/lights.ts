import type { Box, Point } from "../geometry.ts";
import { lightTint, tint } from "./palette.ts";

const GLOW_PIXELS = 128;

/** Pre-drawn soft discs of light, one per hue: a gradient per player and frame would cost far more. */
export class Glows {
  readonly #known = new Map<number, HTMLCanvasElement>();

  draw(context: CanvasRenderingContext2D, hue: number, at: Point, radius: number, alpha: number): void {
    context.globalAlpha = alpha;
    context.drawImage(this.#of(hue), at.x - radius, at.y - radius, 2 * radius, 2 * radius);
    context.globalAlpha = 1;
  }

  #of(hue: number): HTMLCanvasElement {
    const known = this.#known.get(hue);
    if (known) return known;
    const canvas = document.createElement("canvas");
    canvas.width = GLOW_PIXELS;
    canvas.height = GLOW_PIXELS;
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    const half = GLOW_PIXELS / 2;
    const gradient = context.createRadialGradient(half, half, 0, half, half, half);
    // Falls off like light does, without the visible rim of a straight ramp.
    for (let i = 0; i <= 8; i++) gradient.addColorStop(i / 8, tint(hue, (1 - i / 8) ** 2.2));
    context.fillStyle = gradient;
    context.fillRect(0, 0, GLOW_PIXELS, GLOW_PIXELS);
    this.#known.set(hue, canvas);
    return canvas;
  }
}

const RADIUS = 9;
/** Pixels per metre of the light's own picture. Coarse on purpose: enlarged, its shadows get soft edges. */
const COARSE = 14;

/** The own lantern: light on the floor, with the shadows that walls cast. */
export class Lantern {
  readonly #canvas = document.createElement("canvas");

  constructor() {
    this.#canvas.width = 2 * RADIUS * COARSE;
    this.#canvas.height = 2 * RADIUS * COARSE;
  }

  draw(target: CanvasRenderingContext2D, at: Point, hue: number, boxes: readonly Box[]): void {
    const context = this.#canvas.getContext("2d") as CanvasRenderingContext2D;
    const size = this.#canvas.width;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalCompositeOperation = "copy";
    const gradient = context.createRadialGradient(size / 2, size / 2, 0, size / 2, size / 2, size / 2);
    gradient.addColorStop(0, lightTint(hue, 0.34));
    gradient.addColorStop(0.25, lightTint(hue, 0.19));
    gradient.addColorStop(0.6, lightTint(hue, 0.065));
    gradient.addColorStop(1, lightTint(hue, 0));
    context.fillStyle = gradient;
    context.fillRect(0, 0, size, size);
    context.globalCompositeOperation = "destination-out";
    context.setTransform(COARSE, 0, 0, COARSE, size / 2 - at.x * COARSE, size / 2 - at.y * COARSE);
    context.fillStyle = "#000";
    for (const box of boxes) if (isNear(at, box)) castShadow(context, at, box);
    target.globalCompositeOperation = "lighter";
    target.drawImage(this.#canvas, at.x - RADIUS, at.y - RADIUS, 2 * RADIUS, 2 * RADIUS);
    target.globalCompositeOperation = "source-over";
  }
}

function isNear(at: Point, box: Box): boolean {
  return Math.abs(at.x - box.x) < box.halfWidth + RADIUS && Math.abs(at.y - box.y) < box.halfHeight + RADIUS;
}

/** So far that the shadow of a long wall right beside the light still reaches across all of its light. */
const FAR = 100 * RADIUS;

/** Darkens what lies behind a box: each of its sides, drawn out away from the light. */
function castShadow(context: CanvasRenderingContext2D, light: Point, box: Box): void {
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([sx = 0, sy = 0]) => ({ x: box.x + sx * box.halfWidth, y: box.y + sy * box.halfHeight }));
  context.beginPath();
  for (const [index, a] of corners.entries()) {
    const b = corners[(index + 1) % corners.length] as Point;
    // Only sides that face away: the light falls on the others.
    if ((b.x - a.x) * (light.y - a.y) - (b.y - a.y) * (light.x - a.x) > 0) continue;
    const farA = away(light, a);
    const farB = away(light, b);
    context.moveTo(a.x, a.y);
    context.lineTo(b.x, b.y);
    context.lineTo(farB.x, farB.y);
    context.lineTo(farA.x, farA.y);
    context.closePath();
  }
  context.fill("nonzero");
}

function away(light: Point, corner: Point): Point {
  const dx = corner.x - light.x;
  const dy = corner.y - light.y;
  const length = Math.hypot(dx, dy) || 1;
  return { x: corner.x + (dx / length) * FAR, y: corner.y + (dy / length) * FAR };
}
