import { type CompiledArchetype, type CompiledSchema, type FlatField, isReal } from "../sim/index.ts";

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
  return {
    archetype,
    vectors: vectorsOf(archetype, tolerant),
    exact: rollback.filter((field) => field.tolerance <= 0),
    given: fields.filter((field) => !field.rollback),
    smooth,
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
