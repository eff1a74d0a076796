import { describe, expect, it } from "vitest";
import { shootAtWhatIsSeen } from "../../../bench/shots.ts";

describe("aiming at what the screen shows", () => {
  it.each([
    ["a steady link", { latencyMs: 125 }],
    ["jitter", { latencyMs: 115, jitterMs: 20 }],
  ])("[L2] hits every time at 250 ms over %s, and only now and then without lag compensation", (_, link) => {
    const on = shootAtWhatIsSeen({ shots: 60, compensate: true, link, seed: 7 });
    expect(on.hits).toBe(on.shots);
    expect(on.farthestMetres).toBeLessThan(0.01);
    const off = shootAtWhatIsSeen({ shots: 60, compensate: false, link, seed: 7 });
    expect(off.hits).toBeLessThan(0.75 * off.shots);
  });
});
