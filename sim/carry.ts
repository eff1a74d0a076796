import {
  CELL_EPOCH,
  CELL_ID,
  CELL_OWNER,
  CELL_PRESENCE,
  type CompiledArchetype,
  type FlatField,
  jumpsOf,
} from "./schema.ts";
import type { Structure } from "./structure.ts";
import type { Table } from "./table.ts";

/**
 * Takes all entities over from the structure of another definition of the same game, which finds its archetypes,
 * fragments, fields and values again by their names. Ids and epochs stay, so that references go on meaning what they
 * did. What the new definition doesn't have is left behind; what the old one didn't have gets its default.
 */
export function carryStructure(from: Structure, into: Structure): void {
  into.epochs = [...from.epochs];
  into.freeIds = [...from.freeIds];
  for (const table of from.tables) {
    const archetype = into.schema.archetypes.find(({ name }) => name === table.archetype.name);
    for (let row = 0; row < table.rowCount; row++) {
      const id = table.idAt(row);
      if (id === 0) continue;
      if (archetype) carryRow(table, row, into, archetype);
      // Its id rests, and the next entity under it has another epoch.
      else into.freeIds.push(id);
    }
  }
}

function carryRow(from: Table, row: number, into: Structure, archetype: CompiledArchetype): void {
  const base = row * from.stride;
  const [id, epoch, owner, presence] = [CELL_ID, CELL_EPOCH, CELL_OWNER, CELL_PRESENCE].map(
    (cell) => from.u32[base + cell] as number,
  ) as [number, number, number, number];
  const has = (index: number) => index >= 0 && (presence & (1 << index)) !== 0;
  let mask = archetype.requiredMask;
  for (const [i, name] of archetype.fragments.entries()) {
    if (has(from.archetype.fragments.indexOf(name))) mask |= 1 << i;
  }
  into.insert(id, epoch, archetype.index, owner, mask);
  const table = into.tables[archetype.index] as Table;
  const to = (into.places.get(id)?.row ?? 0) * table.stride;
  for (const field of archetype.fields) {
    const old = from.archetype.fields.find(({ path }) => path === field.path);
    if (old && has(old.fragment)) carryCell(from, base, old, table, to, field);
  }
  carryTail(from, base, table, to);
}

/** Teleports mean the same everywhere; what is kept beside them only where the same side predicts the entity. */
function carryTail(from: Table, base: number, into: Table, to: number): void {
  const [old, now] = [from.archetype, into.archetype];
  const same = old.predicted === now.predicted && old.islands === now.islands;
  const words = from.u32.subarray(base + old.tail, base + from.stride);
  if (same) into.u32.set(words, to + now.tail);
  else into.u32[to + now.tail] = jumpsOf(words[0] as number);
}

function carryCell(
  from: Table,
  base: number,
  old: FlatField,
  into: Table,
  to: number,
  field: FlatField,
): void {
  const value = (isFloat(old) ? from.f32 : from.i32)[base + old.cell] as number;
  const at = to + field.cell;
  if (field.kind === "oneOf" || old.kind === "oneOf") {
    const index = field.kind === old.kind ? field.values.indexOf(old.values[value] ?? "") : -1;
    if (index >= 0) into.i32[at] = index;
  } else if (isFloat(field)) into.f32[at] = value;
  else if (!isFloat(old)) into.i32[at] = value;
  else if (Number.isFinite(value)) into.i32[at] = Math.round(value);
}

function isFloat({ kind }: FlatField): boolean {
  return kind === "num" || kind === "angle";
}
