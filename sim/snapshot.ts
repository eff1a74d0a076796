import { quantise } from "./quantise.ts";
import { QuantisedState } from "./quantised.ts";
import { CELL_EPOCH, CELL_OWNER, CELL_PRESENCE, DOOMED_BIT, jumpsOf } from "./schema.ts";
import type { Structure } from "./structure.ts";
import type { Table } from "./table.ts";

/** Quantises every entity, in id order. */
export function quantiseWorld(structure: Structure, tick: number, into?: QuantisedState): QuantisedState {
  const state = into ?? emptyFor(structure, tick);
  // One that is given keeps its memory.
  state.tick = tick;
  state.count = 0;
  state.valueCount = 0;
  const ids = Uint16Array.from(structure.places.keys()).sort();
  for (const id of ids) {
    const place = structure.places.get(id);
    if (!place) continue;
    const table = structure.tables[place.table] as Table;
    const base = place.row * table.stride;
    const presence = ((table.u32[base + CELL_PRESENCE] as number) & ~DOOMED_BIT) >>> 0;
    const offset = state.reserve(
      id,
      table.u32[base + CELL_EPOCH] as number,
      place.table,
      table.u32[base + CELL_OWNER] as number,
      presence,
      table.archetype.fields.length,
      jumpsOf(table.u32[base + table.archetype.tail] as number),
    );
    quantiseRow(table, base, presence, state.values, offset);
  }
  return state;
}

/** Memory for all of it at once: growing would copy every value several times. */
function emptyFor({ places, tables }: Structure, tick: number): QuantisedState {
  const fields = Math.max(1, ...tables.map(({ archetype }) => archetype.fields.length));
  return new QuantisedState(tick, places.size + 1, places.size * fields + 1);
}

function quantiseRow(table: Table, base: number, presence: number, values: Int32Array, offset: number): void {
  for (const field of table.archetype.fields) {
    let quanta = 0;
    if (presence & (1 << field.fragment)) {
      const isReal = field.kind === "num" || field.kind === "angle";
      quanta = isReal
        ? quantise(field, table.f32[base + field.cell] as number)
        : (table.i32[base + field.cell] as number);
    }
    values[offset + field.index] = quanta;
  }
}
