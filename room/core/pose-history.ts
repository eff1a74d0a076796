import { decodeEntities, encodeEntities, type StoredPoses } from "../../protocol/index.ts";
import {
  type CompiledSchema,
  type GameShape,
  Histories,
  QuantisedState,
  type Rewind,
  rewindTo,
} from "../../sim/index.ts";

/** Poses at one boundary: as pages got them, and as they are stored. */
interface Boundary extends StoredPoses {
  readonly state: QuantisedState;
}

/**
 * Where entities that can be aimed at were at the last boundaries that pages were sent [L1]. Of what a window adds,
 * nothing counts before it is settled.
 */
export class PoseHistory<S extends GameShape> {
  readonly #schema: CompiledSchema;
  readonly #isOn: boolean;
  #histories: Histories;
  /** The oldest first. */
  #boundaries: Boundary[] = [];
  #staged: Boundary | undefined;

  constructor(schema: CompiledSchema) {
    this.#schema = schema;
    this.#isOn = schema.archetypes.some(({ rewinds }) => rewinds);
    this.#histories = new Histories(schema, schema.rewindTicks);
  }

  /** The open window ends with this state, which is only made if somebody can be aimed at. */
  stage(world: () => QuantisedState): void {
    if (!this.#isOn) return;
    const state = aimedAt(world(), this.#schema);
    const section = encodeEntities(this.#schema, QuantisedState.empty(), state);
    this.#staged = { tick: state.tick, section, state };
  }

  /** The window will be sent. */
  settle(): void {
    if (!this.#staged) return;
    this.#boundaries = this.#with(this.#staged);
    this.#histories.insert(this.#staged.state);
    this.#staged = undefined;
  }

  undo(): void {
    this.#staged = undefined;
  }

  /** After the open window, as it is stored. */
  stored(): StoredPoses[] {
    const boundaries = this.#staged ? this.#with(this.#staged) : this.#boundaries;
    return boundaries.map(({ tick, section }) => ({ tick, section }));
  }

  /** @throws WireError when they are damaged */
  restore(stored: readonly StoredPoses[]): void {
    this.#histories = new Histories(this.#schema, this.#schema.rewindTicks);
    this.#boundaries = stored.map(({ tick, section }) => {
      return { tick, section, state: decodeEntities(this.#schema, QuantisedState.empty(), section, tick) };
    });
    for (const { state } of this.#boundaries) this.#histories.insert(state);
  }

  /** The past that a page says it was showing, within the room's bounds: no guess, and not too long ago. */
  rewindTo(viewTick: number): Rewind<S> {
    const [oldest] = this.#boundaries;
    const newest = this.#histories.newestTick;
    if (!oldest || newest < 0) return rewindTo<S>(this.#histories, 0, 0);
    const bound = Math.max(oldest.tick, newest - this.#schema.rewindTicks);
    // A page that has seen nothing yet is judged by the present.
    const tick = viewTick > 0 ? Math.min(Math.max(viewTick, bound), newest) : newest;
    return rewindTo<S>(this.#histories, tick, 1 / this.#schema.tickRate);
  }

  /** Those that a rewind can still reach: the last one before its bound is needed to begin from. */
  #with(next: Boundary): Boundary[] {
    const all = [...this.#boundaries, next];
    const bound = next.tick - this.#schema.rewindTicks;
    const first = all.findLastIndex(({ tick }) => tick <= bound);
    return all.slice(Math.max(0, first));
  }
}

/** The entities of a state that the room keeps poses of. */
function aimedAt(world: QuantisedState, { archetypes }: CompiledSchema): QuantisedState {
  const state = QuantisedState.empty(world.tick);
  for (let row = 0; row < world.count; row++) {
    const archetype = archetypes[world.archetypes[row] as number];
    if (!archetype?.rewinds) continue;
    state.push(
      world.ids[row] as number,
      world.epochs[row] as number,
      archetype.index,
      world.owners[row] as number,
      world.presence[row] as number,
      world.values,
      world.offsets[row] as number,
      archetype.fields.length,
      world.jumps[row],
    );
  }
  return state;
}
