import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { crashAt, crashAtRefund } from "../faults/index.ts";
import { runOnSqlite } from "./fault-run.ts";
import { freshStub } from "./rooms.ts";

/** A share of what `npm run faults` runs. */
const SEEDS = Array.from({ length: 30 }, (_, at) => 1001 + at);

describe("a room on SQLite under random faults", () => {
  it.each(SEEDS)("[D1] [D3] [D6] [I4] [A4] loses, doubles and bends nothing: seed %i", (seed) =>
    runInDurableObject(freshStub(`faults-${seed}`), async (_, { storage }) => {
      expect(await runOnSqlite(seed, storage)).toEqual({ lost: [], doubled: [], divergent: [] });
    }),
  );
});

/** Of the 80 that the same test passes through in memory, every third for each. */
const SKIPS = Array.from({ length: 80 }, (_, skip) => skip);

describe("a room on SQLite that ends at each boundary in turn", () => {
  it.each([
    ["at a purchase", crashAt, 1, 0],
    ["at a purchase, with a commit every 4 windows", crashAt, 4, 1],
    ["at a refund", crashAtRefund, 1, 2],
    ["at a refund, with a commit every 4 windows", crashAtRefund, 4, 0],
  ] as const)(
    "[D1] [D3] [I4] [A3] [A9] is as if it had never ended: %s",
    async (_, schedule, commitEvery, first) => {
      for (const skip of SKIPS.filter((at) => at % 3 === first)) {
        await runInDurableObject(freshStub(`boundary-${skip}`), async (_room, { storage }) => {
          const verdict = await runOnSqlite(schedule(skip, commitEvery), storage);
          expect({ skip, ...verdict }).toEqual({ skip, lost: [], doubled: [], divergent: [] });
        });
      }
    },
  );
});
