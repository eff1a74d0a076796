import type { Arena } from "../demo/game.ts";
import type { CommandOf } from "../sim/index.ts";

/** Controls that change now and then, as a player's do; the same for the same seed. */
export class Walk {
  #state: number;
  #untilMs = 0;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The controls to set now, if they change. */
  next(nowMs: number): CommandOf<Arena> | undefined {
    if (nowMs < this.#untilMs) return undefined;
    this.#untilMs = nowMs + 200 + 800 * this.#random();
    const direction = 2 * Math.PI * this.#random();
    // Now and then somebody stands still.
    const speed = this.#random() < 0.1 ? 0 : 1;
    return {
      moveX: speed * Math.cos(direction),
      moveY: speed * Math.sin(direction),
      sprint: this.#random() < 0.3,
    };
  }

  /** A number in [0, 1) (Weyl sequence with mulberry32's mix). */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
}
