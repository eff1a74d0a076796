import type { Point } from "../geometry.ts";
import { tint } from "./palette.ts";

interface Sample extends Point {
  readonly atMs: number;
}

const LIFE_MS = 420;
const WIDTH = 0.36;
/** A gap this wide is a jump, and jumps leave no streak. */
const JUMP = 2.5;

/** Where each player has just been, as a ribbon that thins out. Nothing but pixels: the game knows none of it. */
export class Trails {
  readonly #samples = new Map<number, Sample[]>();

  /** Once per player and frame. */
  add(id: number, at: Point, nowMs: number): void {
    const samples = this.#samples.get(id) ?? [];
    const last = samples.at(-1);
    if (last && Math.hypot(at.x - last.x, at.y - last.y) > JUMP) samples.length = 0;
    samples.push({ x: at.x, y: at.y, atMs: nowMs });
    while (samples.length > 0 && nowMs - (samples[0] as Sample).atMs > LIFE_MS) samples.shift();
    this.#samples.set(id, samples);
  }

  /** Forgets those who are gone. */
  keepOnly(ids: ReadonlySet<number>): void {
    for (const id of this.#samples.keys()) if (!ids.has(id)) this.#samples.delete(id);
  }

  draw(context: CanvasRenderingContext2D, id: number, hue: number, strength: number, nowMs: number): void {
    const samples = this.#samples.get(id);
    if (!samples || samples.length < 2) return;
    const head = samples.at(-1) as Sample;
    const tail = samples[0] as Sample;
    const length = Math.hypot(head.x - tail.x, head.y - tail.y);
    if (length < 0.05) return;
    const fade = context.createLinearGradient(tail.x, tail.y, head.x, head.y);
    fade.addColorStop(0, tint(hue, 0));
    fade.addColorStop(1, tint(hue, 0.3 * strength));
    context.fillStyle = fade;
    context.beginPath();
    for (const side of [1, -1]) {
      for (let i = 0; i < samples.length; i++) {
        // There along one side, back along the other.
        const at = side > 0 ? i : samples.length - 1 - i;
        const edge = edgeOf(
          samples,
          at,
          side * WIDTH * (1 - (nowMs - (samples[at] as Sample).atMs) / LIFE_MS),
        );
        context.lineTo(edge.x, edge.y);
      }
    }
    context.fill();
  }
}

/** A place beside a sample, across the way that was walked there. */
function edgeOf(samples: readonly Sample[], index: number, across: number): Point {
  const here = samples[index] as Sample;
  const before = samples[Math.max(index - 1, 0)] as Sample;
  const after = samples[Math.min(index + 1, samples.length - 1)] as Sample;
  const dx = after.x - before.x;
  const dy = after.y - before.y;
  const length = Math.hypot(dx, dy) || 1;
  return { x: here.x - (dy / length) * across, y: here.y + (dx / length) * across };
}
