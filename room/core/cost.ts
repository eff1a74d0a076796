/**
 * List prices of Cloudflare's paid plan in US dollars, and what an account has included per month. Sources, as of
 * 2026-12-01: https://developers.cloudflare.com/durable-objects/platform/pricing/ (rows, requests, duration, storage) and
 * https://developers.cloudflare.com/workers/platform/pricing/ (Worker requests).
 */
export const PRICES = {
  /** Rows written to SQLite; each `setAlarm` is one, bytes don't count. */
  rows: { perMillion: 1, included: 50_000_000 },
  /** Requests of Durable Objects: connections, alarm invocations, and incoming messages at their ratio. */
  requests: { perMillion: 0.15, included: 1_000_000 },
  /** GB-seconds of a Durable Object in memory. */
  duration: { perMillion: 12.5, included: 400_000 },
  /** GB-months of stored data. */
  storage: { perUnit: 0.2, included: 5 },
  /** Requests of the Worker in front: two per join. */
  workerRequests: { perMillion: 0.3, included: 10_000_000 },
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
function unitsPerHour({ rowsPerSecond, messagesPerSecond, requestsPerSecond, awakeShare }: Usage) {
  return {
    rows: rowsPerSecond * 3600,
    requests: (requestsPerSecond + messagesPerSecond / MESSAGES_PER_REQUEST) * 3600,
    duration: awakeShare * OBJECT_GB * 3600,
  };
}

export function costPerHour(usage: Usage): CostPerHour {
  const units = unitsPerHour(usage);
  const rows = (units.rows * PRICES.rows.perMillion) / 1e6;
  const requests = (units.requests * PRICES.requests.perMillion) / 1e6;
  const duration = (units.duration * PRICES.duration.perMillion) / 1e6;
  return { rows, requests, duration, total: rows + requests + duration };
}
