import { listPrice, PRICES, type Usage, unitsPerHour } from "../room/cost.ts";

/** Rooms as they are expected to be. */
export interface Plan {
  /** Per room. */
  readonly players: number;
  /** Ticks a second. */
  readonly tick: number;
  /** Windows a second. */
  readonly windows: number;
  /** Windows per commit. */
  readonly commitEvery: number;
  /** Actions of a player a minute; each is admitted and settled. */
  readonly actions: number;
  /** Room-hours in play a month, all rooms together. */
  readonly hours: number;
  /** How long a player stays. */
  readonly minutes: number;
  /** Rooms that are stored, in play or not. */
  readonly rooms: number;
  /** Stored per room. */
  readonly megabytes: number;
}

/** State, ledger and alarm. */
const ROWS_PER_COMMIT = 3;
const CHECKPOINT_SECONDS = 10;
/** Asking how to come in, and the socket. */
const WORKER_REQUESTS_PER_JOIN = 2;

/** What a room in play uses, of everything that is billed by the hour. */
export function usageOf({ players, windows, commitEvery, actions, minutes }: Plan): Usage {
  const actionsPerSecond = (players * actions) / 60;
  // Admitting an action and settling it each make the window a stored one.
  const commits = Math.min(windows, windows / commitEvery + (commitEvery > 1 ? 2 * actionsPerSecond : 0));
  const receipts = 2 * actionsPerSecond;
  return {
    rowsPerSecond: commits * ROWS_PER_COMMIT + 1 / CHECKPOINT_SECONDS + receipts,
    // A page sends its commands of a window together, and confirms receipts with a frame of their own.
    messagesPerSecond: players * windows + receipts,
    requestsPerSecond: commits + players / (minutes * 60),
    awakeShare: 1,
  };
}

export interface BillLine {
  readonly units: number;
  readonly unit: string;
  /** US dollars, all units paid for. */
  readonly list: number;
  /** US dollars beyond what the plan includes, if nothing else uses it. */
  readonly bill: number;
}

export type Bill = Readonly<Record<keyof typeof PRICES, BillLine>>;

/** A month's bill without the plan's own price. */
export function billOf(plan: Plan): Bill {
  const perHour = unitsPerHour(usageOf(plan));
  const joins = (plan.players * plan.hours * 60) / plan.minutes;
  const line = (name: keyof typeof PRICES, unit: string, units: number): BillLine => ({
    units,
    unit,
    list: listPrice(name, units),
    bill: listPrice(name, Math.max(0, units - PRICES[name].included)),
  });
  return {
    rows: line("rows", "rows", perHour.rows * plan.hours),
    requests: line("requests", "requests", perHour.requests * plan.hours),
    duration: line("duration", "GB-s", perHour.duration * plan.hours),
    storage: line("storage", "GB-months", (plan.rooms * plan.megabytes) / 1000),
    workerRequests: line("workerRequests", "requests", joins * WORKER_REQUESTS_PER_JOIN),
  };
}
