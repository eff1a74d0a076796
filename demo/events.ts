import { json, type NetId } from "tickroom/sim";
import type { Trajectory } from "./ballistics.ts";
import type { Point } from "./geometry.ts";

/** What a page is told of a shot at once: the shooter's as the effect `shot`, the others' as the event. */
export interface ShotSight extends Trajectory {
  readonly hue: number;
}

/** What happens and leaves no trace in the state. */
export const events = {
  /** Somebody has shot. For everybody else: the shooter's page has shown it by itself. */
  shot: json<ShotSight & { readonly shooter: NetId }>(),
  /** Paint has hit somebody there. For everybody else: the shooter has a receipt. */
  hit: json<Point & { readonly hue: number }>(),
  /** Where the room found others when it judged a shot. For the shooter alone. */
  judged: json<readonly Point[]>(),
} as const;
