import { angleDifference } from "../sim/index.ts";
import type { FieldPlan } from "./field-plan.ts";

/** Time in which a shown correction halves [V2]. */
const HALF_LIFE_MS = 50;
/** Time after which what is left of it can't be seen: a fifth of the position tolerance. */
const GONE_MS = 200;

/**
 * What is added to an entity's simulated pose when drawing, so that a correction is a glide and not a jump
 * [V2]. The simulation never sees it [V1].
 */
export class VisualOffset {
  readonly #plan: FieldPlan;
  readonly #fixedMs: number | undefined;
  #halfLifeMs = HALF_LIFE_MS;
  /** One per field of `plan.smooth`. */
  readonly values: Float64Array;

  /** @param fixedMs its half-life. Left out: shorter for a large offset, so that it is gone in time too */
  constructor(plan: FieldPlan, fixedMs?: number) {
    this.#plan = plan;
    this.#fixedMs = fixedMs;
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
    const { smooth, archetype } = this.#plan;
    const { place } = archetype;
    let squares = 0;
    for (const [i, field] of smooth.entries()) {
      const [was, is] = [before[i] as number, corrected[i] as number];
      const offset = field.kind === "angle" ? angleDifference(was, is) : was - is;
      this.values[i] = jumped || !Number.isFinite(offset) ? 0 : offset;
      if (place.includes(field)) squares += (this.values[i] as number) ** 2;
    }
    const halvings = Math.log2((5 * Math.sqrt(squares)) / (place[0]?.tolerance || 1));
    this.#halfLifeMs = this.#fixedMs ?? Math.min(HALF_LIFE_MS, GONE_MS / Math.max(1, halvings));
  }

  reset(): void {
    this.values.fill(0);
  }
}
