import { asSeatId, LIMITS, type StoredAction, toJsonText } from "../../../protocol/index.ts";
import {
  type ActionCall,
  type ActionRules,
  type CompiledAction,
  type Game,
  type GameShape,
  type SystemContext,
  steered,
} from "../../../sim/index.ts";
import type { CarriedCalls } from "../action-part.ts";
import { type FaultPlace, RoomFault } from "../fault.ts";
import { idOf, type PendingAction } from "./pending-action.ts";

function rulesOf<S extends GameShape>(game: Game<S>, name: string) {
  const rules: Readonly<Record<string, ActionRules<S, never>>> | undefined = game.spec.actionRules;
  return rules?.[name];
}

/** Whether a game has its own word about when an action settles. */
export function hasSettle<S extends GameShape>(game: Game<S>, name: string): boolean {
  return rulesOf(game, name)?.settle !== undefined;
}

/**
 * An admitted action as it is stored.
 * @throws RoomFault when what admission keeps can't be
 */
export function admittedAction<S extends GameShape>(
  { record, session, tick, bytes }: CarriedCalls<S>,
  { seq, slot, action }: ActionCall & { readonly action: CompiledAction },
  capture: unknown,
): StoredAction {
  const place = { tick, callback: `admit ${action.name}`, seat: record.id };
  return {
    session,
    seq,
    slot,
    seat: record.id,
    revision: 1,
    admittedTick: tick,
    deadlineTick: tick + action.deadlineTicks,
    params: bytes,
    capture: storableText(capture, LIMITS.captureBytes, place),
    answer: "",
  };
}

/**
 * Asks the game for an action's result, or takes its call's answer for it.
 * @returns the result as it will be read back from its receipt; undefined while there is none
 * @throws RoomFault
 */
export function settleAction<S extends GameShape>(
  game: Game<S>,
  pending: PendingAction,
  context: SystemContext<S>,
): { readonly result: unknown } | undefined {
  const { action, stored } = pending;
  const callback = `settle ${action.name}`;
  const place = { tick: context.tick, callback, seat: asSeatId(stored.seat), action: idOf(stored) };
  let result: unknown;
  try {
    result = resultOf(game, pending, context);
  } catch (cause) {
    throw new RoomFault(place, { cause });
  }
  if (result === undefined) return undefined;
  return { result: JSON.parse(storableText(result, LIMITS.resultBytes, place)) };
}

function resultOf<S extends GameShape>(
  game: Game<S>,
  { action, stored, params, capture, answer }: PendingAction,
  { tick, dt, world }: SystemContext<S>,
): unknown {
  const rules = rulesOf(game, action.name);
  if (!rules?.settle) return answer?.value;
  const settleContext = {
    tick,
    dt,
    world,
    seat: stored.seat,
    entity: steered(world, stored.seat as Parameters<typeof steered>[1]),
    params,
    capture,
    admittedTick: stored.admittedTick,
    answer: answer?.value,
  };
  return rules.settle(settleContext as unknown as Parameters<typeof rules.settle>[0]);
}

/**
 * What the game made has to be stored: if it can't be, that is its fault.
 * @throws RoomFault
 */
function storableText(value: unknown, maxBytes: number, place: FaultPlace): string {
  try {
    return toJsonText(value, maxBytes);
  } catch (cause) {
    throw new RoomFault(place, { cause });
  }
}
