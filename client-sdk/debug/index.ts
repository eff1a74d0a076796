import type { GameShape } from "../../sim/index.ts";
import type { RoomClient } from "../index.ts";
import { DebugOverlay, type DebugOverlayOptions } from "./overlay.ts";

export type { Project, ScreenPoint } from "./ghosts.ts";
export type { DebugOverlay, DebugOverlayOptions };

/**
 * Shows graphs, figures and events of a room's client over the page. Import it when it is wanted, so that players don't
 * load it: `const { openDebugOverlay } = await import("tickroom/client/debug")`.
 */
export function openDebugOverlay<S extends GameShape>(
  room: RoomClient<S>,
  options?: DebugOverlayOptions<S>,
): DebugOverlay<S> {
  return new DebugOverlay(room, options);
}
