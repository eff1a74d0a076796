/**
 * When to set the next alarm for work that is due at `idealMs`.
 *
 * The platform skips an alarm whose time equals the stored one, and while `alarm()` runs that is the one
 * that is firing: setting it again to the same millisecond cuts the chain and the room stands still. A time
 * that has passed already is allowed, but would let a late room fire without a pause between. So: later
 * than now and later than the firing alarm, by at least 1 ms [T2]. (A thousandth less than the ideal time, which is a
 * sum of fractions: 1050.0000000001 must not become 1051.)
 */
export function nextAlarmMs(idealMs: number, nowMs: number, firingAlarmMs?: number): number {
  const firing = firingAlarmMs ?? Number.NEGATIVE_INFINITY;
  return Math.max(Math.ceil(idealMs - 1e-3), Math.floor(nowMs) + 1, Math.floor(firing) + 1);
}
