import { lifeKey } from "../sim/index.ts";
import type { FieldPlan } from "./field-plan.ts";
import type { RowSet } from "./row-set.ts";

/**
 * Names an entity for as long as it lives, also when the room gives one that prediction has spawned its own id: by
 * id and epoch, or by the event that spawned it.
 */
export type EntityKey = number | string;

export function keyOf(set: RowSet, row: number, { archetype }: FieldPlan): EntityKey {
  const at = set.start(row) + archetype.tail;
  if (!archetype.predicted || set.u32[at + 1] === 0) return lifeKey(set.id(row), set.epoch(row));
  return `${set.u32[at + 1]}/${set.u32[at + 2]}/${(set.u32[at] as number) >>> 8}`;
}
