import type { CompiledArchetype } from "./schema.ts";
import { CELL_ID } from "./schema.ts";

/** An entity's raw cells. */
export interface EntityRow {
  /** Index of the archetype. */
  readonly archetype: number;
  /** Live view of the row, header included; valid until the world changes its entities. */
  readonly cells: Uint32Array;
}

/**
 * The rows of one archetype: 32-bit cells in one buffer, so that saving, restoring and hashing a world
 * are copies of memory. Rows never move, so that an entity object stays valid for its lifetime.
 */
export class Table {
  readonly archetype: CompiledArchetype;
  readonly stride: number;
  u32: Uint32Array;
  i32: Int32Array;
  f32: Float32Array;
  /** Rows that have ever been in use; rows beyond are zero. */
  rowCount = 0;
  /** Rows free for reuse, last freed first. Part of the saved state: it decides the order of iteration. */
  freeRows: number[] = [];
  /** True while predicted phases run: islands keep their members then. */
  isPredicting = false;

  constructor(archetype: CompiledArchetype) {
    this.archetype = archetype;
    this.stride = archetype.stride;
    this.u32 = new Uint32Array(16 * this.stride);
    this.i32 = new Int32Array(this.u32.buffer);
    this.f32 = new Float32Array(this.u32.buffer);
  }

  /** Takes a row; its cells are zero. */
  take(): number {
    const free = this.freeRows.pop();
    if (free !== undefined) return free;
    this.reserve(this.rowCount + 1);
    return this.rowCount++;
  }

  /** Gives a row back, zeroed: leftovers of a dead entity would make equal states hash differently. */
  release(row: number): void {
    this.u32.fill(0, row * this.stride, (row + 1) * this.stride);
    this.freeRows.push(row);
  }

  idAt(row: number): number {
    return this.u32[row * this.stride + CELL_ID] as number;
  }

  /** Makes room for `rows` rows. */
  reserve(rows: number): void {
    if (rows * this.stride <= this.u32.length) return;
    const larger = new Uint32Array(Math.max(rows, (this.u32.length / this.stride) * 2) * this.stride);
    larger.set(this.u32);
    this.u32 = larger;
    this.i32 = new Int32Array(larger.buffer);
    this.f32 = new Float32Array(larger.buffer);
  }
}
