import type {
  ArchetypeName,
  Entity,
  EntityInit,
  EntityRef,
  GameShape,
  SeatId,
  World,
} from "../../sim/index.ts";
import type { Seat, SeatKind } from "./hooks.ts";
import type { SeatRecord } from "./seat-record.ts";

/** A seat as callbacks see it. Made for one callback; what it changes is rolled back with the window. */
export class SeatHandle<S extends GameShape> implements Seat<S> {
  readonly #record: SeatRecord<S>;
  readonly #world: World<S>;

  constructor(record: SeatRecord<S>, world: World<S>) {
    this.#record = record;
    this.#world = world;
  }

  get id(): SeatId {
    return this.#record.id;
  }

  get name(): string {
    return this.#record.name;
  }

  get kind(): SeatKind {
    return this.#record.kind;
  }

  get entity(): Entity<S> | undefined {
    return livingEntity(this.#record, this.#world);
  }

  spawn<N extends ArchetypeName<S>>(archetype: N, init?: EntityInit<S, N>): EntityRef {
    const ref = this.#world.spawn(archetype, init, { owner: this.#record.id });
    this.#record.entity = ref;
    return ref;
  }
}

/**
 * The entity that a seat steers: the one it spawned last, else any that it owns (a system may have
 * respawned it), except what its actions have spawned. One that is about to despawn counts as gone.
 */
export function livingEntity<S extends GameShape>(
  record: SeatRecord<S>,
  world: World<S>,
): Entity<S> | undefined {
  const last = world.get(record.entity);
  if (last && !last.doomed && last.owner === record.id) return last;
  for (const entity of world.owned(record.id)) if (!entity.doomed && !entity.spawnedBy) return entity;
  return undefined;
}
