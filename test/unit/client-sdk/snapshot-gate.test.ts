import { describe, expect, it } from "vitest";
import { SnapshotGate, type SnapshotMark } from "../../../client-sdk/snapshot-gate.ts";

const known: SnapshotMark = { incarnation: 2, inputSession: 7, tick: 600, consumed: 16 };

describe("SnapshotGate", () => {
  it.each([
    ["accepts a newer tick with the same consumed", { tick: 603 }, "newer"],
    ["accepts a newer tick with more consumed", { tick: 603, consumed: 19 }, "newer"],
    ["takes an exact repeat for what it is", {}, "repeat"],
    ["refuses an older tick", { tick: 597 }, "stale"],
    ["refuses an older tick with more consumed", { tick: 597, consumed: 19 }, "stale"],
    ["refuses a consumed that went back", { tick: 603, consumed: 15 }, "stale"],
    ["refuses another consumed at the same tick", { consumed: 17 }, "stale"],
    [
      "accepts a newer incarnation, though its tick and consumed are older",
      { incarnation: 3, tick: 1, consumed: 0 },
      "anchor",
    ],
    [
      "refuses an older incarnation, though its tick is newer",
      { incarnation: 1, tick: 900, consumed: 99 },
      "stale",
    ],
    [
      "accepts a newer input session, which counts from 1 again",
      { inputSession: 8, tick: 603, consumed: 0 },
      "anchor",
    ],
    ["refuses an older input session", { inputSession: 6, tick: 603, consumed: 99 }, "stale"],
  ] as const)("[P3] %s", (_, change, verdict) => {
    const gate = new SnapshotGate();
    gate.admit(known);
    expect(gate.admit({ ...known, ...change })).toBe(verdict);
    const remembers = verdict === "newer" || verdict === "anchor";
    expect(gate.last).toEqual(remembers ? { ...known, ...change } : known);
  });

  it("[P3] begins with whatever comes first", () => {
    expect(new SnapshotGate().admit(known)).toBe("anchor");
  });
});
