import { describe, expect, it } from "vitest";
import type { RoomHooks } from "../../../room/index.ts";
import { createHarness, type HarnessOptions } from "../../harness/index.ts";
import { type Field, field } from "./games.ts";

const hooks: RoomHooks<Field> = {
  onCreate: ({ world }) => {
    world.spawn("lift");
  },
  onJoin: (seat) => {
    seat.spawn("player", { place: { x: seat.id } });
  },
};

function play(options: Partial<HarnessOptions<Field>>) {
  const harness = createHarness<Field>({ game: field, hooks, clients: 2, ...options });
  harness.untilJoined();
  const [a, b] = harness.clients as [(typeof harness.clients)[0], (typeof harness.clients)[0]];
  return { harness, a, b };
}

describe("ClientCore in a room", () => {
  it.each([20, 30, 60, 144])(
    "[P4] is never corrected on a steady link at %i frames per second",
    (frameRate) => {
      for (const [seed, latencyMs] of [0, 7, 60, 130].entries()) {
        const { harness, a, b } = play({ seed, frameRate, link: { latencyMs } });
        for (let i = 0; i < 30; i++) {
          a.input.set({ moveX: Math.sin(i / 7), moveY: Math.cos(i / 5) });
          b.input.set({ moveX: i % 20 < 10 ? 1 : -1 });
          if (i % 5 === 0) a.input.press("gamble");
          harness.advance(100);
        }
        expect([a, b].map((client) => client.stats().corrections)).toEqual([0, 0]);
        expect([a, b].map((client) => client.stats().hardApplies)).toEqual([0, 0]);
        harness.calm();
        harness.settle();
        expect(harness.disagreements()).toEqual([]);
        expect(harness.ledgerProblems()).toEqual([]);
      }
    },
  );

  it("[P1] shows own movement in the next frame with 200 ms of added latency", () => {
    const { harness, a } = play({ link: { latencyMs: 200 } });
    harness.advance(2000);
    const before = a.view.own?.place.x as number;
    a.input.set({ moveX: 1 });
    harness.advance(2 * (1000 / 60));
    expect(a.view.own?.place.x).toBeGreaterThan(before);
    expect(harness.serverEntity(a)?.values["place.x"]).toBe(before);
  });

  it("[V1] [V4] shows others moving smoothly, and never backwards, over a jittery link", () => {
    const { harness, a, b } = play({ seed: 5, link: { latencyMs: 40, jitterMs: 40 } });
    a.input.set({ moveX: 1 });
    harness.advance(4000);
    const id = a.view.own?.id as number;
    const steps: number[] = [];
    let last = b.view.get(id)?.place.x as number;
    for (let i = 0; i < 180; i++) {
      harness.advance(1000 / 60);
      const x = b.view.get(id)?.place.x as number;
      steps.push(x - last);
      last = x;
    }
    // 10 units a second at 60 frames a second.
    expect(Math.min(...steps)).toBeGreaterThan(0.1);
    expect(Math.max(...steps)).toBeLessThan(0.23);
    expect(b.view.get(id)).toMatchObject({ own: false, stalled: false });
  });

  it("[V6] says of others that they stall while nothing is heard, and shows them move again afterwards", () => {
    const { harness, a, b } = play({ link: { latencyMs: 20 } });
    a.input.set({ moveX: 1 });
    harness.advance(1000);
    const id = a.view.own?.id as number;
    b.down.hold();
    harness.advance(600);
    expect(b.view.get(id)).toMatchObject({ stalled: true });
    b.down.release();
    harness.advance(300);
    expect(b.view.get(id)).toMatchObject({ stalled: false });
  });

  it("shows own entities as the room has them when prediction is off, while input still goes out", () => {
    const { harness, a } = play({ link: { latencyMs: 100 } });
    harness.advance(1000);
    a.core.prediction.enabled = false;
    const before = harness.serverEntity(a)?.values["place.x"] as number;
    a.input.set({ moveX: 1 });
    harness.advance(150);
    expect(a.view.own?.place.x).toBeCloseTo(before, 2);
    harness.advance(1000);
    expect(a.view.own?.place.x).toBeGreaterThan(before + 1);
    const ghost = a.view.server(a.view.own?.id ?? 0)?.place.x as number;
    expect(ghost).toBeGreaterThan(a.view.own?.place.x as number);
    a.core.prediction.enabled = true;
    harness.advance(20);
    expect(a.view.own?.place.x).toBeGreaterThan(ghost);
  });

  it("[I6] [S2] is closed by nobody when the room stalls, and goes on when it does", () => {
    const { harness, a } = play({ link: { latencyMs: 30 } });
    const paused = a.record("paused");
    a.input.set({ moveX: 1 });
    harness.advance(500);
    harness.stallRoom(5000);
    harness.advance(4900);
    expect(a.stats().pendingInputs).toBe(128);
    expect(paused).toEqual([{ paused: true, why: "credit" }]);
    harness.advance(6000);
    expect(a.status).toBe("joined");
    expect(a.stats().bufferDepth).toBeLessThan(12);
    harness.settle();
    expect(harness.disagreements()).toEqual([]);
    expect(harness.ledgerProblems()).toEqual([]);
  });

  it.each(["now", "before-commit", "after-commit"] as const)(
    "[D3] [I4] goes on by itself after a crash (%s), with every command exactly once",
    (at) => {
      const { harness, a, b } = play({ seed: 3, link: { latencyMs: 30, jitterMs: 5 } });
      a.input.set({ moveX: 1 });
      b.input.set({ moveY: -1 });
      harness.advance(2000);
      harness.crashRoom({ at, downMs: 1500 });
      harness.advance(1400);
      const before = a.view.own?.place.x as number;
      harness.advance(3000);
      expect([a.status, b.status]).toEqual(["joined", "joined"]);
      expect(a.stats().incarnation).toBe(2);
      expect(a.view.own?.place.x).toBeGreaterThan(before + 5);
      harness.calm();
      harness.settle();
      expect(harness.disagreements()).toEqual([]);
      expect(harness.ledgerProblems()).toEqual([]);
    },
  );

  it("[C3] re-anchors after half a minute in the background instead of flooding the room", () => {
    const { harness, a } = play({ link: { latencyMs: 30 } });
    harness.advance(1000);
    const made = a.newestSeq;
    a.pause();
    harness.advance(30_000);
    a.resume();
    harness.advance(100);
    expect(a.newestSeq - made).toBeLessThan(12);
    harness.advance(2000);
    expect(a.stats().bufferDepth).toBeLessThan(10);
    expect(a.stats().bufferDepth).toBeGreaterThan(0);
  });

  it("[C2] keeps its buffer between one command and a few, at no latency at all as at a quarter second", () => {
    for (const latencyMs of [0, 125]) {
      const { harness, a } = play({ link: { latencyMs, jitterMs: latencyMs / 10 } });
      harness.advance(2000 + 2 * latencyMs);
      const missed = a.stats().missedInputs;
      for (let i = 0; i < 60; i++) {
        harness.advance(50);
        expect(a.stats().bufferDepth).toBeGreaterThanOrEqual(1);
        expect(a.stats().bufferDepth).toBeLessThanOrEqual(7);
      }
      expect(a.stats().missedInputs).toBe(missed);
    }
  });

  it("[S2] keeps seat and session over a dropped connection, also one that the room still believes in", () => {
    for (const roomNotices of [true, false]) {
      const { harness, a } = play({ seed: 8, link: { latencyMs: 20 } });
      const joins = a.record("joined");
      a.input.set({ moveX: 1 });
      harness.advance(500);
      const { seat } = a;
      harness.dropConnection(a, { roomNotices });
      harness.advance(2000);
      expect(joins).toMatchObject([{ resumed: true }]);
      expect(a.seat).toBe(seat);
      harness.settle();
      expect(harness.disagreements()).toEqual([]);
      expect(harness.ledgerProblems()).toEqual([]);
    }
  });
});
