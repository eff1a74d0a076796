import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { unpackCalls } from "../../../sim/index.ts";
import { hit, range, receipt } from "./gunners.ts";
import { RangeRoom } from "./range-room.ts";

/** Number and slot of every call that the client has sent, in order, repeats included. */
const sentCalls = (room: RangeRoom) =>
  room
    .sentOf("input")
    .flatMap(({ commands }) => commands)
    .flatMap(({ seq, bytes }) => unpackCalls(range.schema, bytes, seq))
    .map(({ seq, slot }) => `${seq}/${slot}`);

function joined() {
  const room = new RangeRoom();
  room.join();
  return room;
}

describe("actions", () => {
  it("[I1] go into exactly one command each, one call of an action per command, others beside it", () => {
    const room = joined();
    const { fire, buy } = room.client.actions;
    const handles = [fire({ aim: 1 }), fire({ aim: 2 }), buy()];
    expect(handles.map(({ status }) => status)).toEqual(["queued", "queued", "queued"]);
    expect(handles.map(({ identity }) => identity)).toEqual([undefined, undefined, undefined]);
    for (let i = 0; i < 10; i++) room.play();
    expect(sentCalls(room)).toEqual(["17/0", "17/1", "18/0"]);
    expect(handles.map(({ identity }) => identity)).toEqual([
      { session: 1, seq: 17, slot: 0 },
      { session: 1, seq: 18, slot: 0 },
      { session: 1, seq: 17, slot: 1 },
    ]);
    expect(handles.map(({ status }) => status)).toEqual(["sent", "sent", "sent"]);
    expect(room.client.receipts.open()).toEqual([handles[0], handles[2], handles[1]]);
  });

  it("[A1] are admitted in prediction as in the room, so that ammunition and refusals show at once", () => {
    const room = joined();
    room.put(8, 1);
    room.snap({ tick: 600, consumed: 16 });
    const handles = [room.client.actions.fire({ aim: 1 }), room.client.actions.fire({ aim: 1 })];
    room.play();
    room.play();
    expect(handles.map(({ predicted }) => predicted)).toEqual([
      { admitted: true },
      { admitted: false, reason: "no-ammo" },
    ]);
    expect(room.client.view.own?.gun.ammo).toBe(0);
    expect(room.muzzles).toEqual(["play 17 muzzle"]);
  });

  it("[I6] wait at the credit bound, and go out once, when there is credit again", () => {
    const room = joined();
    room.pass(5000);
    expect(room.client.stats().outOfCredit).toBe(true);
    const handle = room.client.actions.fire({ aim: 1 });
    room.pass(500);
    expect(handle.status).toBe("queued");
    room.snap({ tick: 700, consumed: 100 });
    room.pass(200);
    expect(handle.identity?.seq).toBe(145);
    expect(sentCalls(room)).toEqual(["145/0"]);
  });

  it("[X1] wait only up to a bound: a page that asks on and on doesn't fire for minutes afterwards", async () => {
    const room = joined();
    room.client.closed(1006, "", room.nowMs);
    room.pass(2000);
    const calls = Array.from({ length: LIMITS.pendingActions + 1 }, () =>
      room.client.actions.fire({ aim: 1 }),
    );
    expect(await calls.at(-1)?.settled).toEqual({ status: "void" });
    expect(calls.at(-2)?.status).toBe("queued");
  });

  it("[I3] [P8] are neither sent nor shown again by replays, and sent again under their number by a reconnect", () => {
    const room = joined();
    room.client.actions.fire({ aim: 1 });
    room.play();
    room.put(7);
    room.snap({ tick: 600, consumed: 16 });
    room.put(6);
    room.snap({ tick: 601, consumed: 16 });
    expect(sentCalls(room)).toEqual(["17/0"]);
    room.reconnect({ consumed: 16, durable: 16, tick: 602 });
    expect(sentCalls(room)).toEqual(["17/0", "17/0"]);
    expect(room.log.effects).toEqual(["play 17 muzzle", "play 17 shell 1", "play 17 shell 2"]);
  });

  it("[A2] resolve with the room's last word, whoever asks for it when", async () => {
    const room = joined();
    const [shot, refused] = [room.client.actions.fire({ aim: 1 }), room.client.actions.buy()];
    room.play();
    const early = shot.settled;
    room.receipts(
      receipt(),
      receipt({ number: 2, slot: 1, status: "rejected", reason: "poor" }),
      hit({ number: 3 }),
    );
    expect(await early).toEqual({
      action: "fire",
      session: 1,
      seq: 17,
      slot: 0,
      revision: 2,
      tick: 604,
      status: "settled",
      result: { hit: true },
    });
    expect(await refused.settled).toMatchObject({ action: "buy", status: "rejected", reason: "poor" });
    expect(await shot.settled).toBe(await early);
  });

  it("[A2] tell receipts of actions that this page knows nothing of, too", () => {
    const room = joined();
    room.receipts(receipt({ seq: 3 }));
    expect(room.log.receipts).toMatchObject([{ action: "fire", seq: 3, status: "admitted" }]);
    expect(room.client.receipts.open()).toMatchObject([{ action: "fire", status: "admitted" }]);
  });

  it("[A4] keep telling the others when one listener throws, and report its fault", () => {
    const room = joined();
    const error = new Error("in the page");
    room.client.receipts.on("fire", () => {
      throw error;
    });
    const after: number[] = [];
    const off = room.client.receipts.on("fire", ({ seq }) => after.push(seq));
    room.receipts(receipt());
    off();
    room.receipts(hit());
    expect(after).toEqual([17]);
    expect(room.log.receipts.length).toBe(2);
    expect(room.log.faults).toEqual([error, error]);
  });

  it("[A7] confirm the cursor along with the commands, and fetch what is missing", () => {
    const room = joined();
    room.play();
    room.sent.length = 0;
    room.receipts(receipt(), hit());
    room.play();
    expect(room.sent.map(({ type }) => type)).toEqual(["input", "cursor"]);
    expect(room.sentOf("cursor")).toEqual([{ type: "cursor", session: 1, cursor: 2, baselineId: 0 }]);
    room.snap({ tick: 610, consumed: 18, receiptHead: 4 });
    room.pass(150);
    expect(room.sentOf("fetch")).toEqual([]);
    room.pass(100);
    expect(room.sentOf("fetch")).toEqual([{ type: "fetch", session: 1, from: 3, to: 4 }]);
    expect(room.sentOf("cursor").length).toBe(1);
  });

  it("are void or of unknown end when the client leaves, and never wait for ever", async () => {
    const room = joined();
    const sent = room.client.actions.fire({ aim: 1 });
    room.play();
    const waiting = room.client.actions.fire({ aim: 1 });
    room.client.leave();
    expect(await sent.settled).toEqual({ status: "unknown" });
    expect(await waiting.settled).toEqual({ status: "void" });
    expect(await room.client.actions.buy().settled).toEqual({ status: "void" });
  });
});
