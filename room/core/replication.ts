import {
  type ExactRow,
  encodeEntities,
  MotionWriter,
  type PackedSection,
  packSection,
} from "../../protocol/index.ts";
import {
  CELL_EPOCH,
  CELL_OWNER,
  CELL_PRESENCE,
  type CompiledSchema,
  type GameShape,
  HEADER_CELLS,
  QuantisedState,
  type RoomWorld,
  type SeatId,
} from "../../sim/index.ts";

/** One boundary in the form that clients get. Shared sections are made once per distinct base [R4]. */
export class BoundaryView<S extends GameShape> {
  readonly state: QuantisedState;
  readonly #schema: CompiledSchema;
  readonly #world: RoomWorld<S>;
  readonly #shared = new Map<QuantisedState, PackedSection>();
  readonly #motion: MotionWriter;
  #keyframe: PackedSection | undefined;

  constructor(world: RoomWorld<S>, motion = new MotionWriter(world.game.schema)) {
    this.#motion = motion;
    this.#world = world;
    this.#schema = world.game.schema;
    this.state = world.quantise();
  }

  /** Everything, for a client that holds nothing. */
  keyframe(): PackedSection {
    this.#keyframe ??= packSection(
      encodeEntities(this.#schema, QuantisedState.empty(), this.state, this.#motion),
    );
    return this.#keyframe;
  }

  /** What changed since `base`, which the client holds: the last boundary that it was sent [R3]. */
  differenceTo(base: QuantisedState): PackedSection {
    let bytes = this.#shared.get(base);
    if (!bytes) {
      bytes = packSection(encodeEntities(this.#schema, base, this.state, this.#motion));
      this.#shared.set(base, bytes);
    }
    return bytes;
  }

  /** What the seat's client predicts, exactly, so that its prediction restarts without a rounding error. */
  ownRows(seat: SeatId): ExactRow[] {
    const rows: ExactRow[] = [];
    for (const id of this.#world.predictedBy(seat)) {
      const row = this.#world.rowOf(id);
      if (!row) continue;
      const { archetype, cells } = row;
      rows.push({
        id,
        epoch: cells[CELL_EPOCH] as number,
        archetype,
        owner: cells[CELL_OWNER] as number,
        presence: cells[CELL_PRESENCE] as number,
        // A copy: the next window writes over the row, and the next snapshot is a difference against this one.
        cells: cells.slice(HEADER_CELLS),
      });
    }
    return rows;
  }
}
