import type { GameShape } from "../../sim/index.ts";
import type { Counters } from "./counters.ts";
import type { RoomState } from "./room-state.ts";

/** What a room reports about itself; counters are of this incarnation. */
export interface RoomStats {
  readonly room: string;
  readonly state: "running" | "sleeping" | "closed" | "stopped" | "refused" | "unstorable";
  /** Windows run and sent. */
  readonly windows: number;
  /** How late windows began, over the last minute at 20 windows/s. */
  readonly latenessP50Ms: number;
  readonly latenessP99Ms: number;
  /** Ticks forgotten because the room fell behind [T3], in the room's whole life. */
  readonly slippedTicks: number;
  readonly tick: number;
  readonly incarnation: number;
  /** Players' seats, dropped ones included. */
  readonly seats: number;
  readonly connections: number;
  readonly bots: number;
  readonly entities: number;
  readonly inputsConsumed: number;
  /** Ticks that ran without a command for a connected player. */
  readonly inputsMissing: number;
  /** Windows abandoned because a callback threw. */
  readonly faults: number;
  readonly storageErrors: number;
  readonly rowsWritten: number;
  /** Failed actions whose call is still to be undone [A9]. */
  readonly debts: number;
  /** Commits, those without ticks included. */
  readonly commits: number;
  /** Alarm invocations. */
  readonly alarms: number;
  /** WebSocket messages of clients. */
  readonly messagesIn: number;
  /** Sockets accepted. */
  readonly connectionsMade: number;
  readonly bytesOut: number;
  readonly bytesIn: number;
  /** Events that were not sent: too many in a window, or too large. */
  readonly eventsDropped: number;
}

export function roomStats<S extends GameShape>(
  { world, seats, actions, incarnation, slippedTicks }: RoomState<S>,
  counters: Counters,
  others: Pick<RoomStats, "room" | "state" | "connections" | "rowsWritten">,
): RoomStats {
  const bots = [...seats.all()].filter(({ kind }) => kind === "bot").length;
  return {
    ...others,
    tick: world.tick,
    incarnation,
    slippedTicks,
    seats: seats.size - bots,
    bots,
    entities: world.count,
    debts: actions.debts.size,
    ...counters.snapshot(),
  };
}
