import type { RoomClient } from "tickroom/client";
import type { DebugOverlay, Project } from "tickroom/client/debug";
import type { GameShape } from "tickroom/sim";

/** Opens and closes graphs and events of the client with the key left of 1; they are loaded when first asked for. */
export function overlayOnKey<S extends GameShape>(
  room: () => RoomClient<S> | undefined,
  project: Project<S>,
): void {
  let overlay: DebugOverlay<S> | undefined;

  async function toggle(): Promise<void> {
    const current = room();
    if (overlay) overlay.close();
    else if (current) {
      const { openDebugOverlay } = await import("tickroom/client/debug");
      overlay = openDebugOverlay(current, {
        project,
        onClose: () => {
          overlay = undefined;
        },
      });
    }
  }

  addEventListener("keydown", ({ code, target }) => {
    const types = target instanceof HTMLInputElement && target.type === "text";
    if (code === "Backquote" && !types) void toggle();
  });
}
