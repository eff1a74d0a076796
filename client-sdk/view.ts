import {
  type ArchetypeName,
  type CompiledSchema,
  type EntityHistory,
  type GameShape,
  type InterpolationTimes,
  interpolate,
  lifeKey,
  type QuantisedState,
  valueAt,
} from "../sim/index.ts";
import { type EntityKey, keyOf } from "./entity-key.ts";
import type { FieldPlan } from "./field-plan.ts";
import type { OwnDisplay, PredictedPair } from "./own-display.ts";
import type { OwnArchetype, View, ViewEntity } from "./types.ts";
import { ViewObject } from "./view-entity.ts";

/** Everything that a frame is drawn from. */
export interface ViewSources {
  readonly seat: number;
  /** Predicted entities, or undefined to show them as the room tells, like everybody else's. */
  readonly predicted: { readonly pair: PredictedPair; readonly fraction: number } | undefined;
  readonly lives: Iterable<EntityHistory>;
  readonly times: InterpolationTimes;
  /** Nothing newer than what is shown has come. */
  readonly starved: boolean;
  readonly newest: QuantisedState | undefined;
  /** Since the frame before. */
  readonly elapsedMs: number;
}

/**
 * What a page draws: own entities and the externals that they touch as predicted, all others from history. A
 * door that pushes the player must stand where the player feels it, so it is shown in the player's time.
 */
export class ClientView<S extends GameShape> implements View<S> {
  readonly #schema: CompiledSchema;
  readonly #plans: readonly FieldPlan[];
  readonly #display: OwnDisplay;
  readonly #objects = new Map<EntityKey, ViewObject>();
  readonly #lists: ViewEntity<S>[][];
  readonly #byId = new Map<number, ViewObject>();
  readonly #ghosts = new Map<number, ViewObject>();
  #own: ViewObject | undefined;
  #newest: QuantisedState | undefined;
  #seat = 0;
  #frame = 0;
  #elapsedMs = 0;

  constructor(schema: CompiledSchema, plans: readonly FieldPlan[], display: OwnDisplay) {
    this.#schema = schema;
    this.#plans = plans;
    this.#display = display;
    this.#lists = schema.archetypes.map(() => []);
  }

  get own(): ViewEntity<S, OwnArchetype<S>> | undefined {
    return this.#own?.entity as ViewEntity<S, OwnArchetype<S>> | undefined;
  }

  all<N extends ArchetypeName<S>>(archetype: N): Iterable<ViewEntity<S, N>> {
    const index = this.#schema.archetypes.findIndex((known) => known.name === archetype);
    if (index < 0) throw new TypeError(`this game has no archetype "${archetype}"`);
    return this.#lists[index] as unknown as Iterable<ViewEntity<S, N>>;
  }

  get(id: number): ViewEntity<S> | undefined {
    return this.#byId.get(id)?.entity as ViewEntity<S> | undefined;
  }

  server(id: number): ViewEntity<S> | undefined {
    const state = this.#newest;
    const row = state ? state.find(id) : -1;
    const plan = state && this.#plans[state.archetypes[row] ?? -1];
    if (!state || !plan) return undefined;
    const epoch = state.epochs[row] as number;
    let ghost = this.#ghosts.get(id);
    if (!ghost || ghost.entity.epoch !== epoch) {
      ghost = new ViewObject(lifeKey(id, epoch), id, epoch, plan);
      this.#ghosts.set(id, ghost);
    }
    ghost.pose.presence = state.presence[row] as number;
    ghost.pose.owner = state.owners[row] as number;
    ghost.pose.jumps = state.jumps[row] as number;
    const sample = { tick: state.tick, state, row };
    for (const field of plan.archetype.fields) ghost.pose.values[field.index] = valueAt(field, sample);
    ghost.write(this.#seat);
    return ghost.entity as ViewEntity<S>;
  }

  /** Makes the next frame. */
  update(sources: ViewSources): void {
    this.#frame++;
    this.#seat = sources.seat;
    this.#elapsedMs = sources.elapsedMs;
    this.#newest = sources.newest;
    this.#own = undefined;
    this.#byId.clear();
    for (const list of this.#lists) list.length = 0;
    if (sources.predicted) this.#showPredicted(sources.predicted.pair, sources.predicted.fraction);
    for (const life of sources.lives) this.#showHistory(life, sources);
    for (const [key, object] of this.#objects) if (object.frame !== this.#frame) this.#objects.delete(key);
    for (const id of this.#ghosts.keys()) if (!this.#byId.has(id)) this.#ghosts.delete(id);
  }

  #showPredicted(pair: PredictedPair, fraction: number): void {
    for (let row = 0; row < pair.present.count; row++) {
      const plan = this.#plans[pair.present.archetype(row)] as FieldPlan;
      const key = keyOf(pair.present, row, plan);
      const object = this.#object(key, pair.present.id(row), pair.present.epoch(row), plan);
      object.turn(true, this.#frame);
      this.#display.pose(pair, row, fraction, object.pose);
      this.#list(object, plan);
    }
  }

  #showHistory(life: EntityHistory, { times, starved, predicted }: ViewSources): void {
    if (times.tick < life.bornTick || times.tick >= life.goneTick) return;
    const plan = this.#plans[life.archetype.index] as FieldPlan;
    if (this.#byId.has(life.id) || (predicted && this.#isPredicted(life))) return;
    const object = this.#object(lifeKey(life.id, life.epoch), life.id, life.epoch, plan);
    object.turn(false, this.#frame);
    interpolate(life, times, object.pose);
    object.pose.stalled ||= starved;
    this.#list(object, plan);
  }

  /** Shown ahead of the room or not at all: after its end it must not appear once more out of the past. */
  #isPredicted({ archetype, newest }: EntityHistory): boolean {
    return archetype.external || (archetype.predicted && newest.state.owners[newest.row] === this.#seat);
  }

  #list(object: ViewObject, plan: FieldPlan): void {
    object.frame = this.#frame;
    object.glide(this.#elapsedMs);
    object.write(this.#seat);
    const entity = object.entity as ViewEntity<S>;
    this.#byId.set(object.entity.id, object);
    (this.#lists[plan.archetype.index] as ViewEntity<S>[]).push(entity);
    // What an action has spawned isn't who we are.
    const isSpawned = typeof entity.key === "string";
    if (this.#own === undefined && entity.own && !isSpawned && this.#isOwnKind(plan)) this.#own = object;
  }

  #isOwnKind(plan: FieldPlan): boolean {
    return plan.archetype.predicted || this.#schema.archetypes.every((archetype) => !archetype.predicted);
  }

  #object(key: EntityKey, id: number, epoch: number, plan: FieldPlan): ViewObject {
    const known = this.#objects.get(key);
    if (known) {
      known.named(id, epoch);
      return known;
    }
    const made = new ViewObject(key, id, epoch, plan);
    this.#objects.set(key, made);
    return made;
  }
}
