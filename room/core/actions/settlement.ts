import { toJsonText } from "../../../protocol/index.ts";
import {
  type ActionRules,
  type Game,
  type GameShape,
  type SystemContext,
  steered,
} from "../../../sim/index.ts";
import { type FaultPlace, RoomFault } from "../fault.ts";
import type { PendingAction } from "./pending-action.ts";

function rulesOf<S extends GameShape>(game: Game<S>, name: string) {
  const rules: Readonly<Record<string, ActionRules<S, never>>> | undefined = game.spec.actionRules;
  return rules?.[name];
}

/** Whether a game has its own word about when an action settles. */
export function hasSettle<S extends GameShape>(game: Game<S>, name: string): boolean {
  return rulesOf(game, name)?.settle !== undefined;
}

/** Asks the game for an action's result, or takes its call's answer for it. */
export function settleAction<S extends GameShape>(
  game: Game<S>,
  { action, stored, params, capture, answer }: PendingAction,
  context: SystemContext<S>,
): { readonly result: unknown } | undefined {
  const rules = rulesOf(game, action.name);
  if (!rules?.settle) return answer && { result: answer.value };
  const { tick, dt, world } = context;
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
  const result: unknown = rules.settle(settleContext as unknown as Parameters<typeof rules.settle>[0]);
  return result === undefined ? undefined : { result };
}

/**
 * What the game made has to be stored: if it can't be, that is its fault.
 * @throws RoomFault
 */
export function storableText(value: unknown, maxBytes: number, place: FaultPlace): string {
  try {
    return toJsonText(value, maxBytes);
  } catch (cause) {
    throw new RoomFault(place, { cause });
  }
}
