import type { CompiledArchetype, FlatField, NetId, SeatId } from "../sim/index.ts";
import type { Pose } from "./interpolate.ts";
import type { ViewEntityBase } from "./types.ts";

type Fields = Record<string, number | boolean | string>;

/** What a page reads of an entity; one object per entity, written anew in each frame. */
export class ViewObject {
  readonly entity: ViewEntityBase;
  readonly archetype: CompiledArchetype;
  readonly pose: Pose;
  /** The frame in which it was last written. */
  frame = -1;
  readonly #facts: { owner: SeatId | 0; own: boolean; stalled: boolean };
  readonly #fragments: readonly Fields[];

  constructor(id: number, epoch: number, archetype: CompiledArchetype) {
    this.archetype = archetype;
    this.pose = { values: new Float64Array(archetype.fields.length), presence: 0, owner: 0, stalled: false };
    this.#fragments = archetype.fragments.map(() => ({}));
    const entity: ViewEntityBase & Record<string, unknown> = {
      id: id as NetId,
      epoch,
      archetype: archetype.name,
      owner: 0,
      own: false,
      stalled: false,
    };
    this.entity = entity;
    this.#facts = entity as unknown as { owner: SeatId | 0; own: boolean; stalled: boolean };
  }

  /** Writes `pose` into the page's object. */
  write(seat: number): void {
    const { pose, archetype } = this;
    this.#facts.owner = pose.owner as SeatId | 0;
    this.#facts.own = seat !== 0 && pose.owner === seat;
    this.#facts.stalled = pose.stalled;
    for (let i = 0; i < archetype.fields.length; i++) {
      const field = archetype.fields[i] as FlatField;
      (this.#fragments[field.fragment] as Fields)[field.name] = shown(field, pose.values[i] as number);
    }
    const target = this.entity as unknown as Record<string, Fields | undefined>;
    for (let position = 0; position < archetype.fragments.length; position++) {
      const present = (pose.presence & (1 << position)) !== 0;
      target[archetype.fragments[position] as string] = present ? this.#fragments[position] : undefined;
    }
  }
}

function shown(field: FlatField, value: number): number | boolean | string {
  switch (field.kind) {
    case "flag":
      return value !== 0;
    case "oneOf":
      return field.values[value] ?? "";
    case "ref":
      return value >>> 0;
    default:
      return value;
  }
}
