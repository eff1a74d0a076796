import type { SeatId } from "../../sim/index.ts";
import { type ActionId, actionKey } from "./actions/identity.ts";

export interface FaultPlace {
  /** The tick being computed; the boundary's tick for callbacks before the first one. */
  readonly tick: number;
  /** Name of the callback, or phase and name of the system. */
  readonly callback: string;
  /** Seat that it was about, if known. */
  readonly seat: SeatId | undefined;
  /** The action that was being settled. */
  readonly action?: ActionId;
}

/** The game's code threw in a window. Never leaves the room: the window is rolled back instead [T6]. */
export class RoomFault extends Error {
  readonly tick: number;
  readonly callback: string;
  readonly seat: SeatId | undefined;
  readonly action: ActionId | undefined;

  constructor({ tick, callback, seat, action }: FaultPlace, { cause }: { cause: unknown }) {
    const what = cause instanceof Error ? cause.message : String(cause);
    super(`tick ${tick}, ${callback} threw: ${what}`, { cause });
    this.name = "RoomFault";
    this.tick = tick;
    this.callback = callback;
    this.seat = seat;
    this.action = action;
  }

  /** Whether another fault is the same one again, as far as one can tell. */
  sameAs(other: RoomFault): boolean {
    if (this.tick !== other.tick || this.callback !== other.callback || this.seat !== other.seat)
      return false;
    const [mine, theirs] = [this.action, other.action].map((action) => action && actionKey(action));
    return mine === theirs;
  }
}
