import { describe, expect, it } from "vitest";
import { decodeRoom } from "../../../protocol/index.ts";
import type { RoomHooks } from "../../../room/core/index.ts";
import { LAST_SEQ } from "../../../room/core/session-progress.ts";
import { type Mover, mover } from "./mover.ts";
import { Rig, type RigOptions } from "./rig.ts";
import { BUY, type Shooter, shooter } from "./shooter.ts";
import type { TestClient } from "./test-client.ts";

const STEP = { step: true };

function rig(options: RigOptions<Mover> = {}) {
  const hooks: RoomHooks<Mover> = { onJoin: (seat) => void seat.spawn("player") };
  const room = new Rig(mover, { hooks, ...options });
  const ada = room.join(1);
  room.windows(1);
  return { room, ada };
}

describe("the barrier", () => {
  const shooting: RoomHooks<Shooter> = { onJoin: (seat) => void seat.spawn("player") };

  function buyer(barrierTicks: number) {
    const asked: string[] = [];
    const room: Rig<Shooter> = new Rig(shooter, {
      hooks: shooting,
      sessions: { barrierTicks },
      calls: { startCall: ({ key }) => void asked.push(key), stopCall: () => undefined },
    });
    const ada: TestClient<Shooter> = room.join(1);
    room.windows(1);
    room.send(ada, ada.input([{ calls: [{ slot: BUY }] }]));
    room.windows(1);
    room.drop(ada);
    room.resume(ada, { inputSession: 0, nextSeq: 1 });
    room.windows(1);
    return { room, ada, asked };
  }

  it("[S5] waits for admitted actions, and closes with their final receipts", () => {
    const { room, ada, asked } = buyer(120);
    expect(ada.snapshot).toMatchObject({ inputSession: 1, receiptHead: 1 });
    expect(ada.sessionNews.map(({ phase }) => phase)).toEqual(["closing"]);
    room.core.answer(asked[0] as string, { coins: 3 }, room.nowMs);
    room.windows(1);
    expect(ada.sessionNews.at(-1)).toMatchObject({ phase: "closed", session: 1, opened: 2 });
    const listed = decodeRoom(room.store.load()?.state as Uint8Array, shooter).seats[0]?.sessions;
    expect(listed?.map(({ inputSession, receiptHead }) => [inputSession, receiptHead])).toEqual([
      [2, 0],
      [1, 2],
    ]);
  });

  it("[S5][A8] waits no longer than its time: an action that takes longer lives on under its own identity", () => {
    const { room, ada, asked } = buyer(9);
    room.windows(2);
    expect(ada.sessionNews.at(-1)).toMatchObject({ phase: "closed", session: 1, opened: 2 });
    room.core.answer(asked[0] as string, { coins: 3 }, room.nowMs);
    room.windows(1);
    expect(room.core.lookup(1, 1)?.receipts.map(({ status }) => status)).toEqual(["admitted", "settled"]);
  });
});

describe("commands near the end of their numbers", () => {
  it.each([
    ["2^16", 2 ** 16 - 4],
    ["2^31", 2 ** 31 - 4],
  ])("[I2] go on past %s, over crashes, gaps and repeats", (_, firstSeq) => {
    const { room, ada } = rig({ sessions: { firstSeq }, commitEvery: 3 });
    expect(ada.welcome.consumed).toBe(firstSeq - 1);
    ada.nextSeq = firstSeq;
    room.send(ada, ada.input([STEP, STEP], { from: firstSeq }));
    room.send(ada, ada.input([STEP, STEP], { from: firstSeq + 3 }));
    room.windows(2);
    expect(ada.snapshot.consumed).toBe(firstSeq + 1);
    room.send(ada, ada.input([STEP, STEP, STEP], { from: firstSeq + 1 }));
    room.windows(1);
    expect(ada.snapshot.consumed).toBe(firstSeq + 4);
    room.crash();
    room.resume(ada);
    room.windows(1);
    const { consumed } = ada.welcome;
    room.send(ada, ada.input([STEP, STEP, STEP, STEP, STEP, STEP, STEP], { from: firstSeq }));
    room.windows(4);
    expect(ada.snapshot).toMatchObject({ inputSession: 1, consumed: firstSeq + 6 });
    expect(consumed).toBeLessThan(firstSeq + 6);
    expect(room.core.lookup(1, firstSeq + 6)).toMatchObject({ seq: firstSeq + 6, disposition: 1 });
    expect(ada.closed).toBeUndefined();
  });

  it("[S5] never reach 2^32 - 1: their session is closed before", () => {
    const firstSeq = LAST_SEQ - 140;
    const { room, ada } = rig({ sessions: { firstSeq } });
    ada.nextSeq = firstSeq;
    expect(ada.welcome.credit).toBe(firstSeq + 127);
    for (let i = 0; i < 12 && ada.snapshot.inputSession === 1; i++) {
      room.command(ada, STEP, STEP, STEP);
      room.windows(1);
      expect(ada.snapshot.credit).toBeLessThanOrEqual(LAST_SEQ);
    }
    const [news] = ada.sessionNews;
    expect(news).toMatchObject({ phase: "closed", session: 1, reason: "exhausted", opened: 2 });
    expect(news?.finalConsumed).toBeGreaterThanOrEqual(LAST_SEQ - 128);
    expect(room.core.lookup(1, news?.finalConsumed as number)).toBeDefined();
    expect(ada.snapshot).toMatchObject({ inputSession: 2, consumed: firstSeq - 1 });
    room.send(ada, ada.input([STEP], { from: firstSeq, inputSession: 2 }));
    room.windows(1);
    expect(ada.snapshot.consumed).toBe(firstSeq);
  });
});
