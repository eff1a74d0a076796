import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CodedSnapshot, KnownWorld } from "../../../client-sdk/known-world.ts";
import { QuantisedState } from "../../../sim/index.ts";

interface Read {
  readonly frame: CodedSnapshot;
  readonly state: QuantisedState;
}

/** A state counts the frames that it was read over. */
function read(frame: CodedSnapshot, base: Read | undefined): Read {
  const state = QuantisedState.empty(frame.tick);
  state.push(1, 1, 0, 0, 1, [(base?.state.values[0] ?? 0) + 1], 0, 1);
  return { frame, state };
}
const fail = (error: unknown) => {
  throw error;
};
const world = () => new KnownWorld(read, fail);
const snapshot = (tick: number, baseTick: number, more: Partial<CodedSnapshot> = {}): CodedSnapshot => ({
  tick,
  baseTick,
  incarnation: 1,
  requestId: 0,
  ...more,
});
const ticksOf = (known: readonly { frame: CodedSnapshot }[]) => known.map(({ frame }) => frame.tick);

describe("KnownWorld", () => {
  it("[R3] reads each snapshot as a difference against the one that it names", () => {
    const known = world();
    known.receive(snapshot(3, 0), 0);
    known.receive(snapshot(6, 3), 50);
    expect(known.newest?.tick).toBe(6);
    expect(known.newest?.values[0]).toBe(2);
  });

  it("[R3] lets a snapshot wait for its base and gives both back in tick order", () => {
    const known = world();
    known.receive(snapshot(3, 0), 0);
    expect(known.receive(snapshot(9, 6), 50)).toEqual([]);
    expect(known.newest?.tick).toBe(3);
    expect(ticksOf(known.receive(snapshot(6, 3), 60))).toEqual([6, 9]);
    expect(known.newest?.values[0]).toBe(3);
  });

  it("[R3] takes a duplicate for nothing new, read or waiting", () => {
    const known = world();
    known.receive(snapshot(3, 0), 0);
    known.receive(snapshot(9, 6), 0);
    expect(known.receive(snapshot(3, 0), 10)).toEqual([]);
    expect(known.receive(snapshot(9, 6), 10)).toEqual([]);
    expect(ticksOf(known.receive(snapshot(6, 3), 20))).toEqual([6, 9]);
  });

  it("[R3] keeps what it could read when a snapshot that waited for it can't be", () => {
    const refused: unknown[] = [];
    const picky: typeof read = (frame, base) => (frame.tick === 9 ? fail("no") : read(frame, base));
    const known = new KnownWorld(picky, (error) => refused.push(error));
    known.receive(snapshot(3, 0), 0);
    known.receive(snapshot(9, 6), 0);
    expect(ticksOf(known.receive(snapshot(6, 3), 0))).toEqual([6]);
    expect(refused).toEqual(["no"]);
  });

  it("[R3] asks for a keyframe when a base doesn't come, once until it could have been answered", () => {
    const known = world();
    known.receive(snapshot(3, 0), 0);
    known.receive(snapshot(9, 6), 50);
    expect(known.wantsKeyframe(100)).toBeUndefined();
    expect(known.wantsKeyframe(251)).toBe(1);
    expect(known.wantsKeyframe(300)).toBeUndefined();
    // Lost on the way: asked for again, under another number.
    expect(known.wantsKeyframe(1300)).toBe(2);
    expect(ticksOf(known.receive(snapshot(30, 0, { requestId: 2 }), 1350))).toEqual([30]);
    expect(known.wantsKeyframe(9999)).toBeUndefined();
    expect(ticksOf(known.receive(snapshot(33, 30), 1400))).toEqual([33]);
  });

  it("[R3] asks at once when half of its waiting room is taken, and never keeps more than 8", () => {
    const known = world();
    known.receive(snapshot(3, 0), 0);
    for (let i = 0; i < 3; i++) known.receive(snapshot(100 + 3 * i, 97 + 3 * i), i);
    expect(known.wantsKeyframe(3)).toBeUndefined();
    known.receive(snapshot(109, 106), 3);
    expect(known.wantsKeyframe(4)).toBe(1);
    for (let i = 4; i < 20; i++) known.receive(snapshot(100 + 3 * i, 97 + 3 * i), i);
    // Its base arrives at last, but the chain's beginning had to go.
    expect(ticksOf(known.receive(snapshot(97, 3), 30))).toEqual([97]);
    expect(ticksOf(known.receive(snapshot(133, 97), 30)).length).toBe(9);
  });

  it("[R2] forgets everything of an older incarnation, and refuses what still comes of it", () => {
    const known = world();
    known.receive(snapshot(30, 0), 0);
    expect(ticksOf(known.receive(snapshot(12, 0, { incarnation: 2 }), 10))).toEqual([12]);
    expect(known.newest?.tick).toBe(12);
    expect(known.receive(snapshot(33, 30), 20)).toEqual([]);
    // A base of the old incarnation is none.
    expect(known.receive(snapshot(36, 30, { incarnation: 2 }), 30)).toEqual([]);
  });

  it("[R3] gives the same states for any order of arrival with duplicates", () => {
    const chain = Array.from({ length: 8 }, (_, i) => snapshot(3 * (i + 1), 3 * i));
    fc.assert(
      fc.property(
        fc.shuffledSubarray(chain, { minLength: 8 }),
        fc.infiniteStream(fc.nat(7)),
        (order, repeats) => {
          const known = world();
          const read = order.flatMap((frame) => [
            ...known.receive(frame, 0),
            ...known.receive(chain[repeats.next().value ?? 0] as CodedSnapshot, 0),
          ]);
          const keyed = new Map(read.map(({ frame, state }) => [frame.tick, state.values[0]]));
          expect(read.length).toBe(keyed.size);
          expect([...keyed].sort((a, b) => a[0] - b[0])).toEqual(
            chain.map((frame, i) => [frame.tick, i + 1]),
          );
        },
      ),
    );
  });
});
