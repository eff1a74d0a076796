import { describe, expect, it } from "vitest";
import { runSeed } from "../../faults/index.ts";

/** A share of what `npm run faults -- --store memory` runs. */
const SEEDS = Array.from({ length: 60 }, (_, at) => 1 + at);

describe("a room under random faults", () => {
  it.each(SEEDS)(
    "[D3] [I3] [I4] [A2] [A3] [A4] [S2] [S3] loses, doubles and bends nothing: seed %i",
    async (seed) => {
      expect(await runSeed(seed)).toEqual({ lost: [], doubled: [], divergent: [] });
    },
  );

  it("[S3] [A8] [S5] tells a page that was reloaded right after its session had ended what became of its actions", async () => {
    expect(await runSeed(841)).toEqual({ lost: [], doubled: [], divergent: [] });
  });
});
