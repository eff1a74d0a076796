import { describe, expect, it } from "vitest";
import { decodeRoom, LIMITS, type Receipt } from "../../../protocol/index.ts";
import type { RoomHooks } from "../../../room/core/index.ts";
import { afterTicks, type Gunner, gunner, SLOT } from "./gunner.ts";
import { Rig, type RigOptions } from "./rig.ts";

const hooks: RoomHooks<Gunner> = { onJoin: (seat) => void seat.spawn("player") };
const RETENTION = 20;

function joined(options: RigOptions<Gunner> = {}) {
  const room = new Rig<Gunner>(gunner, {
    hooks,
    windowTicks: 1,
    sessions: { retentionTicks: RETENTION },
    ...options,
  });
  const ada = room.join(1);
  room.toTick(1);
  const next = (ticks = 1) => room.toTick(room.core.tick + ticks);
  const wave = (count: number) => {
    for (let i = 0; i < count; i++) {
      room.act(ada, { slot: SLOT.wave });
      next();
    }
  };
  return {
    room,
    ada,
    next,
    wave,
    /** What comes in answer to a frame. */
    ask(frame: Parameters<typeof ada.frame>[0]) {
      const before = ada.receipts.length;
      room.send(ada, ada.frame(frame));
      next();
      return ada.receipts.slice(before).map(({ number }) => number);
    },
    session: () => decodeRoom(room.store.load()?.state as Uint8Array, gunner).seats[0]?.sessions[0],
    rows: () => room.store.load()?.receipts.length,
  };
}

const numbers = (receipts: readonly Receipt[]) => receipts.map(({ number }) => number);
const fire = (delay: number) => ({ slot: SLOT.fire, params: { delay: afterTicks(delay) } });
const cursor = (at: number) => ({ type: "cursor", session: 1, cursor: at, baselineId: 0 }) as const;

describe("a receipt stream", () => {
  it("[A4] numbers without holes, with its committed head in every snapshot", () => {
    const { room, ada } = joined();
    room.act(ada, fire(1), { slot: SLOT.wave }, fire(2));
    room.toTick(10);
    expect(numbers(ada.receipts)).toEqual([1, 2, 3, 4, 5]);
    expect(ada.snapshots.map(({ receiptHead }) => receiptHead).slice(0, 6)).toEqual([0, 1, 3, 4, 4, 5]);
    // Before the snapshot of the same boundary, so that a complete client never sees a hole.
    expect(ada.frames.slice(-9)).not.toContain("baseline");
    expect(ada.frames.indexOf("receipts")).toBeLessThan(ada.frames.lastIndexOf("snapshot"));
  });

  it("[R5] goes on for a client that is sent no snapshots; what it asks for waits until it reads", () => {
    const { room, ada, ask, next } = joined();
    ada.reads = false;
    for (let second = 0; second < 4; second++) room.pass(1000);
    const { tick } = ada.snapshot;
    room.act(ada, fire(1), { slot: SLOT.wave });
    next(10);
    expect(ada.snapshot.tick).toBe(tick);
    expect(numbers(ada.receipts)).toEqual([1, 2, 3]);
    expect(ask({ type: "fetch", session: 1, from: 1, to: 2 })).toEqual([]);
    ada.reads = true;
    room.command(ada, {});
    next();
    expect(numbers(ada.receipts)).toEqual([1, 2, 3, 1, 2]);
    expect(ada.snapshot.receiptHead).toBe(3);
  });

  it("[A4][D3] goes on with its numbers after a crash, and a lost tail shows in the head", () => {
    const { room, ada, wave, ask } = joined();
    wave(3);
    room.crash();
    room.resume(ada);
    room.toTick(6);
    expect(ada.welcome.receiptHead).toBe(3);
    expect(ask({ type: "fetch", session: 1, from: 2, to: 3 })).toEqual([2, 3]);
    wave(1);
    expect(ada.receipts.at(-1)?.number).toBe(4);
  });

  it("[A4][A5] a final receipt doesn't wait for the command's place in the consumed watermark, nor hold it up", () => {
    const { room, ada } = joined();
    room.act(ada, fire(3));
    room.command(ada, {}, {}, {}, {}, {});
    room.toTick(3);
    expect(ada.snapshot.consumed).toBe(2);
    expect(ada.receipts.length).toBe(1);
    room.toTick(6);
    expect(ada.snapshot.consumed).toBe(5);
    expect(ada.receipts.length).toBe(2);
  });

  it("[D2] makes its window a commit, however rare commits are", () => {
    const { room, ada } = joined({ commitEvery: 1_000 });
    const { commits } = room.core.stats();
    room.act(ada, fire(3));
    room.toTick(12);
    expect(room.core.stats().commits - commits).toBe(2);
    expect(ada.snapshots.filter(({ durable }) => durable === 1).length).toBeGreaterThan(0);
  });

  it("[A8] belongs to its seat: nobody else is given it", () => {
    const { room, wave } = joined();
    const bob = room.join(2);
    wave(2);
    room.send(bob, bob.frame({ type: "fetch", session: 1, from: 1, to: 9 }));
    room.send(bob, bob.frame({ type: "baseline", session: 1, cursor: 0, requestId: 1 }));
    room.send(bob, bob.frame(cursor(2)));
    room.pass(100);
    expect(bob.receipts).toEqual([]);
    expect(bob.baselines).toEqual([]);
    expect(bob.closed).toBeUndefined();
  });

  it("[A4] closes a client whose cursor is beyond what was ever sent", () => {
    const { room, ada, wave, next } = joined();
    wave(2);
    room.send(ada, ada.frame(cursor(2)));
    next();
    expect(ada.closed).toBeUndefined();
    room.send(ada, ada.frame(cursor(3)));
    expect(ada.closed?.code).toBe(4434);
  });
});

describe("reclaiming", () => {
  it("[A7] needs both: the confirmed cursor, and the retention", () => {
    const { wave, next, ask, session } = joined();
    wave(4);
    next(2 * RETENTION);
    expect(session()).toMatchObject({ receiptHead: 4, confirmed: 0, reclaimed: 0 });
    ask(cursor(2));
    expect(session()).toMatchObject({ confirmed: 2, reclaimed: 2 });
    wave(1);
    ask(cursor(5));
    next(RETENTION - 3);
    expect(session()).toMatchObject({ confirmed: 5, reclaimed: 4 });
    next(4);
    expect(session()).toMatchObject({ receiptHead: 5, reclaimed: 5 });
  });

  it("[D5][A7] gives slots to later receipts; rows that are left over mean nothing after a restart", () => {
    const { room, ada, wave, next, ask, session, rows } = joined();
    for (let round = 1; round <= 5; round++) {
      wave(3);
      ask(cursor(round * 3));
      next(RETENTION + 1);
    }
    expect(rows()).toBe(3);
    wave(1);
    room.crash();
    room.resume(ada);
    next(2);
    expect(session()).toMatchObject({ receiptHead: 16, reclaimed: 15 });
    expect(ask({ type: "fetch", session: 1, from: 16, to: 16 })).toEqual([16]);
    expect(rows()).toBe(3);
  });

  it("[A7] of a range that is gone is told by an answer without it", () => {
    const { ada, wave, next, ask } = joined();
    wave(4);
    ask(cursor(2));
    next(RETENTION + 1);
    expect(ask({ type: "fetch", session: 1, from: 1, to: 3 })).toEqual([3]);
    const before = ada.frames.filter((frame) => frame === "receipts").length;
    expect(ask({ type: "fetch", session: 1, from: 1, to: 2 })).toEqual([]);
    expect(ada.frames.filter((frame) => frame === "receipts").length).toBe(before + 1);
  });

  it("[A7] keeps the admission of what still waits, so that every baseline has it", () => {
    const { room, ada, next, ask } = joined();
    room.act(ada, { slot: SLOT.buy });
    next();
    ask(cursor(1));
    next(3 * RETENTION);
    room.send(ada, ada.frame({ type: "baseline", session: 1, cursor: 0, requestId: 9 }));
    next();
    expect(ada.baselines.at(-1)).toMatchObject({ requestId: 9, covering: 1, items: [{ number: 1 }] });
  });

  /** Many of them, in windows of 15 ticks. */
  function waves({ room, ada }: ReturnType<typeof joined>, count: number): void {
    for (let sent = 0; sent < count && !ada.closed; sent += 15) {
      const calls = [{ slot: SLOT.wave }];
      room.send(ada, ada.input(Array.from({ length: Math.min(15, count - sent) }, () => ({ calls }))));
      room.pass(250);
    }
  }

  it("[A7] rejects actions while the store is full, says why, and admits again once there is room", () => {
    const given = joined({ windowTicks: 15 });
    const { room, ada } = given;
    const most = LIMITS.receiptsRetained;
    waves(given, most + 15);
    const last = ada.receipts.at(-1);
    expect(last).toMatchObject({ status: "rejected", reason: "receipts-full" });
    expect(ada.receipts.filter(({ status }) => status === "settled").length).toBe(most - 1);
    expect(ada.snapshot.consumed).toBe(most + 15);
    room.send(ada, ada.frame(cursor(last?.number ?? 0)));
    room.pass(1_000);
    waves(given, 1);
    expect(ada.receipts.at(-1)).toMatchObject({ status: "settled" });
    expect(ada.closed).toBeUndefined();
  });

  it("[X2][A7] closes a client that goes on acting and never confirms anything, and no other", () => {
    const given = joined({ windowTicks: 15 });
    const { room, ada } = given;
    const bound = 2 * LIMITS.receiptsRetained;
    waves(given, bound);
    expect(ada.closed).toBeUndefined();
    room.send(ada, ada.frame(cursor(bound)));
    waves(given, bound);
    expect(ada.closed).toBeUndefined();
    waves(given, 16);
    expect(ada.closed?.code).toBe(4431);
  });
});

describe("a baseline", () => {
  it("[A6] of one commit has what is pending and what was answered since the cursor, newest revision each", () => {
    const { room, ada, next } = joined();
    room.act(ada, fire(1), { slot: SLOT.buy }, fire(2));
    next(8);
    room.send(ada, ada.frame({ type: "baseline", session: 1, cursor: 2, requestId: 5 }));
    next();
    const [baseline] = ada.baselines;
    expect(baseline).toMatchObject({
      requestId: 5,
      session: 1,
      requestCursor: 2,
      covering: 5,
      part: 1,
      parts: 1,
    });
    expect(baseline?.items.map(({ number, seq, status }) => [number, seq, status])).toEqual([
      [2, 2, "admitted"],
      [3, 1, "settled"],
      [5, 3, "settled"],
    ]);
    expect(baseline?.baselineId).toBeGreaterThan(0);
  });

  it("[A6][R7] comes in parts when it is large", () => {
    const { room, ada, next } = joined();
    for (let i = 0; i < 110; i++) {
      room.act(ada, { slot: SLOT.buy });
      next();
      room.core.answer(`mover:test/1/${i + 1}/2`, "x".repeat(900), room.nowMs);
    }
    next();
    room.send(ada, ada.frame({ type: "baseline", session: 1, cursor: 0, requestId: 1 }));
    next();
    const { baselines } = ada;
    const { baselineId, covering } = baselines[0] ?? {};
    expect(baselines.length).toBeGreaterThan(3);
    expect(baselines.flatMap(({ items }) => items).length).toBe(110);
    expect(baselines.every((part) => part.baselineId === baselineId && part.covering === covering)).toBe(
      true,
    );
    expect(baselines.map(({ part }) => part)).toEqual(baselines.map((_, i) => i + 1));
  });

  it("[A6][X2] is given once per boundary, however often it is asked for", () => {
    const { room, ada, wave, next } = joined();
    wave(3);
    for (let requestId = 1; requestId <= 40; requestId++) {
      room.send(ada, ada.frame({ type: "baseline", session: 1, cursor: 0, requestId }));
    }
    next();
    expect(ada.baselines.map(({ requestId }) => requestId)).toEqual([40]);
  });

  it("[A6] for a cursor that no stream had closes the connection instead", () => {
    const { room, ada, wave } = joined();
    wave(1);
    room.send(ada, ada.frame({ type: "baseline", session: 1, cursor: 2, requestId: 1 }));
    expect(ada.closed?.code).toBe(4434);
  });
});
