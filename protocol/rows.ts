import type { CompiledSchema } from "../sim/index.ts";
import { BitReader, CodeWriter, unzigzag, zigzag } from "./bits.ts";
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

const NONE: readonly ExactRow[] = [];

/**
 * Rows as a difference against those that the reader has: of one that was there before only its changed cells travel,
 * as differences of their bit patterns, which are small for floats that are close to each other.
 */
export function encodeRows(
  rows: readonly ExactRow[],
  base: readonly ExactRow[] = NONE,
): Uint8Array<ArrayBuffer> {
  const writer = new CodeWriter(64);
  for (const row of rows) {
    const known = base.findIndex((before) => sameHeader(before, row));
    writer.writeGamma(known + 1);
    if (known < 0) writeHeader(writer, row);
    const cells = base[known]?.cells;
    for (let i = 0; i < row.cells.length; i++) {
      const change = zigzag(((row.cells[i] as number) - (cells?.[i] ?? 0)) | 0);
      writer.write(change === 0 ? 0 : 1, 1);
      if (change !== 0) writer.writeSized(change);
    }
    writer.write(row === rows.at(-1) ? 0 : 1, 1);
  }
  return writer.finish();
}

function sameHeader(a: ExactRow, b: ExactRow): boolean {
  return (
    a.id === b.id &&
    a.epoch === b.epoch &&
    a.archetype === b.archetype &&
    a.owner === b.owner &&
    a.presence === b.presence
  );
}

function writeHeader(writer: CodeWriter, row: ExactRow): void {
  writer.write(row.id, 16);
  writer.writeSized(row.epoch);
  writer.write(row.archetype, 8);
  writer.writeGamma(row.owner);
  writer.write(row.presence, 32);
}

/** Undoes `encodeRows`, against the same base. The archetype says how many cells a row has. */
export function decodeRows(
  schema: CompiledSchema,
  bytes: Uint8Array,
  base: readonly ExactRow[] = NONE,
): ExactRow[] {
  const reader = new BitReader(bytes);
  const rows: ExactRow[] = [];
  for (let more = bytes.length > 0 ? 1 : 0; more === 1; more = reader.read(1)) {
    const known = reader.readGamma();
    const before = base[known - 1];
    if (known > 0 && !before) throw new WireError("wrong-base", `row ${known} of ${base.length}`);
    const row = before ?? readHeader(reader, schema);
    const cells = row.cells.slice();
    for (let i = 0; i < cells.length; i++) {
      if (reader.read(1) === 1) cells[i] = (cells[i] as number) + unzigzag(reader.readSized());
    }
    rows.push({ ...row, cells });
  }
  reader.finish();
  return rows;
}

function readHeader(reader: BitReader, schema: CompiledSchema): ExactRow {
  const id = reader.read(16);
  const epoch = reader.readSized();
  const index = reader.read(8);
  const owner = reader.readGamma();
  const presence = reader.read(32);
  const archetype = schema.archetypes[index];
  if (id === 0 || epoch === 0 || owner > 0xffff) throw new WireError("bad-value", "a row's header");
  if (archetype === undefined) throw new WireError("bad-value", `a row of archetype ${index}`);
  if ((presence & ~archetype.optionalMask) >>> 0 !== archetype.requiredMask) {
    throw new WireError("bad-value", `row ${id} has presence ${presence}`);
  }
  const cells = new Uint32Array(archetype.fields.length + archetype.stride - archetype.tail);
  return { id, epoch, archetype: index, owner, presence, cells };
}
