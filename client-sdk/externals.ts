import {
  EntityHistory,
  interpolate,
  newPose,
  type Pose,
  type QuantisedState,
  type World,
} from "../sim/index.ts";
import { withinTolerance } from "./compare.ts";
import type { FieldPlan } from "./field-plan.ts";
import { RowSet } from "./row-set.ts";

/** Samples are kept for: no tick that is replayed begins earlier. */
const KEPT_TICKS = 32;

interface External {
  readonly life: EntityHistory;
  readonly pose: Pose;
}

/**
 * Entities that predicted ones touch but only the room moves [P6]. Prediction begins each tick with them where they
 * were after the tick before, as the room's own tick did: told, or carried on by their rates for a bounded time.
 */
export class Externals {
  readonly #plans: readonly FieldPlan[];
  readonly #dt: number;
  readonly #truth = new RowSet();
  #known: External[] = [];
  #tick = -1;

  constructor(plans: readonly FieldPlan[], dt: number) {
    this.#plans = plans;
    this.#dt = dt;
  }

  /** Takes in where the room had them at a boundary. */
  learn(state: QuantisedState): void {
    // Another incarnation runs these ticks again: what was said of them is void.
    if (state.tick <= this.#tick) this.#known = [];
    this.#tick = state.tick;
    const before = this.#known;
    this.#known = [];
    for (let row = 0; row < state.count; row++) {
      const plan = this.#plans[state.archetypes[row] as number];
      if (!plan?.archetype.history) continue;
      const [id, epoch] = [state.ids[row] as number, state.epochs[row] as number];
      const external = before.find(({ life }) => life.id === id && life.epoch === epoch) ?? {
        life: new EntityHistory(id, epoch, plan.archetype, state.tick),
        pose: newPose(plan.archetype),
      };
      external.life.insert({ tick: state.tick, state, row }, state.tick - KEPT_TICKS);
      this.#known.push(external);
    }
  }

  /** Puts them where they were after a tick; false, and nothing is moved, when that isn't known of one of them. */
  place(world: World, tick: number): boolean {
    for (const { life } of this.#known) {
      if (tick > life.newest.tick + life.archetype.maxExtrapolationTicks) return false;
    }
    for (const { life, pose } of this.#known) {
      const { maxExtrapolationTicks } = life.archetype;
      interpolate(life, { tick, maxExtrapolationTicks, dt: this.#dt }, pose);
      world.pose(life.id, pose);
    }
    return true;
  }

  /** Notes where they are now, as what the tick to come depends on. */
  note(world: World, reads: RowSet): void {
    reads.clear();
    for (const { life } of this.#known) {
      const row = world.rowOf(life.id);
      if (row) reads.add(row.archetype, row.cells, 0, row.cells.length);
    }
  }

  /** Whether what a tick read is, within tolerance, what the room says of it. */
  agrees(reads: RowSet, state: QuantisedState): boolean {
    let known = 0;
    for (let row = 0; row < state.count; row++) {
      const plan = this.#plans[state.archetypes[row] as number];
      if (!plan?.archetype.history) continue;
      known++;
      const read = reads.find(state.ids[row] as number);
      if (read < 0) return false;
      this.#truth.clear();
      this.#truth.addQuantised(plan, state, row);
      if (!withinTolerance(plan, { set: reads, row: read }, { set: this.#truth, row: 0 })) return false;
    }
    return known === reads.count;
  }
}
