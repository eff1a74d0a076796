import { actionKey } from "./actions/identity.ts";
import type { RoomLogEntry } from "./options.ts";
import type { Suspect } from "./suspects.ts";
import type { WindowResult } from "./window.ts";
import type { Turn } from "./window-loop.ts";

/** What is worth a line in the log about a window; a window like any other isn't. */
export function logOf(turn: Turn): readonly RoomLogEntry[] {
  switch (turn.outcome) {
    case "ran":
      return [...comings(turn.result), ...turn.rejected.map(rejectionLog)];
    case "faulted": {
      const { tick, callback, seat, message, cause } = turn.fault;
      const stack = cause instanceof Error ? cause.stack : undefined;
      return [{ level: "error", event: "fault", tick, seat, callback, reason: message, stack }];
    }
    case "not-stored":
      return [{ level: "error", event: "storage-error", reason: String(turn.error) }];
    default:
      return turn satisfies never;
  }
}

/** Who came and went, by seat: names aren't logged. */
function comings({ joins, leaves, ended, refused }: WindowResult): RoomLogEntry[] {
  const entry = (event: string, seat: number, reason?: string): RoomLogEntry => {
    return { level: "info", event, seat, ...(reason !== undefined && { reason }) };
  };
  return [
    ...joins.filter(({ kind }) => kind === "player").map(({ seat }) => entry("joined", seat)),
    ...refused.map(({ seat }) => entry("join-refused", seat, "onJoin keeps throwing")),
    ...ended
      .filter(({ reason }) => reason !== "left")
      .map((end) => entry("session-closed", end.seat, end.reason)),
    ...leaves.map(({ seat }) => entry("left", seat)),
  ];
}

function rejectionLog(suspect: Suspect): RoomLogEntry {
  const entry = { level: "warn", event: "rejected-fault" } as const;
  if (suspect.kind === "action") {
    return { ...entry, reason: `action ${actionKey(suspect.action)}`, tick: suspect.tick };
  }
  const { kind, seat } = suspect;
  return { ...entry, seat, reason: kind, ...(kind === "command" && { tick: suspect.tick }) };
}
