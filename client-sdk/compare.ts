import type { FlatField, QuantisedState } from "../sim/index.ts";
import { angleDifference, isReal, quantise } from "../sim/index.ts";
import type { FieldPlan } from "./field-plan.ts";
import type { RowSet } from "./row-set.ts";

/** A row of a set. */
export interface RowAt {
  readonly set: RowSet;
  readonly row: number;
}

/**
 * Whether a prediction needs no correction: same entity, every rollback field within its tolerance [P4].
 * @param named false when only one of them has the id that the room has given it
 */
export function withinTolerance(plan: FieldPlan, a: RowAt, b: RowAt, named = true): boolean {
  if (named && a.set.epoch(a.row) !== b.set.epoch(b.row)) return false;
  if (!sameStructure(plan, a, b)) return false;
  const presence = a.set.presence(a.row);
  for (const field of plan.exact) {
    if (has(presence, field) && !equalCells(field, a, b)) return false;
  }
  for (const vector of plan.vectors) {
    let sum = 0;
    for (const field of vector) {
      if (!has(presence, field)) continue;
      const error = difference(field, a, b) / field.tolerance;
      sum += error * error;
    }
    // Written so that a NaN on one side is out of tolerance.
    if (!(sum <= 1)) return false;
  }
  return true;
}

function sameStructure({ archetype }: FieldPlan, a: RowAt, b: RowAt): boolean {
  for (let cell = archetype.tail; cell < archetype.stride; cell++) {
    if (a.set.u32[a.set.start(a.row) + cell] !== b.set.u32[b.set.start(b.row) + cell]) return false;
  }
  return (
    a.set.archetype(a.row) === b.set.archetype(b.row) &&
    a.set.owner(a.row) === b.set.owner(b.row) &&
    a.set.presence(a.row) === b.set.presence(b.row)
  );
}

function has(presence: number, field: FlatField): boolean {
  return (presence & (1 << field.fragment)) !== 0;
}

function equalCells(field: FlatField, a: RowAt, b: RowAt): boolean {
  const i = a.set.start(a.row) + field.cell;
  const j = b.set.start(b.row) + field.cell;
  // 0 and -0 are the same place, though not the same bits.
  return a.set.u32[i] === b.set.u32[j] || (isReal(field) && a.set.f32[i] === b.set.f32[j]);
}

function difference(field: FlatField, a: RowAt, b: RowAt): number {
  const x = a.set.f32[a.set.start(a.row) + field.cell] as number;
  const y = b.set.f32[b.set.start(b.row) + field.cell] as number;
  return field.kind === "angle" ? angleDifference(x, y) : x - y;
}

/** How far apart an entity is in two states, in position units. */
export function distance(plan: FieldPlan, a: RowAt, b: RowAt): number {
  let sum = 0;
  for (const field of plan.archetype.place) {
    const apart = difference(field, a, b);
    if (Number.isFinite(apart)) sum += apart * apart;
  }
  return Math.sqrt(sum);
}

/** Whether an external entity is predicted exactly as the room has it: both are on the wire's grid. */
export function equalsQuantised(plan: FieldPlan, at: RowAt, state: QuantisedState, row: number): boolean {
  const { set } = at;
  if (set.epoch(at.row) !== state.epochs[row] || set.archetype(at.row) !== state.archetypes[row])
    return false;
  if (set.jumps(plan, at.row) !== state.jumps[row]) return false;
  if (set.presence(at.row) !== state.presence[row] || set.owner(at.row) !== state.owners[row]) return false;
  const start = set.start(at.row);
  const offset = state.offsets[row] as number;
  for (const field of plan.archetype.fields) {
    if (!has(set.presence(at.row), field)) continue;
    const cell = start + field.cell;
    const quanta = isReal(field) ? quantise(field, set.f32[cell] as number) : (set.u32[cell] as number) | 0;
    if (quanta !== state.values[offset + field.index]) return false;
  }
  return true;
}

/** What a replay changed in the present, over those of some entities that were there before and after. */
export function changeOf(
  plans: readonly FieldPlan[],
  entities: RowSet,
  before: RowSet,
  after: RowSet,
): { changed: boolean; distance: number } {
  let changed = false;
  let moved = 0;
  for (let row = 0; row < entities.count; row++) {
    const plan = plans[entities.archetype(row)] as FieldPlan;
    const rows = [before, after].map((set) => {
      const named = set.find(entities.id(row));
      const isSame = named >= 0 && set.epoch(named) === entities.epoch(row);
      return { set, row: isSame ? named : set.findSpawned(entities, row, plan) };
    });
    const [was, is] = rows as [RowAt, RowAt];
    if (was.row < 0 || is.row < 0 || withinTolerance(plan, was, is, false)) continue;
    changed = true;
    moved = Math.max(moved, distance(plan, was, is));
  }
  return { changed, distance: moved };
}
