import { type FlatField, type NetId, newPose, type Pose, type SeatId, shownValue } from "../sim/index.ts";
import type { EntityKey } from "./entity-key.ts";
import type { FieldPlan } from "./field-plan.ts";
import { VisualOffset } from "./smoothing.ts";
import type { ViewEntityBase } from "./types.ts";

type Fields = Record<string, number | boolean | string>;

/**
 * Time in which the step between the player's time and the past halves, when an entity enters or leaves the island:
 * with something fast it is longer than a correction ever is.
 */
const TURN_HALF_LIFE_MS = 100;

type Facts = { -readonly [K in keyof ViewEntityBase]: ViewEntityBase[K] };

/** What a page reads of an entity; one object per entity, written anew in each frame. */
export class ViewObject {
  readonly entity: ViewEntityBase;
  readonly pose: Pose;
  /** The frame in which it was last written. */
  frame = -1;
  readonly #facts: Facts;
  readonly #fragments: readonly Fields[];
  readonly #plan: FieldPlan;
  /** Shown in the player's time rather than out of the past. */
  #isAhead = false;
  /** What was drawn in the frame before, if it has just changed between the two. */
  #was: { readonly values: Pose["values"]; readonly jumps: number } | undefined;
  #offset: VisualOffset | undefined;

  constructor(key: EntityKey, id: number, epoch: number, plan: FieldPlan) {
    const { archetype } = plan;
    this.#plan = plan;
    this.pose = newPose(archetype);
    this.#fragments = archetype.fragments.map(() => ({}));
    const entity: ViewEntityBase & Record<string, unknown> = {
      key,
      id: id as NetId,
      epoch,
      archetype: archetype.name,
      owner: 0,
      own: false,
      stalled: false,
    };
    this.entity = entity;
    this.#facts = entity as unknown as Facts;
  }

  /** The room has given it this id. */
  named(id: number, epoch: number): void {
    this.#facts.id = id as NetId;
    this.#facts.epoch = epoch;
  }

  /** Before `pose` is filled: says in which time it is shown from now on. */
  turn(isAhead: boolean, frame: number): void {
    const changes = this.#isAhead !== isAhead && this.frame === frame - 1;
    this.#isAhead = isAhead;
    // Other archetypes change sides only where prediction ends or begins anew, and nothing may glide across that [P7].
    this.#was =
      changes && this.#plan.archetype.islands
        ? { ...this.pose, values: this.pose.values.slice() }
        : undefined;
  }

  /** Afterwards: what was drawn before glides to where it is drawn now, instead of jumping. */
  glide(elapsedMs: number): void {
    const { smooth } = this.#plan;
    const { values, jumps } = this.pose;
    if (this.#was) {
      const [was, is] = [this.#was.values, values].map((from) =>
        smooth.map(({ index }) => from[index] as number),
      );
      this.#offset ??= new VisualOffset(this.#plan, TURN_HALF_LIFE_MS);
      this.#offset.keep(was as number[], is as number[], this.#was.jumps !== jumps);
    } else this.#offset?.decay(elapsedMs);
    if (!this.#offset) return;
    for (let i = 0; i < smooth.length; i++) {
      const { index } = smooth[i] as FlatField;
      values[index] = (values[index] as number) + (this.#offset.values[i] as number);
    }
  }

  /** Writes `pose` into the page's object. */
  write(seat: number): void {
    const { pose } = this;
    const { archetype } = this.#plan;
    this.#facts.owner = pose.owner as SeatId | 0;
    this.#facts.own = seat !== 0 && pose.owner === seat;
    this.#facts.stalled = pose.stalled;
    for (let i = 0; i < archetype.fields.length; i++) {
      const field = archetype.fields[i] as FlatField;
      (this.#fragments[field.fragment] as Fields)[field.name] = shownValue(field, pose.values[i] as number);
    }
    const target = this.entity as unknown as Record<string, Fields | undefined>;
    for (let position = 0; position < archetype.fragments.length; position++) {
      const present = (pose.presence & (1 << position)) !== 0;
      target[archetype.fragments[position] as string] = present ? this.#fragments[position] : undefined;
    }
  }
}
