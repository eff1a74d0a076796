import type { StoredAction, StoredDebt } from "../../../protocol/index.ts";
import { type ActionId, actionKey } from "./identity.ts";
import type { CarriedAction } from "./pending-action.ts";

/** A call to be made for an admitted action, until it answers or is stopped. */
export interface CallJob extends ActionId {
  /** The action's identity as one text. */
  readonly key: string;
  /** Name of the action. */
  readonly action: string;
  readonly seat: number;
  readonly params: Readonly<Record<string, number | boolean>>;
  readonly capture: unknown;
  /** The action has failed for this reason, and what its call may have done is to be undone [A9]. */
  readonly compensates?: StoredDebt["outcome"];
}

interface Called extends CarriedAction {
  readonly stored: Pick<StoredAction, "session" | "seq" | "slot" | "seat">;
}

export function callJob({ stored, action, params, capture }: Called): CallJob {
  const { session, seq, slot, seat } = stored;
  return { key: actionKey(stored), action: action.name, session, seq, slot, seat, params, capture };
}
