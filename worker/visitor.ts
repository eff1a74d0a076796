import { LIMITS } from "../protocol/index.ts";

export interface VisitorVars {
  /** Cloudflare's rate limiter, if there is one: counts over all of a location's machines. */
  readonly TICKROOM_JOIN_LIMIT?: RateLimit;
}

/** Under which a room is told the address that a connection counts for; whatever a visitor sends so is thrown away. */
export const ADDRESS_HEADER = "tickroom-address";

const MINUTE_MS = 60_000;
/** Addresses that one isolate tells apart in a minute: a bound on its memory. All further ones share a count. */
const MAX_ADDRESSES = 10_000;

/**
 * Whom a request counts for: its IPv4 address, or the /64 network of an IPv6 one, since a home has all of its addresses.
 * Undefined for this machine's own and where the platform names nobody.
 * @param ip what Cloudflare says in `CF-Connecting-IP`, which a visitor can't choose
 */
export function visitorOf(ip: string | undefined): string | undefined {
  if (ip === undefined || ip === "::1" || ip.startsWith("127.")) return undefined;
  if (!ip.includes(":")) return ip;
  const [head = "", tail] = ip.toLowerCase().split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...new Array<string>(zeros).fill("0"), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/** Counts the requests of each visitor by the minute, in this isolate's memory: what there is without the binding. */
export class VisitorCounts {
  #minute = Number.NaN;
  readonly #counts = new Map<string, number>();

  /** @returns whether this one is still within the limit */
  admits(visitor: string, nowMs: number): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    const key = this.#counts.has(visitor) || this.#counts.size < MAX_ADDRESSES ? visitor : "others";
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= LIMITS.joinsPerAddress;
  }
}

/** Asks the binding if there is one, else our own counts. A limiter that fails lets everybody in: it must not be an outage. */
export async function mayCome(
  visitor: string | undefined,
  { TICKROOM_JOIN_LIMIT: binding }: VisitorVars,
  counts: VisitorCounts,
  nowMs: number,
): Promise<boolean> {
  if (visitor === undefined) return true;
  if (!binding) return counts.admits(visitor, nowMs);
  try {
    return (await binding.limit({ key: visitor })).success;
  } catch {
    return true;
  }
}
