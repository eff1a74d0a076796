import type { CompiledSchema } from "../sim/index.ts";
import { WireError } from "./errors.ts";

/** One entity, bit by bit: what prediction restarts from. */
export interface ExactRow {
  readonly id: number;
  readonly epoch: number;
  /** Index in the schema. */
  readonly archetype: number;
  readonly owner: number;
  readonly presence: number;
  /** Raw cells of its fields and of the row's tail, without its header. */
  readonly cells: Uint32Array;
}

/** Bytes in front of each row's cells: id u16, owner u16, epoch u32, presence u32, archetype u8. */
const ROW_HEADER_BYTES = 13;

export function encodeRows(rows: readonly ExactRow[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const row of rows) length += ROW_HEADER_BYTES + row.cells.length * 4;
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const row of rows) {
    view.setUint16(at, row.id, true);
    view.setUint16(at + 2, row.owner, true);
    view.setUint32(at + 4, row.epoch, true);
    view.setUint32(at + 8, row.presence, true);
    view.setUint8(at + 12, row.archetype);
    at += ROW_HEADER_BYTES;
    for (let i = 0; i < row.cells.length; i++, at += 4) view.setUint32(at, row.cells[i] as number, true);
  }
  return bytes;
}

/** Rows in the order they were encoded. Their archetype says how many cells each has, so nothing is counted. */
export function decodeRows(schema: CompiledSchema, bytes: Uint8Array): ExactRow[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rows: ExactRow[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + ROW_HEADER_BYTES > bytes.length) throw new WireError("truncated", "a row's header ends early");
    const id = view.getUint16(at, true);
    const owner = view.getUint16(at + 2, true);
    const epoch = view.getUint32(at + 4, true);
    const presence = view.getUint32(at + 8, true);
    const index = view.getUint8(at + 12);
    const archetype = schema.archetypes[index];
    if (id === 0 || epoch === 0) throw new WireError("bad-value", "a row without an id or epoch");
    if (archetype === undefined) throw new WireError("bad-value", `a row of archetype ${index}`);
    if ((presence & ~archetype.optionalMask) >>> 0 !== archetype.requiredMask) {
      throw new WireError("bad-value", `row ${id} has presence ${presence}`);
    }
    at += ROW_HEADER_BYTES;
    const cells = new Uint32Array(archetype.fields.length + archetype.stride - archetype.tail);
    if (at + cells.length * 4 > bytes.length) throw new WireError("truncated", "a row's cells end early");
    for (let i = 0; i < cells.length; i++, at += 4) cells[i] = view.getUint32(at, true);
    rows.push({ id, epoch, archetype: index, owner, presence, cells });
  }
  return rows;
}
