import type { Point } from "../geometry.ts";
import { tint } from "./palette.ts";

export const SPLAT_LIFE_MS = 24_000;

/** Paint that lies where a shot has ended. */
export interface Splat extends Point {
  readonly key: string;
  /** Direction that the paint came in. */
  readonly dx: number;
  readonly dy: number;
  readonly hue: number;
  readonly bornMs: number;
}

/** A blot and its drops, which went on in the direction of the shot. Its key gives it its shape. */
export function drawSplat(context: CanvasRenderingContext2D, splat: Splat, nowMs: number): void {
  const age = (nowMs - splat.bornMs) / SPLAT_LIFE_MS;
  // Spreads within a moment, glows when it is fresh, and dries for long.
  const spread = 1 - 0.5 ** ((nowMs - splat.bornMs) / 30);
  const random = numbersOf(splat.key);
  context.fillStyle = tint(splat.hue, 0.62 * (1 - age ** 3));
  context.beginPath();
  blot(context, splat.x, splat.y, 0.3 * spread);
  for (let i = 0; i < 7; i++) {
    const aside = (random() - 0.5) * 1.3;
    const ahead = random() * 0.8 - 0.25;
    const x = splat.x + (splat.dx * ahead - splat.dy * aside * 0.6) * spread;
    const y = splat.y + (splat.dy * ahead + splat.dx * aside * 0.6) * spread;
    blot(context, x, y, (0.05 + 0.12 * random()) * spread);
  }
  context.fill();
}

/** Blotches on somebody's shade, always the same ones for the same entity. */
export function drawCoat(context: CanvasRenderingContext2D, id: number, hue: number, radius: number): void {
  const random = numbersOf(`coat ${id}`);
  context.fillStyle = tint(hue);
  context.beginPath();
  for (let i = 0; i < 6; i++) {
    const angle = ((i + random() * 0.7) / 6) * 2 * Math.PI;
    const out = radius * (0.35 + 0.5 * random());
    blot(context, Math.cos(angle) * out, Math.sin(angle) * out, radius * (0.16 + 0.24 * random()));
  }
  context.fill();
}

function blot(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.moveTo(x + radius, y);
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

/** Numbers in [0, 1) that belong to a text. */
function numbersOf(text: string): () => number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}
