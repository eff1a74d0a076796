import type { CompiledArchetype, CompiledSchema, FlatField } from "../sim/index.ts";

/** How one archetype's fields are compared, smoothed and measured; worked out once per game. */
export interface FieldPlan {
  readonly archetype: CompiledArchetype;
  /** Fields whose errors count together, as a vector: each position, each velocity. Only rollback fields. */
  readonly vectors: readonly (readonly FlatField[])[];
  /** Rollback fields that must be equal to the bit. */
  readonly exact: readonly FlatField[];
  /** Fields that prediction doesn't compute: the server's value always counts. */
  readonly given: readonly FlatField[];
  /** Fields in which a correction is shown gradually. */
  readonly smooth: readonly FlatField[];
  /** Fields that make up the place of the entity, for distances. */
  readonly place: readonly FlatField[];
}

export function fieldPlans(schema: CompiledSchema): readonly FieldPlan[] {
  return schema.archetypes.map(planOf);
}

function planOf(archetype: CompiledArchetype): FieldPlan {
  const { fields } = archetype;
  const rollback = fields.filter((field) => field.rollback);
  const tolerant = rollback.filter((field) => field.tolerance > 0);
  const smooth = fields.filter(
    (field) => isReal(field) && field.interpolation !== "step" && field.rateOf < 0,
  );
  const rated = smooth.filter((field) => field.kind === "num" && field.rate >= 0);
  const place = rated.length > 0 ? rated : smooth.filter((field) => field.kind === "num");
  return {
    archetype,
    vectors: vectorsOf(archetype, tolerant),
    exact: rollback.filter((field) => field.tolerance <= 0),
    given: fields.filter((field) => !field.rollback),
    smooth,
    place,
  };
}

/**
 * Groups fields by what they measure: a position is off by the length of its error, not by the larger of x
 * and y. The fields of a fragment that have a rate are one position, their rates one velocity.
 */
function vectorsOf(archetype: CompiledArchetype, tolerant: readonly FlatField[]): FlatField[][] {
  const groups = new Map<string, FlatField[]>();
  for (const field of tolerant) {
    const key = vectorKey(archetype, field);
    const group = groups.get(key);
    if (group) group.push(field);
    else groups.set(key, [field]);
  }
  return [...groups.values()];
}

function vectorKey({ fields }: CompiledArchetype, field: FlatField): string {
  if (field.kind !== "num") return field.path;
  const position = fields[field.rateOf];
  if (position?.kind === "num") return `velocity of ${position.fragmentName}`;
  return field.rate >= 0 ? `position of ${field.fragmentName}` : field.path;
}

export function isReal(field: FlatField): boolean {
  return field.kind === "num" || field.kind === "angle";
}

const TURN = 2 * Math.PI;

/** The difference of two angles, the short way round: in (-π, π]. */
export function angleDifference(a: number, b: number): number {
  const difference = (a - b) % TURN;
  if (difference > Math.PI) return difference - TURN;
  return difference <= -Math.PI ? difference + TURN : difference;
}
