import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeClientFrame } from "../../../protocol/index.ts";
import { createHarness, type Harness, type LinkOptions } from "../../harness/index.ts";
import { bounded, lossyLink, orderedLink, seeds } from "../harness/arbitraries.ts";
import { type Yard, yard, yardHooks } from "./yard.ts";

const CLIENTS = 2;
const move = fc.record({
  client: fc.integer({ min: 0, max: CLIENTS - 1 }),
  forMs: fc.integer({ min: 1, max: 300 }),
  moveX: fc.constantFrom(-1, 0, 0.5, 1),
  act: fc.constantFrom("walk", "walk", "hop", "throw", "throw", "drop", "crash"),
});
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

const runs = (link: fc.Arbitrary<LinkOptions>) =>
  fc.record({
    seed: seeds,
    links: fc.tuple(link, link),
    moves: fc.array(move, { minLength: 5, maxLength: 25 }),
  });
type Run = ReturnType<typeof runs> extends fc.Arbitrary<infer T> ? T : never;

function act(harness: Harness<Yard>, { client: index, moveX, act: what, forMs }: Move): void {
  const client = harness.client(index);
  client.input.set({ moveX });
  if (what === "hop") client.input.press("hop");
  if (what === "throw") client.actions.throw({ high: moveX });
  if (what === "drop") harness.dropConnection(client);
  if (what === "crash") harness.crashRoom();
  harness.advance(forMs);
}

/** Two players push a ball, meet a cart and throw stones, over bad links, drops and crashes; then peace. */
function expectAgreement({ seed, links, moves }: Run): void {
  const harness = createHarness<Yard>({
    game: yard,
    hooks: yardHooks,
    clients: CLIENTS,
    seed,
    link: (index) => links[index] ?? {},
  });
  const faults = harness.clients.map((client) => client.record("fault"));
  /** Per client, how often each answer was told. */
  const thrown = harness.clients.map(() => new Map<string, number>());
  for (const [index, client] of harness.clients.entries()) {
    client.inEachPage((core) => {
      core.receipts.on("throw", ({ seq, session, status }) => {
        const key = `${session}/${seq} ${status}`;
        thrown[index]?.set(key, (thrown[index]?.get(key) ?? 0) + 1);
      });
    });
  }
  harness.untilJoined();
  for (const one of moves) act(harness, one);
  // Quiet: carts stand still far away, where the wire's rounding can't matter to anybody.
  for (const { pose } of harness.room.world.all("cart")) Object.assign(pose, { x: 100, vx: 0 });
  harness.calm();
  for (const client of harness.clients) client.input.set({ moveX: 0 });
  harness.advance(3000);
  for (const { pose } of harness.room.world.all("cart")) Object.assign(pose, { x: 100, vx: 0 });
  harness.settle();
  // What was within tolerance stays so; one push more and everything is exact.
  for (const client of harness.clients)
    harness.room.world.setSeatRandomState(client.seat as never, seed & 0xffff);
  harness.advance(500);
  harness.settle();
  expect(harness.ledgerProblems()).toEqual([]);
  expect(harness.disagreements()).toEqual([]);
  expect([...harness.room.world.all("stone")]).toEqual([]);
  for (const client of harness.clients) {
    expect([...client.view.all("stone")]).toEqual([]);
    expect(client.stats().openActions).toBe(0);
  }
  expect(faults.flat()).toEqual([]);
  // One answer of each kind for each throw, whatever was replayed.
  for (const answers of thrown) for (const count of answers.values()) expect(count).toBe(1);
}

describe("islands, externals by history and predicted spawns together", () => {
  it("[P4] [P5] [P6] [P9] agree with the room to the bit after a lossy link calms", () => {
    fc.assert(fc.property(runs(lossyLink), expectAgreement), bounded(10));
  });

  it("[P4] [P5] [P6] [P9] agree with the room to the bit after a stalling socket calms", () => {
    fc.assert(fc.property(runs(orderedLink), expectAgreement), bounded(10));
  });

  it("[P1] [I3] replays send nothing, play nothing again, and move no clock", () => {
    const quiet = fc.record({ seed: seeds, rounds: fc.integer({ min: 3, max: 20 }) });
    fc.assert(
      fc.property(quiet, ({ seed, rounds }) => {
        const harness = createHarness<Yard>({ game: yard, hooks: yardHooks, seed, link: { latencyMs: 100 } });
        const client = harness.client(0);
        const sent: string[] = [];
        client.up.hold((bytes) => {
          const frame = decodeClientFrame(bytes, yard.schema);
          if (frame.type === "input")
            for (const { seq } of frame.commands) sent.push(`${frame.inputSession}/${seq}`);
          return false;
        });
        harness.untilJoined();
        harness.advance(2000);
        const played: string[] = [];
        client.core.effects.on("whoosh", { play: ({ seq }) => played.push(String(seq)) });
        for (let round = 0; round < rounds; round++) {
          client.actions.throw({ high: 1 });
          harness.room.world.setSeatRandomState(client.seat as never, seed + round);
          const { tick } = client.stats();
          harness.advance(100);
          // Six ticks of wall time are six ticks of prediction, replays or not; pacing may add or hold one or two.
          expect(Math.abs(client.stats().tick - tick - 6)).toBeLessThanOrEqual(2);
        }
        expect(client.stats().replayedTicks).toBeGreaterThan(0);
        expect(new Set(sent).size).toBe(sent.length);
        expect(played).toEqual([...new Set(played)]);
        expect(played.length).toBe(rounds);
      }),
      bounded(5),
    );
  });
});
