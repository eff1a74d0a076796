import type { QuantisedState } from "./quantised.ts";
import type { CompiledArchetype, CompiledSchema } from "./schema.ts";

/** *Default* time that samples are kept, in seconds. */
const KEPT_S = 1.6;

/** An entity at one tick: a row of a known state. */
export interface Sample {
  readonly tick: number;
  readonly state: QuantisedState;
  readonly row: number;
}

/** One life of one entity (id and epoch) as the room has told it, in tick order whatever the arrival [V5]. */
export class EntityHistory {
  readonly id: number;
  readonly epoch: number;
  readonly archetype: CompiledArchetype;
  /** Shown from this tick on; minus infinity if it was there before we came. */
  readonly bornTick: number;
  /** Gone from this tick on. */
  goneTick = Number.POSITIVE_INFINITY;
  samples: Sample[] = [];

  constructor(id: number, epoch: number, archetype: CompiledArchetype, bornTick: number) {
    this.id = id;
    this.epoch = epoch;
    this.archetype = archetype;
    this.bornTick = bornTick;
  }

  get newest(): Sample {
    return this.samples[this.samples.length - 1] as Sample;
  }

  /** A second sample of a tick replaces the first. Those that nothing after `oldestTick` needs are forgotten. */
  insert(sample: Sample, oldestTick: number): void {
    let at = this.samples.length;
    while (at > 0 && (this.samples[at - 1] as Sample).tick >= sample.tick) at--;
    const replaces = this.samples[at]?.tick === sample.tick;
    this.samples.splice(at, replaces ? 1 : 0, sample);
    while ((this.samples[1]?.tick ?? Number.POSITIVE_INFINITY) <= oldestTick) this.samples.shift();
    if (sample.tick >= this.goneTick) this.goneTick = Number.POSITIVE_INFINITY;
  }

  /** The newest sample at or before a tick, or the oldest there is; and the one after it. */
  around(tick: number): { readonly from: Sample; readonly to: Sample | undefined } {
    let at = this.samples.length - 1;
    while (at > 0 && (this.samples[at] as Sample).tick > tick) at--;
    return { from: this.samples[at] as Sample, to: this.samples[at + 1] };
  }
}

/** The histories of all entities that were alive recently. */
export class Histories {
  readonly #schema: CompiledSchema;
  readonly #lives = new Map<number, EntityHistory>();
  readonly #keptTicks: number;
  #newestTick = -1;

  /** @param keptTicks how long samples are kept */
  constructor(schema: CompiledSchema, keptTicks = Math.ceil(KEPT_S * schema.tickRate)) {
    this.#schema = schema;
    this.#keptTicks = keptTicks;
  }

  /** Tick of the newest state, -1 before the first. */
  get newestTick(): number {
    return this.#newestTick;
  }

  lives(): Iterable<EntityHistory> {
    return this.#lives.values();
  }

  /** Takes in a whole state of the room. */
  insert(state: QuantisedState): void {
    const isFirst = this.#newestTick < 0;
    const isNewest = state.tick > this.#newestTick;
    for (let row = 0; row < state.count; row++) {
      const id = state.ids[row] as number;
      const epoch = state.epochs[row] as number;
      const key = lifeKey(id, epoch);
      let life = this.#lives.get(key);
      if (!life) {
        const archetype = this.#schema.archetypes[state.archetypes[row] as number] as CompiledArchetype;
        life = new EntityHistory(id, epoch, archetype, isFirst ? Number.NEGATIVE_INFINITY : state.tick);
        this.#lives.set(key, life);
      }
      life.insert({ tick: state.tick, state, row }, Math.max(this.#newestTick, state.tick) - this.#keptTicks);
    }
    if (!isNewest) return;
    this.#newestTick = state.tick;
    for (const life of this.#lives.values()) {
      if (life.newest.tick < state.tick) life.goneTick = Math.min(life.goneTick, state.tick);
    }
    // A page in the background draws nothing, but must not collect the dead of hours.
    this.forgetGone(state.tick - 10 * this.#schema.tickRate);
  }

  /** A new incarnation runs the ticks from `tick` on again: what the old one said of them is void [V5]. */
  discardFrom(tick: number): void {
    this.#newestTick = Math.min(this.#newestTick, tick - 1);
    for (const [key, life] of this.#lives) {
      life.samples = life.samples.filter((sample) => sample.tick < tick);
      if (life.goneTick >= tick) life.goneTick = Number.POSITIVE_INFINITY;
      if (life.samples.length === 0) this.#lives.delete(key);
    }
  }

  /** Forgets the lives that ended before what is shown. */
  forgetGone(shownTick: number): void {
    for (const [key, life] of this.#lives) if (life.goneTick <= shownTick) this.#lives.delete(key);
  }
}

/** One number for an id and its epoch. */
export function lifeKey(id: number, epoch: number): number {
  return epoch * 0x10000 + id;
}
