import { describe, expect, it } from "vitest";
import { createHarness } from "../../harness/index.ts";
import { busyHooks, field, fieldHooks, windyField } from "./games.ts";

/** A run with everything random in it, and what it came to. */
function outcome(seed: number) {
  const harness = createHarness({
    game: windyField,
    hooks: busyHooks,
    clients: 3,
    seed,
    link: { latencyMs: 40, jitterMs: 60, duplicateShare: 0.1, reorderShare: 0.1, ordered: false },
    roomOptions: { bots: 2 },
  });
  harness.untilJoined();
  for (let i = 0; i < 20; i++) {
    harness.client(i % 3).input.set({ moveX: Math.sin(i), dash: i % 4 === 0 });
    harness.advance(70);
    if (i === 10) harness.crashRoom({ at: "after-commit", downMs: 50 });
  }
  return {
    hash: harness.room.world.hash(),
    stats: harness.clients.map((client) => client.stats()),
    room: harness.room.stats(),
  };
}

describe("the harness", () => {
  it("repeats a run exactly from its seed, crash and faults included", () => {
    expect(outcome(11)).toEqual(outcome(11));
    expect(outcome(12)).not.toEqual(outcome(11));
  });

  it("adds the link's delay to both directions, and to the opening", () => {
    const harness = createHarness({ game: field, hooks: fieldHooks, link: { latencyMs: 80 } });
    const startMs = harness.nowMs;
    harness.untilJoined();
    // Opening takes a round trip, hello and welcome another, and the first window up to 50 ms.
    expect(harness.nowMs - startMs).toBeGreaterThanOrEqual(320);
    expect(harness.nowMs - startMs).toBeLessThan(320 + 50 + 17);
    harness.advance(2000);
    expect(harness.client(0).stats().rttMs).toBeGreaterThanOrEqual(160);
    expect(harness.client(0).stats().rttMs).toBeLessThan(170);
  });

  it("holds what arrives and hands it over one by one", () => {
    const harness = createHarness({ game: field, hooks: fieldHooks });
    harness.untilJoined();
    const client = harness.client(0);
    client.down.hold();
    harness.advance(500);
    expect(client.down.held).toBe(10);
    const before = client.stats().consumed;
    client.down.release(2);
    harness.advance(0);
    expect(client.down.held).toBe(8);
    expect(client.stats().consumed).toBeGreaterThan(before);
    expect(client.stats().consumed).toBeLessThanOrEqual(before + 6);
    client.down.release();
    harness.advance(0);
    expect(client.down.held).toBe(0);
    harness.settle();
    expect(harness.disagreements()).toEqual([]);
  });

  it("says in words where a client and the room disagree", () => {
    const harness = createHarness({ game: field, hooks: fieldHooks });
    harness.untilJoined();
    harness.settle();
    const entity = harness.room.world.byId(harness.serverEntity(0)?.id ?? 0);
    if (entity?.archetype !== "player") throw new Error("no player");
    const x = entity.transform.x;
    entity.transform.x = 5;
    expect(harness.disagreements()).toEqual([`player-1: transform.x of entity ${entity.id}: 5 is ${x}`]);
  });

  it("refuses options that mean nothing, and says what they may be", () => {
    const options = { game: field, hooks: fieldHooks };
    expect(() => createHarness({ ...options, windowTicks: 0 })).toThrow(
      "windowTicks is 0; it must be a whole number of ticks, at least 1",
    );
    expect(() => createHarness({ ...options, frameRate: 0 })).toThrow(
      "frameRate is 0; it must lie between 0 and 1000 frames per second",
    );
    expect(() => createHarness({ ...options, seed: 0.5 })).toThrow("seed is 0.5; it must be a whole number");
    expect(() => createHarness({ ...options, link: { latencyMs: -1 } })).toThrow(
      "link.latencyMs is -1; it must be milliseconds, 0 or more",
    );
    expect(() => createHarness({ ...options, link: { up: { duplicateShare: 20 } } })).toThrow(
      "link.up.duplicateShare is 20; it must be a share between 0 and 1",
    );
    expect(() => createHarness(options).dropConnection(3)).toThrow(
      "there is no client 3; there are 0 player-1",
    );
  });

  it("says what it waited for in vain, and how everybody was then", () => {
    const harness = createHarness({ game: field, hooks: fieldHooks, clients: ["ada"] });
    harness.untilJoined();
    expect(() => harness.until(() => false, { withinMs: 200, what: "a miracle" })).toThrow(
      /^a miracle didn't come true within 200 ms\. Room: running at tick \d+, incarnation 1, faults 0; ada: joined/,
    );
  });
});
