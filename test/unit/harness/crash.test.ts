import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeRoom } from "../../../protocol/index.ts";
import { createHarness, type Harness } from "../../harness/index.ts";
import { bounded, movesOf, orderedLink, play, seeds } from "./arbitraries.ts";
import { busyHooks, type Field, field, fieldHooks, windyField } from "./games.ts";

const crash = fc.record({
  at: fc.constantFrom("now", "before-commit", "after-commit"),
  downMs: fc.constantFrom(0, 20, 300, 1200),
  moves: movesOf(2),
});

/** What is on disk now: the boundary that a restart must not fall behind. */
function storedBoundary(harness: Harness<Field>): { tick: number; hash: bigint } {
  const { state } = harness.store.load() ?? {};
  if (!state) throw new Error("nothing is stored");
  return decodeRoom(state, windyField);
}

/** Crashes, waits until the room is back, and holds what it begins with against what was on disk. */
function crashAndReturn(
  harness: Harness<Field>,
  options: { at: "now" | "before-commit" | "after-commit"; downMs: number },
) {
  const { incarnation } = harness.room;
  const told = harness.clients.map((client) => client.stats().durable);
  harness.crashRoom(options);
  harness.until(() => harness.room.incarnation > incarnation, { what: "the restart" });
  expect(harness.room.incarnation).toBe(incarnation + 1);
  const stored = storedBoundary(harness);
  expect(harness.room.tick).toBe(stored.tick);
  expect(harness.room.world.hash()).toBe(stored.hash);
  for (const [index, durable] of told.entries()) {
    expect(harness.executed(index).at(-1)?.seq ?? 0).toBeGreaterThanOrEqual(durable);
  }
}

describe("a room whose process ends", () => {
  it("[D3] [I4] continues from its last commit at any time, and clients go on by themselves", () => {
    const runs = fc.record({
      seed: seeds,
      links: fc.tuple(orderedLink, orderedLink),
      crashes: fc.array(crash, { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(runs, ({ seed, links, crashes }) => {
        const harness = createHarness({
          game: windyField,
          hooks: busyHooks,
          clients: 2,
          seed,
          link: (index) => links[index] ?? {},
          roomOptions: { bots: 2 },
        });
        harness.untilJoined();
        const seats = harness.clients.map(({ seat }) => seat);
        for (const { moves, ...options } of crashes) {
          play(harness, moves);
          crashAndReturn(harness, options);
        }
        harness.calm();
        harness.settle();
        expect(harness.clients.map(({ seat }) => seat)).toEqual(seats);
        expect(harness.clients.map((client) => client.stats().incarnation)).toEqual(
          seats.map(() => crashes.length + 1),
        );
        // One input session from the first command to the last: only who was away past the replay bound begins anew.
        const ended = harness.store.ledgerRows.flatMap((row) => row.ended);
        expect(ended.filter(({ reason }) => reason !== "replay-bound")).toEqual([]);
        expect(harness.ledgerProblems()).toEqual([]);
        expect(harness.disagreements()).toEqual([]);
      }),
      bounded(6),
    );
  });

  it("[D3] [T1] [I5] goes on exactly as it would have without the crash: bots, chance and held controls", () => {
    const options = { game: windyField, hooks: busyHooks, seed: 21 };
    const live = createHarness({ ...options, roomOptions: { bots: 3 } });
    live.untilJoined();
    live.client(0).input.set({ moveX: 1, sprint: true });
    live.advance(500);
    // No more commands: the room uses up those in hand, holds the last one, then lets go.
    live.client(0).pause();
    const boundaries: Uint8Array[] = [];
    for (let window = 0; window < 8; window++) {
      live.advance(50);
      const stored = live.store.load();
      if (stored) boundaries.push(stored.state);
    }
    live.advance(1000);
    const hashes = new Map(live.store.ledgerRows.map(({ toTick, hash }) => [toTick, hash]));
    const idleAfter = live.executed(0).at(-1)?.tick ?? 0;
    let compared = 0;
    for (const stored of boundaries) {
      const restarted = createHarness({ ...options, clients: 0, stored });
      if (restarted.room.tick < idleAfter) continue;
      restarted.advance(900);
      for (const { toTick, hash } of restarted.store.ledgerRows) {
        expect(hash, `tick ${toTick}`).toBe(hashes.get(toTick));
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(50);
  });

  it("[D3] moves a walking player back by no more than the last committed window", () => {
    for (const downMs of [0, 100, 400]) {
      const harness = createHarness({
        game: field,
        hooks: fieldHooks,
        link: { latencyMs: 60 },
        seed: 3 + downMs,
      });
      harness.untilJoined();
      const client = harness.client(0);
      client.input.set({ moveX: 0.3 });
      harness.advance(1500);
      const before = harness.predictedEntity(0);
      const restarts = client.record("restarted");
      harness.crashRoom({ downMs });
      const place: number[] = [];
      harness.until(
        () => {
          place.push(harness.predictedEntity(0)?.values["transform.x"] ?? Number.NaN);
          return restarts?.length === 1;
        },
        { withinMs: 3000, what: "a snapshot of the new incarnation" },
      );
      const speed = before?.values["transform.vx"] ?? 0;
      const furthestBack = Math.max(...place.map((x, i) => Math.max(...place.slice(0, i), x) - x));
      expect(furthestBack).toBeLessThanOrEqual(speed * 3 * field.dt);
      harness.settle();
      expect(harness.disagreements()).toEqual([]);
    }
  });

  it("[D6] acknowledges and sends nothing of a window that can't be stored, and runs it again", () => {
    const harness = createHarness({ game: field, hooks: fieldHooks, clients: 2, link: { latencyMs: 20 } });
    harness.untilJoined();
    harness.advance(1000);
    harness.client(0).input.set({ moveX: 1 });
    harness.store.failCommits(4);
    const rows = harness.store.ledgerRows.length;
    const told = harness.clients.map((client) => client.stats().consumed);
    harness.advance(60);
    const inFlight = harness.clients.map((client) => client.stats().consumed);
    harness.advance(100);
    expect(harness.store.ledgerRows.length).toBe(rows);
    expect(harness.clients.map((client) => client.stats().consumed)).toEqual(inFlight);
    expect(told.length).toBe(2);
    harness.settle();
    expect(harness.room.stats().storageErrors).toBe(4);
    expect(harness.ledgerProblems()).toEqual([]);
    expect(harness.disagreements()).toEqual([]);
  });
});
