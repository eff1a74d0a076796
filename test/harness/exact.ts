import type { PredictedState } from "../../client-sdk/index.ts";
import type { GameShape, RoomWorld } from "../../sim/index.ts";
import {
  CELL_EPOCH,
  CELL_ID,
  CELL_OWNER,
  CELL_PRESENCE,
  type CompiledSchema,
  HEADER_CELLS,
  predictorOf,
} from "../../sim/index.ts";

/** An entity to the bit, at one tick. Two of them are equal (`toEqual`) only if every cell is. */
export interface ExactEntity {
  readonly tick: number;
  readonly id: number;
  readonly epoch: number;
  readonly archetype: string;
  readonly owner: number;
  /** Bit per fragment of its archetype. */
  readonly presence: number;
  /** Values by path, such as `transform.x`. Numbers and angles are exact float32. */
  readonly values: Readonly<Record<string, number>>;
  /** The raw cells of its fields. */
  readonly cells: readonly number[];
}

interface Row {
  readonly id: number;
  readonly epoch: number;
  readonly archetype: number;
  readonly owner: number;
  readonly presence: number;
  readonly cells: Uint32Array;
}

/** What a seat's client predicts, in the room's world. */
export function entitiesInRoom<S extends GameShape>(world: RoomWorld<S>, seat: number): ExactEntity[] {
  const { schema } = world.game;
  const rows: ExactEntity[] = [];
  for (const id of world.predictedBy(seat)) {
    const row = world.rowOf(id);
    if (!row) continue;
    const { archetype, cells } = row;
    const [epoch, owner, presence] = [cells[CELL_EPOCH], cells[CELL_OWNER], cells[CELL_PRESENCE]] as number[];
    rows.push(
      exact(
        schema,
        {
          id: cells[CELL_ID] as number,
          epoch: epoch as number,
          archetype,
          owner: owner as number,
          presence: presence as number,
          cells: cells.subarray(HEADER_CELLS),
        },
        world.tick,
      ),
    );
  }
  return rows.sort((a, b) => a.id - b.id);
}

/** The same entities as a client predicted them. */
export function entitiesPredicted(
  schema: CompiledSchema,
  state: PredictedState,
  seat: number,
): ExactEntity[] {
  return state.rows
    .filter((row) => {
      const archetype = schema.archetypes[row.archetype];
      const tail = archetype && row.cells[archetype.tail - HEADER_CELLS];
      return archetype && tail !== undefined && predictorOf(archetype, row.owner, tail) === seat;
    })
    .map((row) => exact(schema, row, state.tick))
    .sort((a, b) => a.id - b.id);
}

/** Cells in which two sets of entities differ, in words; empty when there is none. */
export function differences(room: readonly ExactEntity[], client: readonly ExactEntity[]): string[] {
  const found: string[] = [];
  const ids = new Set([...room, ...client].map(({ id }) => id));
  for (const id of ids) {
    const ours = room.find((entity) => entity.id === id);
    const theirs = client.find((entity) => entity.id === id);
    if (!ours || !theirs) {
      found.push(`entity ${id} exists only ${ours ? "in the room" : "in the prediction"}`);
      continue;
    }
    for (const key of ["tick", "epoch", "owner", "presence"] as const) {
      if (ours[key] !== theirs[key]) found.push(`${key} of entity ${id}: ${ours[key]} is ${theirs[key]}`);
    }
    for (const [at, path] of Object.keys(ours.values).entries()) {
      if (ours.cells[at] === theirs.cells[at]) continue;
      found.push(`${path} of entity ${id}: ${ours.values[path]} is ${theirs.values[path]}`);
    }
  }
  return found;
}

function exact(schema: CompiledSchema, row: Row, tick: number): ExactEntity {
  const archetype = schema.archetypes[row.archetype];
  if (!archetype) throw new RangeError(`there is no archetype number ${row.archetype}`);
  const copy = row.cells.slice();
  const reals = new Float32Array(copy.buffer);
  const values: Record<string, number> = {};
  const cells: number[] = [];
  for (const field of archetype.fields) {
    const at = field.cell - HEADER_CELLS;
    const real = field.kind === "num" || field.kind === "angle";
    values[field.path] = real ? (reals[at] as number) : (copy[at] as number) | 0;
    cells.push(copy[at] as number);
  }
  const { id, epoch, owner, presence } = row;
  return { tick, id, epoch, archetype: archetype.name, owner, presence, values, cells };
}
