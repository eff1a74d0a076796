import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { Allowance } from "../../../room/core/allowance.ts";

const SMALL = 10;

describe("what one connection may send", () => {
  it("[X1] is a burst of frames, and not one more", () => {
    const allowance = new Allowance(0);
    for (let i = 0; i < LIMITS.frameBurst; i++) allowance.frame(SMALL, 0);
    expect(() => allowance.frame(SMALL, 0)).toThrow("rate frames");
  });

  it("[X1] is a burst of bytes, and not one more, in however few frames", () => {
    const allowance = new Allowance(0);
    for (let i = 0; i < LIMITS.byteBurst / LIMITS.frameBytesIn; i++) allowance.frame(LIMITS.frameBytesIn, 0);
    expect(() => allowance.frame(1, 0)).toThrow("rate bytes");
  });

  it("[X1] is a burst of commands, and not one more", () => {
    const allowance = new Allowance(0);
    for (let i = 0; i < LIMITS.commandBurst / LIMITS.commandsPerFrame; i++) {
      allowance.commands(LIMITS.commandsPerFrame, 0);
    }
    expect(() => allowance.commands(1, 0)).toThrow("rate commands");
  });

  it("[X1] goes on for good at each rate, and not above it", () => {
    for (const [most, take] of [
      [LIMITS.framesPerSecond, (it: Allowance, ms: number) => it.frame(SMALL, ms)],
      [LIMITS.bytesPerSecond / 1024, (it: Allowance, ms: number) => it.frame(1024, ms)],
      [LIMITS.commandsPerSecond / 128, (it: Allowance, ms: number) => it.commands(128, ms)],
    ] as const) {
      const run = (perSecond: number) => {
        const allowance = new Allowance(0);
        for (let i = 0; i < perSecond * 60; i++) take(allowance, (i * 1000) / perSecond);
      };
      expect(() => run(most)).not.toThrow();
      expect(() => run(most * 1.25)).toThrow("rate");
    }
  });

  it("[X1] is forgiven what piled up while the room stood still, of each kind", () => {
    const allowance = new Allowance(0);
    allowance.forgive(10_000);
    for (let i = 0; i < LIMITS.frameBurst + 10 * LIMITS.framesPerSecond; i++) allowance.frame(SMALL, 0);
    for (let i = 0; i < 100; i++) allowance.commands(LIMITS.commandsPerFrame, 0);
    expect(() => allowance.frame(SMALL, 0)).toThrow("rate frames");
  });
});
