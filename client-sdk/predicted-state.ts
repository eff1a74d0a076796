import type { ExactRow } from "../protocol/index.ts";
import { type GameShape, HEADER_CELLS } from "../sim/index.ts";
import type { ClientCore } from "./client-core.ts";
import type { RowSet } from "./row-set.ts";

/** One predicted state, to the bit: own entities and the externals that they read. */
export interface PredictedState {
  readonly seq: number;
  readonly tick: number;
  readonly seatRandom: number;
  readonly rows: readonly ExactRow[];
}

/**
 * The exact state predicted after one of a client's commands, from the last acknowledged one (`stats().consumed`) to the
 * newest (`pendingInputs` later): for debug panels and tests.
 */
export function predictedAfter<S extends GameShape>(
  client: ClientCore<S>,
  seq: number,
): PredictedState | undefined {
  const frame = client.frameAfter(seq);
  return frame && { seq, tick: frame.tick, seatRandom: frame.seatRandom, rows: copiesOf(frame.rows) };
}

function copiesOf(rows: RowSet): ExactRow[] {
  return Array.from({ length: rows.count }, (_, row) => ({
    id: rows.id(row),
    epoch: rows.epoch(row),
    archetype: rows.archetype(row),
    owner: rows.owner(row),
    presence: rows.presence(row),
    cells: rows.u32.slice(rows.start(row) + HEADER_CELLS, rows.end(row)),
  }));
}
