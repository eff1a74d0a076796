import type { RoomReport } from "./report.ts";

type Kind = "gauge" | "counter";

/** Figures of a report: name, kind, help, value. Names carry their unit, as Prometheus wants it. */
const FIGURES: readonly (readonly [string, Kind, string, (report: RoomReport) => number])[] = [
  [
    "up",
    "gauge",
    "1 while the room runs, 0 while it sleeps or is closed",
    ({ state }) => Number(state === "running"),
  ],
  ["seats", "gauge", "Seats of players, dropped ones included", ({ seats }) => seats],
  ["bots", "gauge", "Seats of bots", ({ bots }) => bots],
  ["connections", "gauge", "Open sockets", ({ connections }) => connections],
  ["entities", "gauge", "Entities in the world", ({ entities }) => entities],
  ["pending_actions", "gauge", "Admitted actions without a final receipt", (report) => report.pendingActions],
  ["debts", "gauge", "Failed actions whose call is still to be undone", ({ debts }) => debts],
  ["stored_bytes", "gauge", "Size of the room's storage", ({ storedBytes }) => storedBytes],
  ["cost_dollars_per_hour", "gauge", "Estimate at list price", ({ costPerHour }) => costPerHour.total],
  ["incarnation", "gauge", "Grows when the room's memory is built again", ({ incarnation }) => incarnation],
  ["tick", "counter", "The room's tick", ({ tick }) => tick],
  ["windows_total", "counter", "Windows run and sent", ({ windows }) => windows],
  ["commits_total", "counter", "Commits", ({ commits }) => commits],
  ["rows_written_total", "counter", "Storage rows written", ({ rowsWritten }) => rowsWritten],
  ["slipped_ticks_total", "counter", "Ticks forgotten because the room fell behind", (r) => r.slippedTicks],
  ["inputs_consumed_total", "counter", "Commands executed", ({ inputsConsumed }) => inputsConsumed],
  [
    "inputs_missing_total",
    "counter",
    "Ticks without a command of a connected player",
    (r) => r.inputsMissing,
  ],
  ["faults_total", "counter", "Windows abandoned because the game's code threw", ({ faults }) => faults],
  ["storage_errors_total", "counter", "Storage operations that failed", ({ storageErrors }) => storageErrors],
  [
    "events_dropped_total",
    "counter",
    "Events that were too many or too large",
    ({ eventsDropped }) => eventsDropped,
  ],
  ["messages_in_total", "counter", "WebSocket messages of clients", ({ messagesIn }) => messagesIn],
  ["bytes_in_total", "counter", "Bytes of clients' messages", ({ bytesIn }) => bytesIn],
  ["bytes_out_total", "counter", "Bytes sent to clients", ({ bytesOut }) => bytesOut],
];

/** A report in Prometheus' text format (version 0.0.4). Counters begin anew with each incarnation. */
export function prometheusText(report: RoomReport): string {
  // An address has no character that would have to be escaped, a game's name may.
  const labels = `room="${report.room}",game="${report.game.replace(/[\\"\n]/g, "_")}"`;
  const lines: string[] = [];
  for (const [name, kind, help, value] of FIGURES) {
    lines.push(`# HELP tickroom_${name} ${help}`, `# TYPE tickroom_${name} ${kind}`);
    lines.push(`tickroom_${name}{${labels}} ${value(report)}`);
  }
  const { boundsMs, counts, sumMs } = report.lateness;
  const metric = "tickroom_window_lateness_seconds";
  lines.push(`# HELP ${metric} How late windows began`, `# TYPE ${metric} histogram`);
  let sum = 0;
  for (const [i, count] of counts.entries()) {
    sum += count;
    const bound = boundsMs[i];
    lines.push(`${metric}_bucket{${labels},le="${bound === undefined ? "+Inf" : bound / 1000}"} ${sum}`);
  }
  lines.push(`${metric}_sum{${labels}} ${sumMs / 1000}`, `${metric}_count{${labels}} ${sum}`);
  return `${lines.join("\n")}\n`;
}

/** Names of a data point's doubles, in order: `double1` is the first. New ones are added at the end. */
const DATA_POINT_FIELDS = [
  "seats",
  "connections",
  "entities",
  "tick",
  "latenessP50Ms",
  "latenessP99Ms",
  "slippedTicks",
  "faults",
  "storageErrors",
  "inputsMissing",
  "pendingActions",
  "debts",
  "storedBytes",
] as const satisfies readonly (keyof RoomReport)[];

interface DataPoint {
  readonly indexes: string[];
  readonly blobs: string[];
  readonly doubles: number[];
}

/** A point for Workers Analytics Engine, whose limits are 20 blobs, 20 doubles and an index of 96 bytes. */
export function dataPoint(report: RoomReport): DataPoint {
  const { room, game, gameVersion, state, perSecond, costPerHour } = report;
  return {
    indexes: [room],
    blobs: [room, game, String(gameVersion), state],
    doubles: [
      ...DATA_POINT_FIELDS.map((name) => report[name]),
      perSecond.rows,
      perSecond.bytesIn,
      perSecond.bytesOut,
      costPerHour.total,
    ],
  };
}
