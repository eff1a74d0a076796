import type { ExactRow } from "../protocol/index.ts";
import type { QuantisedState, World } from "../sim/index.ts";
import {
  CELL_EPOCH,
  CELL_ID,
  CELL_OWNER,
  CELL_PRESENCE,
  dequantise,
  HEADER_CELLS,
  isReal,
  jumpsOf,
} from "../sim/index.ts";
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

  /** The row that the same action has spawned as that of another set, or -1. */
  findSpawned(other: RowSet, row: number, { archetype }: FieldPlan): number {
    if (!archetype.predicted) return -1;
    const from = other.start(row) + archetype.tail;
    if (other.u32[from + 1] === 0) return -1;
    for (let mine = 0; mine < this.count; mine++) {
      if (this.archetype(mine) !== archetype.index) continue;
      const at = this.start(mine) + archetype.tail;
      const same =
        this.u32[at + 1] === other.u32[from + 1] &&
        this.u32[at + 2] === other.u32[from + 2] &&
        (this.u32[at] as number) >>> 8 === (other.u32[from] as number) >>> 8;
      if (same) return mine;
    }
    return -1;
  }

  /** Gives a row the id and epoch that the room has given it. */
  rename(from: number, id: number, epoch: number): void {
    const row = this.find(from);
    if (row < 0) return;
    this.u32[this.start(row) + CELL_ID] = id;
    this.u32[this.start(row) + CELL_EPOCH] = epoch;
  }

  /** Appends a whole row of `length` cells, header included, that begins at `from`. */
  readonly add = (archetype: number, cells: Uint32Array, from: number, length: number): void => {
    const start = this.#reserve(archetype, length);
    for (let i = 0; i < length; i++) this.u32[start + i] = cells[from + i] as number;
  };

  addQuantised({ archetype }: FieldPlan, state: QuantisedState, row: number): void {
    const start = this.#reserve(archetype.index, archetype.stride);
    this.u32.fill(0, start, start + archetype.stride);
    this.u32[start + CELL_ID] = state.ids[row] as number;
    this.u32[start + CELL_EPOCH] = state.epochs[row] as number;
    this.u32[start + CELL_OWNER] = state.owners[row] as number;
    this.u32[start + CELL_PRESENCE] = state.presence[row] as number;
    this.u32[start + archetype.tail] = state.jumps[row] as number;
    for (const field of archetype.fields) {
      const quanta = state.values[(state.offsets[row] as number) + field.index] as number;
      if (isReal(field)) this.f32[start + field.cell] = dequantise(field, quanta);
      else this.u32[start + field.cell] = quanta;
    }
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
  capture(world: Pick<World, "eachRow">): void {
    this.clear();
    world.eachRow(this.add);
  }

  copyFrom(other: RowSet): void {
    this.clear();
    for (let row = 0; row < other.count; row++) {
      this.add(other.archetype(row), other.u32, other.start(row), other.end(row) - other.start(row));
    }
  }

  /** Where a row ends. */
  end(row: number): number {
    return row + 1 < this.count ? this.start(row + 1) : this.#used;
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
