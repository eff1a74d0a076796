import type { GameShape, SeatId } from "../../sim/index.ts";
import { type ActionId, actionKey } from "./actions/identity.ts";
import type { RoomFault } from "./fault.ts";
import type { SeatTable } from "./seat-table.ts";

/** Something from outside that may be why a window throws. */
export type Suspect =
  | { readonly kind: "command"; readonly seat: SeatId; readonly tick: number }
  | { readonly kind: "join"; readonly seat: SeatId }
  /** `tick` is the boundary at which it takes effect. */
  | { readonly kind: "leave"; readonly seat: SeatId; readonly tick: number }
  /** What settling it in this tick does. */
  | { readonly kind: "action"; readonly action: ActionId; readonly tick: number };

/** Where suspects are looked for. */
export interface SuspectParts<S extends GameShape> {
  readonly seats: SeatTable<S>;
  readonly actions: { suspects(): readonly ActionId[] };
}

/** Most reruns of one window that the search may cost; each is as long as the window itself. */
const MAX_RERUNS = 64;

/**
 * Who may be behind a fault, likeliest first: for a tick, the action that was being settled or the seat whose
 * entity the system had in hand, then everybody else who has a command in that tick, then whatever else may be
 * settled in it; before the first tick, the join or leave in question.
 */
function suspectsOf<S extends GameShape>(fault: RoomFault, { seats, actions }: SuspectParts<S>): Suspect[] {
  const { callback, seat, tick } = fault;
  if (callback === "onLeave") return seat === undefined ? [] : [{ kind: "leave", seat, tick }];
  if (callback === "onJoin") return seat === undefined ? [] : [{ kind: "join", seat }];
  if (callback === "onCreate") return [];
  const records = [...seats.all()];
  if (callback === "structure") {
    return records
      .filter(({ state }) => state.at === "joining")
      .map(({ id }) => ({ kind: "join", seat: id }));
  }
  const others = records.map(({ id }) => id).filter((id) => id !== seat);
  const inOrder = seat === undefined ? others : [seat, ...others];
  const commands = inOrder.map((id): Suspect => ({ kind: "command", seat: id, tick }));
  const settling = actions.suspects().map((action): Suspect => ({ kind: "action", action, tick }));
  const first = fault.action ? [{ kind: "action", action: fault.action, tick } as const] : [];
  return [...first, ...commands, ...settling];
}

/**
 * Finds what makes a window fail: reruns it without one suspect after the other. When that moves the fault
 * elsewhere the suspect was guilty of the first one, and the search goes on from there.
 *
 * @param rerun rolls back, then runs the window without the suspects; returns the fault, or undefined
 *   when it passed (and leaves the passed window open)
 */
export function findGuilty<S extends GameShape>(
  first: RoomFault,
  parts: SuspectParts<S>,
  rerun: (rejected: readonly Suspect[]) => RoomFault | undefined,
): readonly Suspect[] | undefined {
  let fault = first;
  let guilty: readonly Suspect[] = [];
  let reruns = 0;
  while (true) {
    let moved: RoomFault | undefined;
    for (const suspect of suspectsOf(fault, parts)) {
      if (guilty.some((known) => sameSuspect(known, suspect))) continue;
      if (++reruns > MAX_RERUNS) return undefined;
      const tried = [...guilty, suspect];
      const next = rerun(tried);
      if (!next) return tried;
      if (next.sameAs(fault)) continue;
      guilty = tried;
      moved = next;
      break;
    }
    if (!moved) return undefined;
    fault = moved;
  }
}

function sameSuspect(a: Suspect, b: Suspect): boolean {
  if (a.kind === "action" || b.kind === "action") {
    if (a.kind !== "action" || b.kind !== "action") return false;
    return actionKey(a.action) === actionKey(b.action) && a.tick === b.tick;
  }
  if (a.kind !== b.kind || a.seat !== b.seat) return false;
  return a.kind !== "command" || b.kind !== "command" || a.tick === b.tick;
}
