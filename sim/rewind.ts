import type { ArchetypeName, Entity, EntityBase, GameShape, IslandMember } from "./definition.ts";
import type { EntityHistory, Histories } from "./history.ts";
import { type EntityRef, entityRef, type NetId, refEpochLow, refId, type SeatId } from "./ids.ts";
import { interpolate, isJump, newPose, shownValue } from "./interpolate.ts";

/** What an entity has besides its fragments. */
type Facts = keyof EntityBase<GameShape, string> | keyof IslandMember;

/** An entity as it was shown at a moment. To look at only. */
export type PastEntity<S extends GameShape, N extends ArchetypeName<S> = ArchetypeName<S>> = N extends unknown
  ? {
      readonly id: NetId;
      readonly epoch: number;
      readonly ref: EntityRef;
      readonly archetype: N;
      readonly owner: SeatId | 0;
    } & { readonly [F in Exclude<keyof Entity<S, N>, Facts>]: Readonly<Entity<S, N>[F]> }
  : never;

/** Entities of archetypes with `rewind` as a player saw them, a little in the past [L1]. */
export interface Rewind<S extends GameShape> {
  /** The moment, in ticks with a fraction, after the room's bounds. 0: there is nothing to look back at. */
  readonly tick: number;
  all<N extends ArchetypeName<S>>(archetype: N): Iterable<PastEntity<S, N>>;
  get(ref: EntityRef): PastEntity<S> | undefined;
}

/**
 * Looks back at a moment, with the interpolation that pages draw by. What a page could only guess (past the newest
 * sample), or saw on two sides of a teleport, isn't looked back at: it is where the newest sample has it.
 * @param dt length of a tick in seconds
 */
export function rewindTo<S extends GameShape>(histories: Histories, tick: number, dt: number): Rewind<S> {
  return {
    tick,
    *all(archetype) {
      for (const life of histories.lives()) {
        if (life.archetype.name === archetype && isShown(life, tick)) yield pastOf(life, tick, dt) as never;
      }
    },
    get(ref) {
      for (const life of histories.lives()) {
        if (life.id !== refId(ref) || (life.epoch & 0xffff) !== refEpochLow(ref)) continue;
        return isShown(life, tick) ? (pastOf(life, tick, dt) as never) : undefined;
      }
      return undefined;
    },
  };
}

function isShown({ archetype, bornTick, goneTick }: EntityHistory, tick: number): boolean {
  return archetype.rewinds && tick >= bornTick && tick < goneTick;
}

function pastOf(life: EntityHistory, tick: number, dt: number): unknown {
  const { id, epoch, archetype } = life;
  const { from, to } = life.around(tick);
  const guessed = to === undefined || isJump(archetype, from, to, (to.tick - from.tick) * dt);
  const pose = newPose(archetype);
  interpolate(life, { tick: guessed ? life.newest.tick : tick, maxExtrapolationTicks: 0, dt }, pose);
  const fragments: Record<string, Record<string, unknown>> = {};
  for (const field of archetype.fields) {
    if ((pose.presence & (1 << field.fragment)) === 0) continue;
    const fragment = fragments[field.fragmentName] ?? {};
    fragments[field.fragmentName] = fragment;
    fragment[field.name] = shownValue(field, pose.values[field.index] as number);
  }
  const ref = entityRef(id as NetId, epoch);
  return { id, epoch, ref, archetype: archetype.name, owner: pose.owner, ...fragments };
}
