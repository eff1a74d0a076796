import { describe, expect, it } from "vitest";
import { Lateness } from "../../../room/core/lateness.ts";

describe("lateness", () => {
  it("[T3] is zero before the first window", () => {
    expect(new Lateness().quantileMs(0.99)).toBe(0);
  });

  it("[T3] reports the share of windows that were later", () => {
    const lateness = new Lateness();
    for (let ms = 1; ms <= 1000; ms++) lateness.record(ms);
    expect(lateness.quantileMs(0.5)).toBe(501);
    expect(lateness.quantileMs(0.99)).toBe(991);
    expect(lateness.quantileMs(1)).toBe(1000);
  });

  it("[T3] forgets what is more than a minute of windows old", () => {
    const lateness = new Lateness();
    lateness.record(5_000);
    for (let i = 0; i < 1200; i++) lateness.record(2);
    expect(lateness.quantileMs(1)).toBe(2);
  });
});
