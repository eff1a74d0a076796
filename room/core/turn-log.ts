import { actionKey } from "./actions/identity.ts";
import type { RoomLogEntry } from "./options.ts";
import type { Turn } from "./window-loop.ts";

/** What is worth a line in the log about a window; a window like any other isn't. */
export function logOf(turn: Turn): readonly RoomLogEntry[] {
  switch (turn.outcome) {
    case "ran":
      return turn.rejected.map((suspect) => {
        if (suspect.kind === "action") {
          const detail = `action ${actionKey(suspect.action)} in tick ${suspect.tick}`;
          return { level: "warn", event: "rejected-fault", detail };
        }
        const detail = suspect.kind === "command" ? `command of tick ${suspect.tick}` : suspect.kind;
        return { level: "warn", event: "rejected-fault", seat: suspect.seat, detail };
      });
    case "faulted": {
      const { tick, callback, message, cause } = turn.fault;
      const stack = cause instanceof Error ? cause.stack : undefined;
      return [{ level: "error", event: "fault", tick, callback, error: message, stack }];
    }
    case "not-stored":
      return [{ level: "error", event: "storage-error", error: String(turn.error) }];
    default:
      return turn satisfies never;
  }
}
