import type { GameShape } from "../../sim/index.ts";
import { type CostPerHour, costPerHour } from "./cost.ts";
import type { Counters } from "./counters.ts";
import type { LatenessHistogram } from "./lateness.ts";
import type { LedgerSpan } from "./ledger-book.ts";
import type { RateMeter, Rates, Totals } from "./rates.ts";
import type { RoomState } from "./room-state.ts";
import { type RoomStats, roomStats } from "./stats.ts";

/** All that a room tells its operator about itself; counters are of this incarnation. */
export interface RoomReport extends RoomStats {
  readonly game: string;
  readonly gameVersion: number;
  readonly tickRate: number;
  readonly windowTicks: number;
  readonly commitEvery: number;
  /** Since this incarnation began. */
  readonly upSeconds: number;
  readonly lateness: LatenessHistogram;
  /** Over the last minute. */
  readonly perSecond: Rates;
  /** US dollars at list price if it goes on as in the last minute. */
  readonly costPerHour: CostPerHour;
  readonly ledger: LedgerSpan;
  readonly storedBytes: number;
  /** Admitted actions without a final receipt. */
  readonly pendingActions: number;
}

export interface ReportParts<S extends GameShape> {
  readonly state: RoomState<S>;
  readonly counters: Counters;
  readonly meter: RateMeter;
  readonly ledger: LedgerSpan;
  readonly storedBytes: number;
  readonly stats: Pick<RoomStats, "room" | "state" | "connections" | "rowsWritten">;
  readonly windowTicks: number;
  readonly commitEvery: number;
  readonly startedMs: number;
  readonly nowMs: number;
}

/** What the rates are taken from. */
export function totalsOf(counters: Counters, rowsWritten: number): Totals {
  const { windows, commits, alarms, messagesIn, connectionsMade, bytesIn, bytesOut } = counters.snapshot();
  return { windows, commits, rows: rowsWritten, alarms, messagesIn, connectionsMade, bytesIn, bytesOut };
}

/** The report, `/stats` included, from the core's counters and nothing else. */
export function roomReport<S extends GameShape>(parts: ReportParts<S>): RoomReport {
  const { state, counters, meter, ledger, storedBytes, windowTicks, commitEvery, startedMs, nowMs } = parts;
  const stats = roomStats(state, counters, parts.stats);
  const perSecond = meter.rates(nowMs, totalsOf(counters, stats.rowsWritten));
  const awake = stats.state === "running" || stats.connections > 0;
  return {
    ...stats,
    game: state.game.name,
    gameVersion: state.game.version,
    tickRate: state.game.tickRate,
    windowTicks,
    commitEvery,
    upSeconds: (nowMs - startedMs) / 1000,
    lateness: counters.lateness(),
    perSecond,
    costPerHour: costPerHour({
      rowsPerSecond: perSecond.rows,
      messagesPerSecond: perSecond.messagesIn,
      requestsPerSecond: perSecond.alarms + perSecond.connectionsMade,
      awakeShare: awake ? 1 : 0,
    }),
    ledger,
    storedBytes,
    pendingActions: state.actions.pendingCount,
  };
}
