import { describe, expect, it } from "vitest";
import type { ClientEvents } from "../../../client-sdk/index.ts";
import { CLOSE, type SessionFrame } from "../../../protocol/index.ts";
import { hit, receipt } from "./gunners.ts";
import { RangeRoom } from "./range-room.ts";

const ending = (room: RangeRoom, more: Partial<SessionFrame> & Pick<SessionFrame, "phase">) =>
  room.say(room.nowMs, {
    type: "session",
    session: 1,
    reason: "gap",
    finalConsumed: 0,
    opened: 0,
    ...more,
  });

function joined() {
  const room = new RangeRoom();
  room.join();
  const paused: ClientEvents["paused"][] = [];
  room.client.on("paused", (event) => paused.push(event));
  return { room, paused };
}
const numbers = (room: RangeRoom) =>
  room
    .sentOf("input")
    .flatMap(({ inputSession, commands }) => commands.map(({ seq }) => [inputSession, seq]));

describe("input session change", () => {
  it("[S5] makes no commands while its session closes, and says why", () => {
    const { room, paused } = joined();
    room.play();
    ending(room, { phase: "closing" });
    room.pass(300);
    expect(room.client.stats().pendingInputs).toBe(1);
    expect(paused).toEqual([{ paused: true, why: "session" }]);
    // Of a session that isn't ours any more: no news.
    ending(room, { phase: "closed", session: 9, opened: 10 });
    expect(room.log.voids).toEqual([]);
  });

  it("[S5] [P7] declares what lies beyond the final watermark void, and begins anew from its own anchor", async () => {
    const { room, paused } = joined();
    const first = room.client.actions.fire({ aim: 1 });
    room.play({ leap: true });
    const second = room.client.actions.fire({ aim: 1 });
    room.play();
    room.play();
    room.receipts(receipt());
    ending(room, { phase: "closing" });
    ending(room, { phase: "closed", finalConsumed: 17, opened: 4 });
    const reported = room.log.voids[0];
    expect(reported).toMatchObject({ session: 1, from: 18, to: 19, reason: "gap" });
    expect(reported?.actions).toEqual([second]);
    expect(await second.settled).toEqual({ status: "void" });
    expect(room.muzzles).toEqual([
      "play 17 muzzle",
      "play 18 muzzle",
      "accept 17 muzzle",
      "cancel 18 muzzle",
    ]);
    room.sent.length = 0;
    room.pass(100);
    expect(numbers(room)).toEqual([]);
    // A snapshot of the old session, still on its way: not compared with the new queue [P3].
    room.snap({ tick: 605, consumed: 17 });
    expect(room.client.stats().consumed).toBe(0);
    // The new one begins wherever the room says.
    room.put(3);
    room.snap({ tick: 606, consumed: 40, inputSession: 4 });
    expect(room.client.stats()).toMatchObject({ consumed: 40, epoch: 2, corrections: 0, hardApplies: 0 });
    room.pass(100);
    expect(numbers(room)[0]).toEqual([4, 41]);
    // What was admitted before lives on under its identity [A8].
    expect(first.status).toBe("admitted");
    room.receipts(hit());
    expect(first.status).toBe("settled");
    expect(paused.map(({ paused }) => paused)).toEqual([true, false]);
  });

  it("[S5] tells nothing of void commands when there are none", () => {
    const { room } = joined();
    room.play();
    ending(room, { phase: "closed", finalConsumed: 17, opened: 2 });
    expect(room.log.voids).toEqual([]);
  });

  it("[V2] [P7] glides into the new epoch from nothing that it showed before", () => {
    const { room } = joined();
    room.play({ leap: true });
    ending(room, { phase: "closed", finalConsumed: 16, opened: 2 });
    room.put(7.5);
    room.snap({ tick: 640, consumed: 0, inputSession: 2 });
    room.play();
    expect(room.client.view.own?.body.x).toBe(7.5);
  });

  it("[P3] takes a snapshot of a newer session for the end of ours, when that word was lost", () => {
    const { room } = joined();
    room.play();
    room.snap({ tick: 640, consumed: 0, inputSession: 2 });
    room.sent.length = 0;
    room.pass(100);
    expect(numbers(room)[0]).toEqual([2, 1]);
    ending(room, { phase: "closed", finalConsumed: 16, opened: 2 });
    expect(room.log.voids).toMatchObject([{ session: 1, from: 17, to: 17 }]);
    expect(room.client.stats().consumed).toBe(0);
  });

  it("[I9] sends again what the room misses, with the same content, and only of its own session", () => {
    const { room } = joined();
    room.client.actions.fire({ aim: 1 });
    for (let i = 0; i < 4; i++) room.play();
    const before = room.sentOf("input").flatMap(({ commands }) => commands);
    room.sent.length = 0;
    room.say(room.nowMs, { type: "resend", session: 1, from: 17, to: 18 });
    expect(room.sentOf("input").map(({ commands }) => commands)).toEqual([
      before.filter(({ seq }) => seq === 17 || seq === 18),
    ]);
    room.sent.length = 0;
    room.say(room.nowMs, { type: "resend", session: 2, from: 17, to: 18 });
    room.say(room.nowMs, { type: "resend", session: 1, from: 1, to: 3 });
    expect(room.sent).toEqual([]);
  });

  it("[I3] [S2] waits for the barrier when its queue can't go on, and neither renumbers nor makes anything", () => {
    const { room } = joined();
    for (let i = 0; i < 4; i++) room.play();
    const made = 16 + room.client.stats().pendingInputs;
    // More than this page has ever made: another one went on under the same secret.
    room.reconnect({ consumed: made + 5, durable: made + 5, tick: 650 });
    room.sent.length = 0;
    room.snap({ tick: 650, consumed: made + 5 });
    room.pass(300);
    expect(numbers(room)).toEqual([]);
    ending(room, { phase: "closed", reason: "queue-lost", finalConsumed: made + 5, opened: 7 });
    expect(room.log.voids).toEqual([]);
    room.snap({ tick: 660, consumed: 0, inputSession: 7 });
    room.pass(100);
    expect(numbers(room)[0]).toEqual([7, 1]);
  });

  it("[P7] goes on in its session after a long absence if the room had consumed all of it", () => {
    const { room } = joined();
    room.play();
    room.snap({ tick: 600, consumed: 17 });
    room.reconnect({ consumed: 17, durable: 17, tick: 800 }, 0);
    expect(room.client.stats()).toMatchObject({ epoch: 1 });
    room.client.closed(1006, "", room.nowMs);
    // The page sleeps: no frames, and nothing made.
    room.nowMs += 60_000;
    room.client.opened(room.nowMs);
    const [hello] = room.sentOf("hello").slice(-1);
    expect(hello?.oldestSeq).toBe(hello?.nextSeq);
    const consumed = (hello?.nextSeq ?? 0) - 1;
    room.welcome(room.nowMs, { consumed, durable: consumed, tick: 4400, windowTicks: 1 });
    room.snap({ tick: 4400, consumed });
    room.sent.length = 0;
    room.pass(100);
    expect(numbers(room)[0]).toEqual([1, consumed + 1]);
    expect(room.client.stats().epoch).toBe(2);
    expect(room.log.voids).toEqual([]);
  });

  it("[A8] [S5] learns from the receipts alone what became of a session that ended while it was away", async () => {
    const { room } = joined();
    const [answered, lost] = [room.client.actions.fire({ aim: 1 }), room.client.actions.fire({ aim: 2 })];
    room.play();
    room.play();
    room.client.closed(CLOSE["digest-mismatch"].code, "", room.nowMs);
    room.client.opened(room.nowMs);
    room.welcome(room.nowMs, {
      inputSession: 2,
      consumed: 0,
      tick: 640,
      windowTicks: 1,
      openSessions: [{ session: 1, head: 2 }],
    });
    room.snap({ tick: 640, consumed: 0, inputSession: 2 });
    room.pass(3000);
    expect([answered.status, lost.status]).toEqual(["sent", "sent"]);
    expect(room.sentOf("baseline")).toContainEqual({
      type: "baseline",
      session: 1,
      cursor: 0,
      requestId: 1,
    });
    room.baseline([hit()], { covering: 2 });
    room.pass(100);
    expect(answered.status).toBe("settled");
    expect(await lost.settled).toEqual({ status: "void" });
    expect(room.log.voids).toMatchObject([{ session: 1, actions: [lost] }]);
  });

  it("[I3] [S5] makes nothing in a session that it gave up and the room hasn't closed yet", async () => {
    const { room } = joined();
    const [executed, lost] = [room.client.actions.fire({ aim: 1 }), room.client.actions.fire({ aim: 2 })];
    room.play();
    room.play();
    room.client.closed(CLOSE["digest-mismatch"].code, "", room.nowMs);
    room.client.opened(room.nowMs);
    expect(room.sentOf("hello").at(-1)?.inputSession).toBe(0);
    room.sent.length = 0;
    room.welcome(room.nowMs, { consumed: 16, durable: 16, tick: 640, windowTicks: 1 });
    room.snap({ tick: 640, consumed: 16 });
    room.pass(3000);
    expect(numbers(room)).toEqual([]);
    ending(room, { phase: "closed", reason: "digest-mismatch", finalConsumed: 17, opened: 2 });
    expect(room.log.voids).toMatchObject([{ session: 1, from: 18, to: 18, actions: [lost] }]);
    expect(executed.status).toBe("sent");
    expect(await lost.settled).toEqual({ status: "void" });
    room.snap({ tick: 643, consumed: 0, inputSession: 2 });
    room.pass(100);
    expect(numbers(room)[0]).toEqual([2, 1]);
  });

  it("[A8] says that the end of an action isn't known when its seat has ended", async () => {
    const { room } = joined();
    const handle = room.client.actions.fire({ aim: 1 });
    room.play();
    room.receipts(receipt());
    room.client.closed(CLOSE["seat-unknown"].code, "", room.nowMs);
    room.client.opened(room.nowMs);
    room.welcome(room.nowMs, { seat: 4, inputSession: 2, consumed: 0, tick: 640 });
    expect(await handle.settled).toEqual({ status: "unknown" });
  });

  it("[D7] mixes no actions of a room whose storage was wiped with those of the new one", async () => {
    const { room } = joined();
    const handle = room.client.actions.fire({ aim: 1 });
    room.play();
    room.reconnect({ incarnation: 1, tick: 3, consumed: 0, durable: 0 });
    expect(await handle.settled).toEqual({ status: "unknown" });
    room.receipts(receipt({ tick: 9 }));
    expect(room.log.faults).toEqual([]);
    expect(room.log.receipts).toMatchObject([{ seq: 17, tick: 9 }]);
  });

  it("[S5] [I2] makes no command with the last number of all", () => {
    const room = new RangeRoom();
    const last = 0xffff_fffe;
    room.join(last - 6, { credit: 0xffff_ffff });
    room.snap({ tick: 600, consumed: last - 6, credit: 0xffff_ffff });
    room.pass(1000);
    expect(Math.max(...numbers(room).map(([, seq]) => seq ?? 0))).toBe(last);
    ending(room, { phase: "closed", reason: "exhausted", finalConsumed: last - 1, opened: 2 });
    expect(room.log.voids).toMatchObject([{ from: last, to: last, reason: "exhausted" }]);
    room.snap({ tick: 700, consumed: 0, inputSession: 2 });
    room.pass(100);
    expect(numbers(room).at(-1)?.[0]).toBe(2);
  });
});
