import { angleDifference } from "../sim/index.ts";
import type { FieldPlan } from "./field-plan.ts";

/** Time in which a shown correction halves [V2]. */
const HALF_LIFE_MS = 50;

/**
 * What is added to an entity's simulated pose when drawing, so that a correction is a glide and not a jump
 * [V2]. The simulation never sees it [V1].
 */
export class VisualOffset {
  readonly #plan: FieldPlan;
  readonly #halfLifeMs: number;
  /** One per field of `plan.smooth`. */
  readonly values: Float64Array;

  constructor(plan: FieldPlan, halfLifeMs = HALF_LIFE_MS) {
    this.#plan = plan;
    this.#halfLifeMs = halfLifeMs;
    this.values = new Float64Array(plan.smooth.length);
  }

  /** Lets time pass. Exponential, so that two short frames are one long one, at any frame rate. */
  decay(elapsedMs: number): void {
    const factor = Math.exp((-Math.LN2 * elapsedMs) / this.#halfLifeMs);
    for (let i = 0; i < this.values.length; i++) {
      const next = (this.values[i] as number) * factor;
      // Denormals are slow, and nobody sees them.
      this.values[i] = Math.abs(next) < 1e-9 ? 0 : next;
    }
  }

  /**
   * Keeps an entity where it was drawn: offset = drawn before − corrected pose at the same instant.
   * @param before what was drawn, one per field of `plan.smooth`
   * @param corrected what would be drawn without an offset
   * @param jumped a declared teleport or a correction over `snapDistance`: shown as the jump that it is [V3]
   */
  keep(before: ArrayLike<number>, corrected: ArrayLike<number>, jumped: boolean): void {
    for (const [i, field] of this.#plan.smooth.entries()) {
      const [was, is] = [before[i] as number, corrected[i] as number];
      const offset = field.kind === "angle" ? angleDifference(was, is) : was - is;
      this.values[i] = jumped || !Number.isFinite(offset) ? 0 : offset;
    }
  }

  reset(): void {
    this.values.fill(0);
  }
}
