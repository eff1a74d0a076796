import { angleDifference, isReal, type Pose } from "../sim/index.ts";
import { distance } from "./compare.ts";
import { type EntityKey, keyOf } from "./entity-key.ts";
import type { FieldPlan } from "./field-plan.ts";
import type { RowSet } from "./row-set.ts";
import { VisualOffset } from "./smoothing.ts";

/** Two successive predicted states; what is drawn lies between them. */
export interface PredictedPair {
  readonly previous: RowSet;
  readonly present: RowSet;
}

interface Shown {
  readonly offset: VisualOffset;
  /** What was drawn of each smoothed field when a correction began. */
  readonly held: Float64Array;
  readonly corrected: Float64Array;
  isHeld: boolean;
  /** Teleports so far, as last drawn. */
  jumps: number;
}

/** How predicted entities are drawn: between their last two ticks, plus what is left of corrections [V2]. */
export class OwnDisplay {
  readonly #plans: readonly FieldPlan[];
  /** A respawned entity has no past to glide from. */
  readonly #shown = new Map<EntityKey, Shown>();

  constructor(plans: readonly FieldPlan[]) {
    this.#plans = plans;
  }

  decay(elapsedMs: number): void {
    for (const { offset } of this.#shown.values()) offset.decay(elapsedMs);
  }

  /** Nothing glides from what was drawn before. */
  forget(): void {
    this.#shown.clear();
  }

  /** Fills `out` with the pose of a row of `pair.present` to draw now. */
  pose(pair: PredictedPair, row: number, fraction: number, out: Pose): void {
    const { present } = pair;
    const plan = this.#plans[present.archetype(row)] as FieldPlan;
    out.presence = present.presence(row);
    out.owner = present.owner(row);
    out.jumps = present.jumps(plan, row);
    out.stalled = false;
    const start = present.start(row);
    for (const field of plan.archetype.fields) {
      const cell = start + field.cell;
      out.values[field.index] = isReal(field)
        ? (present.f32[cell] as number)
        : (present.u32[cell] as number) | 0;
    }
    const offset = this.#drawn(present, row).offset.values;
    between(plan, pair, row, fraction, (field, i, value) => {
      out.values[field] = value + (offset[i] as number);
    });
  }

  /** Before a correction: remembers what is drawn at this instant. */
  hold(pair: PredictedPair, fraction: number): void {
    for (const shown of this.#shown.values()) shown.isHeld = false;
    for (let row = 0; row < pair.present.count; row++) {
      const shown = this.#drawn(pair.present, row);
      const plan = this.#plans[pair.present.archetype(row)] as FieldPlan;
      shown.isHeld = true;
      between(plan, pair, row, fraction, (_, i, value) => {
        shown.held[i] = value + (shown.offset.values[i] as number);
      });
    }
  }

  /** After it: what was drawn stays where it was, and glides from there. */
  settle(pair: PredictedPair, fraction: number): void {
    const alive = new Set<EntityKey>();
    for (let row = 0; row < pair.present.count; row++) {
      const plan = this.#plans[pair.present.archetype(row)] as FieldPlan;
      alive.add(keyOf(pair.present, row, plan));
      const shown = this.#entry(pair.present, row);
      if (!shown.isHeld) continue;
      between(plan, pair, row, fraction, (_, i, value) => {
        shown.corrected[i] = value;
      });
      const jumps = pair.present.jumps(plan, row);
      const jumped = shown.jumps !== jumps;
      shown.jumps = jumps;
      shown.offset.keep(
        shown.held,
        shown.corrected,
        jumped || apart(plan, shown) > plan.archetype.snapDistance,
      );
    }
    for (const key of this.#shown.keys()) if (!alive.has(key)) this.#shown.delete(key);
  }

  /** Nothing of what was shown before a teleport is shown after it [V3]. */
  #drawn(set: RowSet, row: number): Shown {
    const shown = this.#entry(set, row);
    const jumps = set.jumps(this.#plans[set.archetype(row)] as FieldPlan, row);
    if (shown.jumps !== jumps) shown.offset.reset();
    shown.jumps = jumps;
    return shown;
  }

  #entry(set: RowSet, row: number): Shown {
    const plan = this.#plans[set.archetype(row)] as FieldPlan;
    const key = keyOf(set, row, plan);
    const known = this.#shown.get(key);
    if (known) return known;
    const made: Shown = {
      offset: new VisualOffset(plan),
      held: new Float64Array(plan.smooth.length),
      corrected: new Float64Array(plan.smooth.length),
      isHeld: false,
      jumps: set.jumps(plan, row),
    };
    this.#shown.set(key, made);
    return made;
  }
}

/** Distance between what was drawn and what would be drawn now, in position units. */
function apart(plan: FieldPlan, shown: Shown): number {
  let sum = 0;
  for (const [i, field] of plan.smooth.entries()) {
    if (!plan.archetype.place.includes(field)) continue;
    const off = (shown.held[i] as number) - (shown.corrected[i] as number);
    sum += off * off;
  }
  return Math.sqrt(sum);
}

/** Calls back with each smoothed field's index, its place among them, and its value between the two ticks. */
function between(
  plan: FieldPlan,
  { previous, present }: PredictedPair,
  row: number,
  fraction: number,
  each: (field: number, i: number, value: number) => void,
): void {
  const past = previous.find(present.id(row));
  const start = present.start(row);
  // A teleport, declared or a step further than snapDistance: nothing lies between its ends [V3].
  const continuous =
    past >= 0 &&
    previous.epoch(past) === present.epoch(row) &&
    previous.archetype(past) === present.archetype(row) &&
    previous.jumps(plan, past) === present.jumps(plan, row) &&
    distance(plan, { set: previous, row: past }, { set: present, row }) <= plan.archetype.snapDistance;
  for (let i = 0; i < plan.smooth.length; i++) {
    const field = plan.smooth[i] as FieldPlan["smooth"][number];
    const now = present.f32[start + field.cell] as number;
    if (!continuous) {
      each(field.index, i, now);
      continue;
    }
    const then = previous.f32[previous.start(past) + field.cell] as number;
    const change = field.kind === "angle" ? angleDifference(now, then) : now - then;
    each(field.index, i, then + change * fraction);
  }
}
