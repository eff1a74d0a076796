/**
 * List prices of Cloudflare's paid plan in US dollars, and what an account has included per month. Sources, as of
 * 2026-12-01: https://developers.cloudflare.com/durable-objects/platform/pricing/ (rows, requests, duration, storage) and
 * https://developers.cloudflare.com/workers/platform/pricing/ (Worker requests).
 */
export const PRICES = {
  /** Rows written to SQLite; each `setAlarm` is one, bytes don't count. */
  rows: { dollars: 1, per: 1e6, included: 50e6 },
  /** Requests of Durable Objects: connections, alarm invocations, and incoming messages at their ratio. */
  requests: { dollars: 0.15, per: 1e6, included: 1e6 },
  /** GB-seconds of a Durable Object in memory. */
  duration: { dollars: 12.5, per: 1e6, included: 400e3 },
  /** GB-months of stored data. */
  storage: { dollars: 0.2, per: 1, included: 5 },
  /** Requests of the Worker in front. */
  workerRequests: { dollars: 0.3, per: 1e6, included: 10e6 },
} as const;

/** Incoming WebSocket messages that are billed as one request. Outgoing ones cost nothing. */
const MESSAGES_PER_REQUEST = 20;

/** What an object is billed for however little it uses: 128 MB, in units of 10^9 bytes. */
const OBJECT_GB = 0.128;

/** What a room uses, per second. */
export interface Usage {
  readonly rowsPerSecond: number;
  /** Incoming WebSocket messages. */
  readonly messagesPerSecond: number;
  /** Alarm invocations and connections. */
  readonly requestsPerSecond: number;
  /** Share of the time that the object is in memory and can't hibernate, 0 … 1. */
  readonly awakeShare: number;
}

/** US dollars an hour at list price, nothing of it included in a plan. */
export interface CostPerHour {
  readonly rows: number;
  readonly requests: number;
  readonly duration: number;
  readonly total: number;
}

/** Billed amounts of an hour: rows, requests, GB-seconds. */
export function unitsPerHour({ rowsPerSecond, messagesPerSecond, requestsPerSecond, awakeShare }: Usage) {
  return {
    rows: rowsPerSecond * 3600,
    requests: (requestsPerSecond + messagesPerSecond / MESSAGES_PER_REQUEST) * 3600,
    duration: awakeShare * OBJECT_GB * 3600,
  };
}

/** US dollars for so many units, all of them paid for. */
export function listPrice(line: keyof typeof PRICES, units: number): number {
  const { dollars, per } = PRICES[line];
  return (units * dollars) / per;
}

export function costPerHour(usage: Usage): CostPerHour {
  const units = unitsPerHour(usage);
  const rows = listPrice("rows", units.rows);
  const requests = listPrice("requests", units.requests);
  const duration = listPrice("duration", units.duration);
  return { rows, requests, duration, total: rows + requests + duration };
}
