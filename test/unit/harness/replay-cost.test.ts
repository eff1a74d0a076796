import { expect, it } from "vitest";
import { replayCost } from "../../harness/index.ts";
import { busyHooks, field } from "./games.ts";

it("[P10] replayCost times replays of the asked length with the stopwatch that it is given", () => {
  let readings = 0;
  const cost = replayCost({
    game: field,
    hooks: busyHooks,
    roomOptions: {},
    ticks: 32,
    rounds: 8,
    stopwatch: () => 2 * readings++,
    play: (client, round) => client.input.set({ moveX: round % 2 === 0 ? 1 : -1 }),
  });
  expect(cost.ticks).toBe(32);
  // Each replay lies between two readings, which are 2 apart.
  expect(cost.p50Ms).toBeGreaterThan(1);
  expect(cost.p95Ms).toBeLessThan(4);
});
