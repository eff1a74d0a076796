import type { ActionCall, AdmitContext } from "./actions.ts";
import type { FaultTrail } from "./context.ts";
import type { Entity, GameShape, SystemContext } from "./definition.ts";
import { SystemFault } from "./fault.ts";
import type { EntityRef, SeatId } from "./ids.ts";
import { NO_ENTITY } from "./ids.ts";
import type { Rewind } from "./rewind.ts";
import type { EventIdentity, SpawnRequest } from "./structure.ts";
import type { World } from "./world.ts";

/**
 * What became of one action slot in the tick that consumed its command. `rewoundTick` is the moment that the verdict
 * looked back at, in ticks; 0 if it didn't.
 */
export type AdmissionResult =
  | { readonly admitted: true; readonly capture: unknown; readonly rewoundTick: number }
  | { readonly admitted: false; readonly reason: string; readonly rewoundTick: number };

/** What a tick does besides running the phases. */
export interface StepOptions<S extends GameShape> {
  /** Action slots of this tick's commands, by seat. */
  readonly calls?: ReadonlyMap<SeatId, readonly ActionCall[]>;
  onAdmission?(seat: SeatId, call: ActionCall, result: AdmissionResult): void;
  /** An effect that `admit` asked for. Prediction only. */
  onEffect?(seat: SeatId, call: ActionCall, name: string, data: unknown): void;
  /** The past that an action's caller saw. */
  rewind?(seat: SeatId, call: ActionCall): Rewind<S>;
  /** Input session of a seat's commands. */
  sessionOf?(seat: SeatId): number;
  /** Prediction only: why the room has rejected a call, if it is known to have. */
  rejectionOf?(call: ActionCall): string | undefined;
  /** Prediction only: the id that an entity has until the room names it; none: it isn't to appear any more. */
  localId?(event: EventIdentity): { readonly id: number; readonly epoch: number } | undefined;
  /** Room only: runs at the start of the gameplay phase, to settle what is pending. */
  settle?(context: SystemContext<S>): void;
}

const NO_PAST: Rewind<never> = { tick: 0, all: () => [], get: () => undefined };

/** Reason of an action whose seat has no living entity. */
const NO_ENTITY_REASON = "no-entity";

/** Admits or rejects the tick's actions: before the game's own input systems, seat by seat, slot by slot. */
export function runAdmissions<S extends GameShape>(
  world: World<S>,
  context: SystemContext<S> & FaultTrail,
  options: StepOptions<S>,
): void {
  for (const [seat, calls] of options.calls ?? []) {
    for (const call of calls) {
      context.drivenSeat = seat;
      const result = admit(world, context, seat, call, options);
      options.onAdmission?.(seat, call, result);
    }
  }
  context.drivenSeat = undefined;
}

function admit<S extends GameShape>(
  world: World<S>,
  context: SystemContext<S> & FaultTrail,
  seat: SeatId,
  call: ActionCall,
  options: StepOptions<S>,
): AdmissionResult {
  const name = world.game.schema.actions[call.slot]?.name as keyof S["actions"] & string;
  const rules = world.game.spec.actionRules?.[name];
  const entity = steered(world, seat);
  if (!rules || !entity) return { admitted: false, reason: NO_ENTITY_REASON, rewoundTick: 0 };
  const known = options.rejectionOf?.(call);
  if (known !== undefined) return { admitted: false, reason: known, rewoundTick: 0 };
  const spawned: EntityRef[] = [];
  const session = options.sessionOf?.(seat) ?? 0;
  const spawn = (archetype: string, init: SpawnRequest["init"] = {}) => {
    const event = { session, seq: call.seq, slot: call.slot, nth: spawned.length };
    const local = options.localId?.(event);
    const gone = options.localId !== undefined && local === undefined;
    const ref = gone ? NO_ENTITY : world.spawnFor(event, { archetype, owner: seat, init }, local);
    spawned.push(ref);
    return ref;
  };
  const before = world.rowOf(entity.id)?.cells.slice();
  const posted = world.outbox?.size ?? 0;
  const effects: [string, unknown][] = [];
  let past: Rewind<S> | undefined;
  const admitContext = {
    tick: context.tick,
    dt: context.dt,
    world,
    seat,
    entity,
    params: call.params,
    authority: context.authority,
    replaying: context.replaying,
    spawn,
    random: () => context.random(entity),
    effect: (effect: string, data?: unknown) => effects.push([effect, data]),
    get rewind() {
      past ??= options.rewind?.(seat, call) ?? (NO_PAST as unknown as Rewind<S>);
      return past;
    },
  } as unknown as AdmitContext<S, typeof name>;
  try {
    const answer = rules.admit(admitContext);
    const rewoundTick = past?.tick ?? 0;
    if ("reject" in answer) {
      // A rejection that had charged already would make the next attempt fail for another reason.
      if (before) world.rowOf(entity.id)?.cells.set(before);
      for (const ref of spawned) world.despawn(ref);
      world.outbox?.cut(posted);
      return { admitted: false, reason: answer.reject, rewoundTick };
    }
    for (const [effect, data] of effects) options.onEffect?.(seat, call, effect, data);
    return { admitted: true, capture: answer.admit ?? null, rewoundTick };
  } catch (cause) {
    const place = { tick: context.tick, phase: "input", system: `admit ${name}`, seat } as const;
    throw new SystemFault(place, { cause });
  }
}

/**
 * The entity that a seat's actions are about: its living predicted one, the oldest id if it has several. What actions
 * have spawned doesn't act.
 */
export function steered<S extends GameShape>(world: World<S>, seat: SeatId): Entity<S> | undefined {
  let found: Entity<S> | undefined;
  for (const entity of world.owned(seat)) {
    const archetype = world.game.schema.archetypes.find(({ name }) => name === entity.archetype);
    if (!archetype?.predicted || entity.doomed || entity.spawnedBy) continue;
    if (!found || entity.id < found.id) found = entity;
  }
  return found;
}
