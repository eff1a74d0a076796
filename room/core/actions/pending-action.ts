import { fromJsonText, LIMITS, type StoredAction } from "../../../protocol/index.ts";
import { type CompiledAction, type CompiledSchema, unpackCalls } from "../../../sim/index.ts";
import { frozen } from "./frozen.ts";
import { type ActionId, actionKey } from "./identity.ts";

/** An action with what its command said, and what admission kept. */
export interface CarriedAction {
  readonly key: string;
  readonly action: CompiledAction;
  readonly params: Readonly<Record<string, number | boolean>>;
  /** Read once from what is stored, so that a restarted room has the same. */
  readonly capture: unknown;
}

/** An admitted action that waits for its final receipt. Replaced as a whole when an answer comes. */
export interface PendingAction extends CarriedAction {
  /** As it is stored. */
  readonly stored: StoredAction;
  /** What its call answered, if it has and a tick took it. */
  readonly answer: { readonly value: unknown } | undefined;
}

/**
 * Reads what is stored of an action.
 * @throws WireError, or RangeError when the game has no such action
 */
export function carriedAction(
  schema: CompiledSchema,
  stored: ActionId & Pick<StoredAction, "params" | "capture">,
): CarriedAction {
  const action = schema.actions[stored.slot];
  const call = unpackCalls(schema, stored.params, stored.seq).find(({ slot }) => slot === stored.slot);
  if (!action || !call) throw new RangeError(`an action of slot ${stored.slot} that no command carries`);
  const capture = frozen(fromJsonText(stored.capture, LIMITS.captureBytes));
  return { key: actionKey(stored), action, params: call.params, capture };
}

/** @throws WireError, or RangeError when the game has no such action */
export function pendingAction(schema: CompiledSchema, stored: StoredAction): PendingAction {
  const { answer } = stored;
  return {
    ...carriedAction(schema, stored),
    stored,
    answer: answer === "" ? undefined : { value: frozen(fromJsonText(answer, LIMITS.answerBytes)) },
  };
}

export function idOf({ session, seq, slot }: ActionId): ActionId {
  return { session, seq, slot };
}

/** Whether an action waits for an answer from outside. */
export function awaitsCall({ action, answer }: PendingAction): boolean {
  return action.call && !answer;
}
