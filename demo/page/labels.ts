import type { Point } from "../geometry.ts";
import { PLAYER_RADIUS } from "../tuning.ts";
import { type Frame, toScreen } from "./camera.ts";
import { INK } from "./palette.ts";

export interface Label extends Point {
  readonly text: string;
  readonly tone: "own" | "player" | "bot";
  /** The one with most sparks. */
  readonly leads: boolean;
}

/** Names over players. In screen pixels, so that they are as sharp and as large at any zoom. */
export function drawLabels(context: CanvasRenderingContext2D, frame: Frame, labels: Iterable<Label>): void {
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.lineJoin = "round";
  for (const label of labels) {
    const { x, y } = toScreen(frame, label);
    const top = y - (PLAYER_RADIUS + (label.tone === "own" ? 0.46 : 0.26)) * frame.scale;
    const size = label.tone === "bot" ? 11 : 12.5;
    context.font = `${label.tone === "bot" ? 500 : 650} ${size}px system-ui, sans-serif`;
    const text = label.leads ? `✦ ${label.text}` : label.text;
    context.strokeStyle = INK.outline;
    context.lineWidth = 3;
    context.globalAlpha = label.tone === "bot" ? 0.9 : 1;
    context.strokeText(text, x, top);
    context.fillStyle = label.leads ? INK.spark : label.tone === "bot" ? INK.textMuted : INK.text;
    context.fillText(text, x, top);
  }
  context.globalAlpha = 1;
}

interface Float extends Point {
  readonly text: string;
  readonly bornMs: number;
}

const FLOAT_LIFE_MS = 900;

/** Small words that rise and fade, such as +1. */
export class Floats {
  readonly #live: Float[] = [];

  add(at: Point, text: string, nowMs: number): void {
    this.#live.push({ x: at.x, y: at.y, text, bornMs: nowMs });
  }

  draw(context: CanvasRenderingContext2D, frame: Frame, nowMs: number): void {
    while (this.#live[0] && nowMs - this.#live[0].bornMs > FLOAT_LIFE_MS) this.#live.shift();
    context.textAlign = "center";
    context.font = "700 15px system-ui, sans-serif";
    for (const float of this.#live) {
      const age = (nowMs - float.bornMs) / FLOAT_LIFE_MS;
      const { x, y } = toScreen(frame, float);
      context.globalAlpha = 1 - age * age;
      context.strokeStyle = INK.outline;
      context.lineWidth = 3;
      const top = y - frame.scale * 1.45 - 34 * age;
      context.strokeText(float.text, x, top);
      context.fillStyle = INK.spark;
      context.fillText(float.text, x, top);
    }
    context.globalAlpha = 1;
  }
}
