import type { ExactRow } from "../protocol/index.ts";
import type { World } from "../sim/index.ts";
import { CELL_EPOCH, CELL_ID, CELL_OWNER, CELL_PRESENCE, HEADER_CELLS, jumpsOf } from "../sim/index.ts";
import type { FieldPlan } from "./field-plan.ts";

/**
 * Copies of some entities' raw rows, one after the other in one buffer, reused from tick to tick: a frame
 * of the prediction ring costs no allocation once it has been filled for the first time.
 */
export class RowSet {
  count = 0;
  u32 = new Uint32Array(64);
  f32 = new Float32Array(this.u32.buffer);
  readonly #archetypes: number[] = [];
  readonly #starts: number[] = [];
  #used = 0;

  clear(): void {
    this.count = 0;
    this.#used = 0;
  }

  /** Where a row's header starts in `u32` and `f32`. */
  start(row: number): number {
    return this.#starts[row] as number;
  }
  archetype(row: number): number {
    return this.#archetypes[row] as number;
  }
  id(row: number): number {
    return this.u32[this.start(row) + CELL_ID] as number;
  }
  epoch(row: number): number {
    return this.u32[this.start(row) + CELL_EPOCH] as number;
  }
  owner(row: number): number {
    return this.u32[this.start(row) + CELL_OWNER] as number;
  }
  presence(row: number): number {
    return this.u32[this.start(row) + CELL_PRESENCE] as number;
  }

  /** How often it has been teleported, modulo 256. */
  jumps({ archetype }: FieldPlan, row: number): number {
    return jumpsOf(this.u32[this.start(row) + archetype.tail] as number);
  }

  find(id: number): number {
    for (let row = 0; row < this.count; row++) if (this.id(row) === id) return row;
    return -1;
  }

  /** Appends a whole row, header included. */
  add(archetype: number, cells: Uint32Array): void {
    const start = this.#reserve(archetype, cells.length);
    this.u32.set(cells, start);
  }

  addExact(exact: ExactRow): void {
    const start = this.#reserve(exact.archetype, HEADER_CELLS + exact.cells.length);
    this.u32[start + CELL_ID] = exact.id;
    this.u32[start + CELL_EPOCH] = exact.epoch;
    this.u32[start + CELL_OWNER] = exact.owner;
    this.u32[start + CELL_PRESENCE] = exact.presence;
    this.u32.set(exact.cells, start + HEADER_CELLS);
  }

  /** Replaces the contents by everything that a world holds. */
  capture(world: Pick<World, "ids" | "rowOf">): void {
    this.clear();
    for (const id of world.ids()) {
      const row = world.rowOf(id);
      if (row) this.add(row.archetype, row.cells);
    }
  }

  copyFrom(other: RowSet): void {
    this.clear();
    for (let row = 0; row < other.count; row++) this.add(other.archetype(row), other.cells(row));
  }

  /** A view of a row, header included; valid until the set changes. */
  cells(row: number): Uint32Array {
    const start = this.start(row);
    const end = row + 1 < this.count ? this.start(row + 1) : this.#used;
    return this.u32.subarray(start, end);
  }

  /** Copies of all rows, to keep. */
  exact(): ExactRow[] {
    const rows: ExactRow[] = [];
    for (let row = 0; row < this.count; row++) {
      rows.push({
        id: this.id(row),
        epoch: this.epoch(row),
        archetype: this.archetype(row),
        owner: this.owner(row),
        presence: this.presence(row),
        cells: this.cells(row).slice(HEADER_CELLS),
      });
    }
    return rows;
  }

  #reserve(archetype: number, length: number): number {
    const start = this.#used;
    if (start + length > this.u32.length) {
      const larger = new Uint32Array(Math.max(start + length, this.u32.length * 2));
      larger.set(this.u32);
      this.u32 = larger;
      this.f32 = new Float32Array(larger.buffer);
    }
    this.#archetypes[this.count] = archetype;
    this.#starts[this.count] = start;
    this.count++;
    this.#used = start + length;
    return start;
  }
}
