import { cellOfQuanta } from "./entity.ts";
import type { QuantisedState } from "./quantised.ts";
import { CELL_EPOCH, CELL_ID, CELL_OWNER, CELL_PRESENCE, HEADER_CELLS } from "./schema.ts";
import type { Structure } from "./structure.ts";
import type { Table } from "./table.ts";

// What client worlds do to entities besides simulating them: everything takes effect at once.

/** Takes a row: its archetype, and where its `length` cells begin. */
export type RowVisitor = (archetype: number, cells: Uint32Array, at: number, length: number) => void;

/** Shows every row, header included, archetype by archetype. */
export function eachRow({ tables }: Structure, visit: RowVisitor): void {
  for (let index = 0; index < tables.length; index++) {
    const { u32, stride, rowCount } = tables[index] as Table;
    for (let at = 0; at < rowCount * stride; at += stride) {
      if (u32[at + CELL_ID] !== 0) visit(index, u32, at, stride);
    }
  }
}

/** Puts an entity in, or overwrites it. `cells`: of its fields and its tail. */
export function putRow(
  structure: Structure,
  id: number,
  epoch: number,
  archetype: number,
  owner: number,
  presence: number,
  cells: Uint32Array,
): void {
  structure.upsert(id, epoch, archetype, owner, presence);
  const { table, base } = rowAt(structure, id);
  table.u32.set(cells, base + HEADER_CELLS);
}

/** Puts an entity in, or overwrites it, from quantised values. */
export function putQuantisedRow(
  structure: Structure,
  state: QuantisedState,
  row: number,
  scratch: Float32Array,
): void {
  const id = state.ids[row] as number;
  const [epoch, owner] = [state.epochs[row] as number, state.owners[row] as number];
  structure.upsert(id, epoch, state.archetypes[row] as number, owner, state.presence[row] as number);
  const { table, base } = rowAt(structure, id);
  const { fields, tail } = table.archetype;
  table.u32[base + tail] = state.jumps[row] as number;
  const offset = state.offsets[row] as number;
  for (const field of fields) {
    const quanta = state.values[offset + field.index] as number;
    table.u32[base + field.cell] = cellOfQuanta(field, quanta, scratch);
  }
}

/** What an entity's fields are to be: numbers and angles in their units, the rest as their cells. */
export interface RowPose {
  readonly values: ArrayLike<number>;
  readonly presence: number;
  readonly owner: number;
  readonly jumps: number;
}

/** Overwrites the fields of an entity that is there. */
export function poseRow(structure: Structure, id: number, pose: RowPose): void {
  const { table, base } = rowAt(structure, id);
  const { fields, tail } = table.archetype;
  table.u32[base + CELL_OWNER] = pose.owner;
  table.u32[base + CELL_PRESENCE] = pose.presence;
  table.u32[base + tail] = pose.jumps;
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i] as (typeof fields)[number];
    const cells = field.kind === "num" || field.kind === "angle" ? table.f32 : table.i32;
    cells[base + field.cell] = pose.values[i] as number;
  }
}

/** Gives an entity the id and epoch that the room has given it. */
export function renameRow(structure: Structure, from: number, id: number, epoch: number): void {
  const { table, base } = rowAt(structure, from);
  structure.remove(id, false);
  table.u32[base + CELL_ID] = id;
  table.u32[base + CELL_EPOCH] = epoch;
  structure.moved(from, id);
}

function rowAt(structure: Structure, id: number): { table: Table; base: number } {
  const place = structure.places.get(id);
  if (!place) throw new RangeError(`there is no entity ${id}`);
  const table = structure.tables[place.table] as Table;
  return { table, base: place.row * table.stride };
}
