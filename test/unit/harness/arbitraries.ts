import fc from "fast-check";
import type { Harness, LinkOptions } from "../../harness/index.ts";
import type { Field } from "./games.ts";

/** Whole hundredths: a failing run shrinks in few steps. */
export function percent(max: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max }).map((hundredths) => hundredths / 100);
}

/** One-way delays up to 200 ms, with everything that a lossy transport does except losing. */
export const lossyLink: fc.Arbitrary<LinkOptions> = fc.record({
  latencyMs: fc.integer({ min: 0, max: 200 }),
  jitterMs: fc.integer({ min: 0, max: 100 }),
  duplicateShare: percent(30),
  reorderShare: percent(30),
  burstShare: percent(2),
  burstMs: fc.integer({ min: 0, max: 300 }),
  ordered: fc.constant(false),
});

/** A WebSocket over a bad network. */
export const orderedLink: fc.Arbitrary<LinkOptions> = fc.record({
  latencyMs: fc.integer({ min: 0, max: 200 }),
  jitterMs: fc.integer({ min: 0, max: 100 }),
  burstShare: percent(2),
  burstMs: fc.integer({ min: 0, max: 300 }),
});

/** What somebody does with the controls, and for how long. */
export interface Move {
  readonly client: number;
  readonly forMs: number;
  readonly controls: {
    readonly moveX: number;
    readonly moveY: number;
    readonly aim: number;
    readonly sprint: boolean;
    readonly dash: boolean;
  };
}

const direction = fc.oneof(fc.constantFrom(-1, 0, 1), percent(100));

export function movesOf(clients: number): fc.Arbitrary<Move[]> {
  return fc.array(
    fc.record({
      client: fc.integer({ min: 0, max: clients - 1 }),
      forMs: fc.integer({ min: 1, max: 250 }),
      controls: fc.record({
        moveX: direction,
        moveY: direction,
        aim: percent(628),
        sprint: fc.boolean(),
        dash: fc.boolean(),
      }),
    }),
    { minLength: 5, maxLength: 25 },
  );
}

export const seeds = fc.integer({ min: 0, max: 0xffff_ffff });

/** Plays moves one after the other. */
export function play(harness: Harness<Field>, moves: readonly Move[]): void {
  for (const { client, forMs, controls } of moves) {
    harness.client(client).input.set(controls);
    harness.advance(forMs);
  }
}

/**
 * So many runs, few enough for the inner loop; `PROPERTY_RUNS_FACTOR=50` walks further. A failing one is made smaller
 * for a while, not for minutes; its seed and path, given to `fc.assert` with it, repeat it.
 */
export function bounded(numRuns: number): { numRuns: number; interruptAfterTimeLimit: number } {
  const factor = Number(process.env.PROPERTY_RUNS_FACTOR ?? 1);
  return { numRuns: numRuns * factor, interruptAfterTimeLimit: 15_000 * factor };
}
