import { describe, expect, it } from "vitest";
import { DISPOSITION } from "../../../protocol/index.ts";
import { InputSession } from "../../../room/core/input-session.ts";
import { OutcomeRing } from "../../../room/core/outcome-ring.ts";
import { FRESH, sessionRules } from "../../../room/core/session-progress.ts";
import { packCommand, type Tick } from "../../../sim/index.ts";
import { type Mover, mover } from "./mover.ts";

const STEP = packCommand(mover.schema, { step: true });
const LUCK = packCommand(mover.schema, { luck: true });
const STILL = packCommand(mover.schema, {});

function session(consumed = 0): InputSession<Mover> {
  return new InputSession(mover, 7, sessionRules(60), { ...FRESH, consumed });
}

function tick(input: InputSession<Mover>, number: number, { alive = true, reject = false } = {}) {
  return input.next({ tick: number as Tick, alive, reject }).command;
}

/** Runs a window of `ticks` and settles it; returns what was executed. */
function window(input: InputSession<Mover>, from: number, ticks = 3): { seq: number; tick: number }[] {
  for (let i = 0; i < ticks; i++) tick(input, from + i);
  const entries = input.ledgerSession(1)?.entries ?? [];
  input.settle();
  input.committed();
  return entries.map(({ seq, tick: at }) => ({ seq, tick: at }));
}

describe("an input session", () => {
  it("[I4] executes at most one command per tick, in order, however they arrive", () => {
    const input = session();
    for (const seq of [3, 1, 2, 2]) input.offer(seq, STEP);
    expect(window(input, 10, 2)).toEqual([
      { seq: 1, tick: 10 },
      { seq: 2, tick: 11 },
    ]);
    expect(window(input, 12)).toEqual([{ seq: 3, tick: 12 }]);
  });

  it("[I4] waits at a gap and never skips a number", () => {
    const input = session(16);
    input.offer(18, STEP);
    input.offer(19, STEP);
    expect(window(input, 1)).toEqual([]);
    expect(input.consumed).toBe(16);
    input.offer(17, STEP);
    expect(window(input, 4).map(({ seq }) => seq)).toEqual([17, 18, 19]);
  });

  it("[I4] executes a command once although its window was undone and run again", () => {
    const input = session();
    input.offer(1, STEP);
    tick(input, 10);
    input.undo();
    expect(input.consumed).toBe(0);
    expect(window(input, 10)).toEqual([{ seq: 1, tick: 10 }]);
    expect(window(input, 13)).toEqual([]);
  });

  it("[I2] keeps full numbers across the 16-bit wrap", () => {
    const input = session(65_534);
    for (const seq of [65_535, 65_536, 65_537]) expect(input.offer(seq, STEP).result).toBe("buffered");
    expect(window(input, 1).map(({ seq }) => seq)).toEqual([65_535, 65_536, 65_537]);
    expect(input.offer(1, STEP).result).toBe("already-consumed");
  });

  it("[I5] holds controls but no press for the declared ticks, then is neutral, and consumes no number", () => {
    const input = session();
    input.offer(1, packCommand(mover.schema, { step: true, luck: true }));
    expect(tick(input, 1)).toMatchObject({ step: true, luck: true });
    expect(tick(input, 2)).toMatchObject({ step: true, luck: false });
    expect(tick(input, 3)).toMatchObject({ step: true, luck: false });
    expect(tick(input, 4)).toMatchObject({ step: false, luck: false });
    expect(input.ledgerSession(1)?.missedTicks).toEqual([2, 3, 4]);
    input.settle();
    expect(input.consumed).toBe(1);
    expect(input.missed).toBe(3);
  });

  it("[I5] takes the hold state back with an undone window", () => {
    const input = session();
    input.offer(1, STEP);
    window(input, 1, 1);
    for (let i = 0; i < 3; i++) tick(input, 2 + i);
    input.undo();
    expect(tick(input, 2)).toMatchObject({ step: true });
  });

  it("[I6] answers a repeat of the last 256 with the original outcome and executes nothing again", () => {
    const input = session();
    for (let seq = 1; seq <= 300; seq++) {
      input.offer(seq, STEP);
      tick(input, seq, { alive: seq !== 200 });
      input.settle();
      input.committed();
    }
    expect(input.offer(299, STEP)).toEqual({ result: "repeated", disposition: DISPOSITION.executed });
    expect(input.offer(200, STEP)).toEqual({ result: "repeated", disposition: DISPOSITION.noEntity });
    expect(input.offer(45, STEP)).toEqual({ result: "repeated", disposition: DISPOSITION.executed });
    expect(input.offer(44, STEP)).toEqual({ result: "already-consumed" });
    expect(window(input, 301)).toEqual([]);
  });

  it("[I6] buffers up to its credit and not one further", () => {
    const input = session(10);
    expect(input.credit).toBe(138);
    expect(input.offer(138, STEP).result).toBe("buffered");
    expect(input.offer(139, STEP).result).toBe("beyond-credit");
  });

  it("[I7] tells a repeat from other content under the same number, waiting or consumed", () => {
    const input = session();
    input.offer(1, STEP);
    expect(input.offer(1, STEP).result).toBe("repeated");
    expect(input.offer(1, LUCK).result).toBe("conflict");
    window(input, 1, 1);
    expect(input.offer(1, LUCK).result).toBe("conflict");
    expect(input.offer(1, STEP).result).toBe("repeated");
  });

  it("[I8] consumes a command of a seat without a living entity and records that it did nothing", () => {
    const input = session();
    input.offer(1, STEP);
    tick(input, 1, { alive: false });
    expect(input.ledgerSession(1)?.entries).toMatchObject([{ seq: 1, disposition: DISPOSITION.noEntity }]);
  });

  it("[T6] consumes a rejected command as neutral and doesn't hold it either", () => {
    const input = session();
    input.offer(1, STEP);
    expect(tick(input, 1, { reject: true })).toMatchObject({ step: false });
    expect(tick(input, 2)).toMatchObject({ step: false });
    expect(input.ledgerSession(1)?.entries).toMatchObject([{ seq: 1, disposition: DISPOSITION.faulted }]);
  });

  it("[S2] goes on only with a queue that agrees with what was consumed", () => {
    const input = session(16);
    const judge = (oldestSeq: number, nextSeq: number) => input.judgeQueue({ oldestSeq, nextSeq });
    expect(judge(16, 16)).toBe("queue-lost");
    expect(judge(17, 17)).toBe("agrees");
    expect(judge(12, 145)).toBe("agrees");
    expect(judge(17, 146)).toBe("queue-lost");
    expect(judge(18, 20)).toBe("queue-lost");
    expect(judge(20, 20)).toBe("replay-bound");
  });

  it("[C2] counts the commands that wait without a gap", () => {
    const input = session();
    for (const seq of [1, 2, 4]) input.offer(seq, STILL);
    expect(input.depth).toBe(2);
  });
});

describe("kept outcomes", () => {
  it("[D3] are the same after a restart", () => {
    const ring = new OutcomeRing();
    for (let seq = 1; seq <= 300; seq++) ring.set(seq, seq * 3, DISPOSITION.executed);
    const restored = OutcomeRing.restore(ring.with([], 300), 300);
    expect(restored.get(300, 300)).toEqual({ digest: 900, disposition: DISPOSITION.executed });
    expect(restored.get(45, 300)).toEqual({ digest: 135, disposition: DISPOSITION.executed });
    expect(restored.get(44, 300)).toBeUndefined();
    expect(restored.with([], 300)).toEqual(ring.with([], 300));
  });

  it("[D1] are stored with the window that is being committed already in them", () => {
    const ring = new OutcomeRing();
    ring.set(1, 5, DISPOSITION.executed);
    const entry = { seq: 2, tick: 9, digest: 6, disposition: DISPOSITION.noEntity, bytes: STEP, actions: [] };
    expect(ring.with([entry], 2)).toEqual({
      digests: Uint32Array.of(6, 5),
      dispositions: Uint8Array.of(DISPOSITION.noEntity, DISPOSITION.executed),
    });
  });
});
