import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
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
