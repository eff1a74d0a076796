import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHarness, type LinkOptions } from "../../harness/index.ts";
import { bounded, lossyLink, type Move, movesOf, orderedLink, play, seeds } from "./arbitraries.ts";
import { busyHooks, field, fieldHooks, windyField } from "./games.ts";

interface Run {
  readonly seed: number;
  readonly links: readonly LinkOptions[];
  readonly moves: readonly Move[];
}

/** Two clients who walk, dash and ride about while the room shoves them, and then peace. */
function expectAgreement({ seed, links, moves }: Run): void {
  const harness = createHarness({
    game: windyField,
    hooks: busyHooks,
    clients: links.length,
    seed,
    link: (index) => links[index] ?? {},
  });
  harness.untilJoined();
  play(harness, moves);
  harness.calm();
  harness.settle();
  expect(harness.ledgerProblems()).toEqual([]);
  expect(harness.disagreements()).toEqual([]);
}

describe("prediction and room", () => {
  it("[P4] [I3] [I4] agree to the bit after a lossy link calms, each command executed once", () => {
    const runs = fc.record({ seed: seeds, links: fc.tuple(lossyLink, lossyLink), moves: movesOf(2) });
    fc.assert(fc.property(runs, expectAgreement), bounded(10));
  });

  it("[P4] [I3] [I4] agree to the bit after a stalling socket calms, each command executed once", () => {
    const runs = fc.record({ seed: seeds, links: fc.tuple(orderedLink, orderedLink), moves: movesOf(2) });
    fc.assert(fc.property(runs, expectAgreement), bounded(5));
  });

  it("[P4] [P10] need no correction at all on a steady link in a static world", () => {
    const steady = fc.record({
      seed: seeds,
      upMs: fc.integer({ min: 0, max: 250 }),
      downMs: fc.integer({ min: 0, max: 250 }),
      frameRate: fc.constantFrom(30, 60, 75, 144),
      moves: movesOf(2),
    });
    const expectNoCorrection = ({
      seed,
      upMs,
      downMs,
      frameRate,
      moves,
    }: typeof steady extends fc.Arbitrary<infer T> ? T : never) => {
      const harness = createHarness({
        game: field,
        hooks: fieldHooks,
        clients: 2,
        seed,
        frameRate,
        link: { up: { latencyMs: upMs }, down: { latencyMs: downMs } },
      });
      harness.untilJoined();
      play(harness, moves);
      harness.settle();
      expect(harness.disagreements()).toEqual([]);
      for (const client of harness.clients) {
        expect(client.stats()).toMatchObject({ corrections: 0, hardApplies: 0, badFrames: 0 });
      }
    };
    fc.assert(fc.property(steady, expectNoCorrection), bounded(8));
  });
});
