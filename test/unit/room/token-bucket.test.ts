import { describe, expect, it } from "vitest";
import { TokenBucket } from "../../../room/core/token-bucket.ts";

/** How many of `tries` go through at one moment. */
function through(bucket: TokenBucket, tries: number, nowMs: number): number {
  let passed = 0;
  for (let i = 0; i < tries; i++) if (bucket.take(nowMs)) passed++;
  return passed;
}

describe("a token bucket", () => {
  it("[X1] lets its burst through at once and not one more", () => {
    const bucket = new TokenBucket({ ratePerSecond: 10, burst: 20 }, 0);
    expect(through(bucket, 25, 0)).toBe(20);
  });

  it("[X1] fills at its rate, up to its burst", () => {
    const bucket = new TokenBucket({ ratePerSecond: 10, burst: 20 }, 0);
    through(bucket, 20, 0);
    expect(through(bucket, 5, 300)).toBe(3);
    expect(through(bucket, 50, 60_000)).toBe(20);
  });

  it("[X1] forgives what piled up while the room stood still, once", () => {
    const bucket = new TokenBucket({ ratePerSecond: 10, burst: 20 }, 0);
    through(bucket, 20, 0);
    bucket.forgive(5_000);
    expect(through(bucket, 100, 0)).toBe(50);
    expect(through(bucket, 100, 0)).toBe(0);
  });

  it("[X1] forgives no more than thirty seconds' worth", () => {
    const bucket = new TokenBucket({ ratePerSecond: 10, burst: 20 }, 0);
    bucket.forgive(3_600_000);
    expect(through(bucket, 1_000, 0)).toBe(20 + 300);
  });

  it("[X1] takes an amount as a whole or not at all, of what is forgiven, too", () => {
    const bucket = new TokenBucket({ ratePerSecond: 10, burst: 20 }, 0);
    expect(bucket.take(0, 21)).toBe(false);
    expect(bucket.take(0, 20)).toBe(true);
    bucket.forgive(1_000);
    expect(bucket.take(0, 11)).toBe(false);
    expect(bucket.take(0, 10)).toBe(true);
  });

  it("[X1] gives nothing for a clock that goes backwards", () => {
    const bucket = new TokenBucket({ ratePerSecond: 10, burst: 20 }, 1_000);
    through(bucket, 20, 1_000);
    expect(through(bucket, 5, 0)).toBe(0);
  });
});
