import type { Point } from "../geometry.ts";
import { tint } from "./palette.ts";

interface Particle {
  x: number;
  y: number;
  vx: number;
  vy: number;
  readonly hue: number;
  readonly size: number;
  readonly bornMs: number;
  readonly lifeMs: number;
}

const MOST = 240;

/** Short-lived bits of light. */
export class Particles {
  readonly #live: Particle[] = [];

  burst(at: Point, hue: number, count: number, nowMs: number): void {
    for (let i = 0; i < count && this.#live.length < MOST; i++) {
      const angle = ((i + Math.random()) / count) * 2 * Math.PI;
      const speed = 1.5 + 4 * Math.random();
      this.#live.push({
        x: at.x,
        y: at.y,
        vx: Math.cos(angle) * speed,
        vy: Math.sin(angle) * speed,
        hue,
        size: 0.05 + 0.06 * Math.random(),
        bornMs: nowMs,
        lifeMs: 320 + 260 * Math.random(),
      });
    }
  }

  draw(context: CanvasRenderingContext2D, nowMs: number, dtS: number): void {
    const drag = 0.02 ** dtS;
    for (let i = this.#live.length - 1; i >= 0; i--) {
      const particle = this.#live[i] as Particle;
      const age = (nowMs - particle.bornMs) / particle.lifeMs;
      if (age >= 1) {
        this.#live.splice(i, 1);
        continue;
      }
      particle.x += particle.vx * dtS;
      particle.y += particle.vy * dtS;
      particle.vx *= drag;
      particle.vy *= drag;
      context.globalAlpha = 1 - age;
      context.fillStyle = tint(particle.hue);
      context.beginPath();
      context.arc(particle.x, particle.y, particle.size * (1 - age / 2), 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
  }
}
