import { describe, expect, it } from "vitest";
import { decodeRoom } from "../../../protocol/index.ts";
import { replay } from "../../../room/core/index.ts";
import type { Harness } from "../../harness/index.ts";
import { rules, walkerOf, type Yard, yard, yardWith } from "./yard.ts";

type JoiningSeat = Parameters<NonNullable<typeof rules.onJoin>>[0];

const RTTS_MS = [0, 120, 200, 300];
const link = (rttMs: number) => ({ latencyMs: rttMs / 2 });

/** Up and down the yard, with jumps. */
function wander(harness: Harness<Yard>, seconds: number, client = 0): void {
  const { input } = harness.client(client);
  for (let i = 0; i < seconds * 2; i++) {
    input.set({ move: i % 7 < 4 ? 1 : -1 });
    if (i % 3 === 0) input.press("jump");
    harness.advance(500);
  }
  input.set({ move: 0 });
}

function ballOf(harness: Harness<Yard>) {
  for (const ball of harness.room.world.all("ball")) return ball;
  throw new Error("there is no ball");
}

describe("a walker on Rapier", () => {
  it("climbs the gentle side of the hill, is stopped by the steep one and by walls", () => {
    const places = [
      { x: -16, y: 1 },
      { x: 0, y: 1 },
    ];
    const harness = yardWith(places, { roomOptions: { bots: 0, loose: false } });
    harness.client(0).input.set({ move: 1 });
    harness.client(1).input.set({ move: -1 });
    let top = 0;
    for (let i = 0; i < 20; i++) {
      harness.advance(100);
      top = Math.max(top, walkerOf(harness, 0).pose.y);
    }
    expect(top).toBeGreaterThan(2);
    expect(walkerOf(harness, 1).pose.x).toBeGreaterThan(-4.5);
    harness.client(1).input.set({ move: 1 });
    harness.advance(8000);
    expect(walkerOf(harness, 1).pose.x).toBeLessThan(20);
  });

  it.each(RTTS_MS)("[P1][P4] is predicted without a correction at %i ms", (rttMs) => {
    const harness = yardWith([{ x: -17, y: 1 }], {
      link: link(rttMs),
      roomOptions: { bots: 0, loose: false },
    });
    wander(harness, 8);
    harness.settle();
    expect(harness.client(0).stats()).toMatchObject({ corrections: 0, hardApplies: 0 });
    expect(harness.disagreements()).toEqual([]);
  });

  it.each(RTTS_MS)("[P6] rides the lift and jumps on it at %i ms without a correction", (rttMs) => {
    const harness = yardWith([{ x: 4.5, y: 1.5 }], {
      link: link(rttMs),
      roomOptions: { bots: 0, loose: false },
    });
    harness.advance(500);
    expect(walkerOf(harness, 0).feet.lift).not.toBe(0);
    let top = 0;
    for (let i = 0; i < 24; i++) {
      if (i % 5 === 4) harness.client(0).input.press("jump");
      harness.advance(250);
      top = Math.max(top, walkerOf(harness, 0).pose.y);
    }
    expect(top).toBeGreaterThan(5.5);
    expect(harness.client(0).stats().corrections).toBe(0);
  });
});

describe("a ball that is pushed", () => {
  it.each(RTTS_MS)("[P5] is predicted together with the walker, at %i ms", (rttMs) => {
    const harness = yardWith([{ x: -0.6, y: 1 }], { link: link(rttMs) });
    const before = ballOf(harness).pose.x;
    harness.client(0).input.set({ move: 1 });
    harness.advance(1500);
    harness.client(0).input.set({ move: 0 });
    expect(ballOf(harness).island).toBe(harness.client(0).seat);
    expect(ballOf(harness).pose.x).toBeGreaterThan(before + 2);
    harness.settle();
    const { corrections, correctionP95 } = harness.client(0).stats();
    // It becomes a member when the room says so: what the page has done by then without it comes right once.
    expect(corrections).toBeLessThanOrEqual(2);
    expect(correctionP95).toBeLessThan(0.5);
    expect(harness.disagreements()).toEqual([]);
  });

  it("[P5] belongs to the nearest, and a bump by another one is corrected by what it moved, not more", () => {
    const harness = yardWith(
      [
        { x: -0.6, y: 1 },
        { x: 4, y: 1 },
      ],
      { link: link(200) },
    );
    harness.client(0).input.set({ move: 0.5 });
    harness.client(1).input.set({ move: -1 });
    harness.advance(3000);
    for (const one of harness.clients) one.input.set({ move: 0 });
    harness.settle();
    for (const [client, one] of harness.clients.entries()) {
      expect(one.stats().correctionP95).toBeLessThan(1.5);
      // What another player's walker does to the sums of the solver stays within what prediction leaves alone.
      expect(Math.abs((one.view.own?.pose.x ?? 0) - walkerOf(harness, client).pose.x)).toBeLessThan(0.1);
    }
  });
});

describe("a yard's room", () => {
  it("[D3] goes on bit by bit alike when it is killed in mid-push", () => {
    const run = (crashes: boolean) => {
      const harness = yardWith([{ x: -0.6, y: 1 }], { seed: 4 });
      harness.client(0).input.set({ move: 1 });
      harness.advance(400);
      const stored = harness.store.load()?.state ?? new Uint8Array();
      if (crashes) harness.crashRoom();
      // Nobody is back yet: what comes now follows from the stored state alone.
      const { tick, world } = decodeRoom(stored, yard);
      return { tick, world };
    };
    expect(run(true)).toEqual(run(false));
    const harness = yardWith([{ x: -0.6, y: 1 }], { link: link(120), seed: 4 });
    harness.client(0).input.set({ move: 1 });
    for (let i = 0; i < 4; i++) {
      harness.advance(300);
      harness.crashRoom({ downMs: 50 });
    }
    harness.advance(2000);
    harness.client(0).input.set({ move: 0 });
    harness.settle();
    expect(harness.ledgerProblems()).toEqual([]);
    expect(harness.disagreements()).toEqual([]);
  });

  it("[D4] has a ledger that replays to the same hashes", () => {
    const harness = yardWith([{ x: -17, y: 1 }], { roomOptions: { bots: 2 } });
    wander(harness, 6);
    const hooks = {
      ...rules,
      onJoin: (seat: JoiningSeat) => void seat.spawn("walker", { pose: { x: 0, y: 1 } }),
    };
    const report = replay<Yard>({ game: yard, hooks, recorded: harness.room.export() });
    expect(report.firstDifference).toBeUndefined();
    expect(report.ticks).toBeGreaterThan(300);
  });

  it("[T1] isn't disturbed by another room in the same process, tick by tick in between", () => {
    const alone = yardWith([{ x: -0.6, y: 1 }], { seed: 9 });
    alone.client(0).input.set({ move: 1 });
    for (let i = 0; i < 60; i++) alone.advance(50);
    const one = yardWith([{ x: -0.6, y: 1 }], { seed: 9 });
    const other = yardWith([{ x: -16, y: 1 }], { seed: 10, roomOptions: { bots: 3 } });
    one.client(0).input.set({ move: 1 });
    other.client(0).input.set({ move: 1 });
    for (let i = 0; i < 60; i++) {
      one.advance(50);
      other.advance(17);
    }
    expect(one.room.world.hash()).toBe(alone.room.world.hash());
  });
});
