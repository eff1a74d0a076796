import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHarness, type Harness } from "../../harness/index.ts";
import { bounded, lossyLink, orderedLink, percent, seeds } from "./arbitraries.ts";
import { type Mortal, mortal, mortalHooks } from "./mortal-game.ts";

const CLIENTS = 3;
const client = fc.integer({ min: 0, max: CLIENTS - 1 });
const direction = fc.oneof(fc.constantFrom(-1, 0, 1), percent(100));

/** One thing that happens, and how long the world goes on before the next one. */
const event = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant("move"),
      client,
      controls: fc.record({
        moveX: direction,
        moveY: direction,
        sprint: fc.boolean(),
        dash: fc.boolean(),
        poison: fc.nat(30).map((roll) => roll === 30),
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("drop"), client, roomNotices: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("crash"),
      at: fc.constantFrom("now", "before-commit", "after-commit"),
      downMs: fc.constantFrom(0, 100, 700),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("stall"), ms: fc.constantFrom(80, 300, 900) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("full disk"), commits: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("pause"), client, clock: fc.constantFrom("runs", "stops") }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("resume"), client }) },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

function happen(harness: Harness<Mortal>, one: Event): void {
  switch (one.kind) {
    case "move":
      harness.client(one.client).input.set(one.controls);
      break;
    case "drop":
      harness.dropConnection(one.client, one);
      break;
    case "crash":
      harness.crashRoom(one);
      break;
    case "stall":
      harness.stallRoom(one.ms);
      break;
    case "full disk":
      harness.store.failCommits(one.commits);
      break;
    case "pause":
      harness.client(one.client).pause(one.clock);
      break;
    case "resume":
      harness.client(one.client).resume();
      break;
    default:
      one satisfies never;
  }
}

const storm = fc.record({
  seed: seeds,
  windowTicks: fc.integer({ min: 1, max: 6 }),
  frameRate: fc.constantFrom(30, 60, 144),
  links: fc.array(fc.oneof(lossyLink, orderedLink), { minLength: CLIENTS, maxLength: CLIENTS }),
  events: fc.array(fc.record({ event, forMs: fc.integer({ min: 1, max: 250 }) }), {
    minLength: 10,
    maxLength: 40,
  }),
});

describe("everything at once", () => {
  it("[D3] [I3] [I4] [P4] [T6] ends with one history and one state, whatever fails in between", () => {
    fc.assert(
      fc.property(storm, ({ seed, windowTicks, frameRate, links, events }) => {
        const harness = createHarness({
          game: mortal,
          hooks: mortalHooks,
          clients: CLIENTS,
          seed,
          windowTicks,
          frameRate,
          link: (index) => links[index] ?? {},
          room: { maxFaults: 20 },
        });
        harness.untilJoined();
        const seats = harness.clients.map(({ seat }) => seat);
        for (const one of events) {
          happen(harness, one.event);
          harness.advance(one.forMs);
        }
        for (const each of harness.clients) each.resume();
        harness.calm();
        harness.settle();
        expect(harness.clients.map(({ seat }) => seat)).toEqual(seats);
        expect(harness.ledgerProblems()).toEqual([]);
        expect(harness.disagreements()).toEqual([]);
      }),
      bounded(6),
    );
  });
});
