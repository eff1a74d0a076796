import { describe, expect, it } from "vitest";
import type { ClientEvents } from "../../../client-sdk/index.ts";
import { predictedAfter } from "../../../client-sdk/predicted-state.ts";
import { CLOSE, closeAction } from "../../../protocol/index.ts";
import { line } from "./games.ts";
import { ScriptedRoom, SEAT } from "./scripted-room.ts";

const WALKER = 1;

/** A client on the line, welcomed after `consumed` commands, with its walker at x. */
function onLine(consumed = 0, x = 0, windowTicks = 3) {
  const room = new ScriptedRoom(line);
  const put = (to: number) => {
    room.world.put(WALKER, 1, 0, SEAT, 1, new Uint32Array(new Float32Array([to]).buffer));
  };
  put(x);
  room.client.opened(0);
  room.welcome(0, { consumed, windowTicks });
  room.snapshot(0, { tick: 600, consumed });
  const x_ = () => room.client.view.own?.body.x as number;
  return { room, client: room.client, put, x: x_ };
}
const TICK_MS = 1000 / 60;

describe("ClientCore", () => {
  it.each([100, 65_534])(
    "[P4] [V2] worked case 1 after command %i: the present becomes 5.4, the visual offset starts at +0.1",
    (consumed) => {
      const { room, client, put, x } = onLine(consumed, 4.9, 1);
      client.input.set({ stride: true });
      // The first frame makes two windows' worth of commands at once, so that the room's buffer doesn't start empty.
      client.frame(0);
      client.frame(TICK_MS);
      expect(client.stats()).toMatchObject({ tick: 603, pendingInputs: 3 });
      client.frame(TICK_MS * 1.999);
      expect(x()).toBeCloseTo(5.5, 2);
      put(5.0);
      room.snapshot(TICK_MS * 1.999, { tick: 601, consumed: consumed + 1 });
      expect(client.stats()).toMatchObject({ corrections: 1, replayedTicks: 2, pendingInputs: 2, tick: 603 });
      expect(client.stats().lastCorrectionDistance).toBeCloseTo(0.1, 5);
      // At the same instant nothing has moved on the screen, though the present is 5.4.
      client.frame(TICK_MS * 1.999);
      expect(x()).toBeCloseTo(5.5, 2);
      const present = predictedAfter(client, consumed + 3)?.rows[0]?.cells as Uint32Array;
      expect(new Float32Array(present.buffer)[0]).toBeCloseTo(5.4, 5);
    },
  );

  it("[X4] tells its page when the room will close and why, and plays on until it does", () => {
    const { room, client } = onLine();
    const heard: ClientEvents["closing"][] = [];
    client.on("closing", (closing) => heard.push(closing));
    room.say(0, { type: "notice", inMs: 60_000, reason: "new maps" });
    expect(heard).toMatchObject([{ inMs: 60_000, reason: "new maps" }]);
    client.frame(0);
    client.frame(200);
    expect(client.status).toBe("joined");
    expect(room.sentOf("input").flatMap(({ commands }) => commands).length).toBeGreaterThan(0);
    for (const code of [CLOSE.kicked.code, CLOSE["room-closed"].code]) expect(closeAction(code)).toBe("stop");
  });

  it("[V3] shows a correction over snapDistance as the jump that it is", () => {
    const { room, client, put, x } = onLine(0, 0);
    client.frame(0);
    put(-9);
    room.snapshot(1, { tick: 601, consumed: 1 });
    client.frame(1);
    expect(x()).toBe(-9);
  });

  it("[I3] [I2] sends each command once, numbered on over 65,535, in the session that the room opened", () => {
    const { room, client } = onLine(65_533);
    for (let i = 0; i <= 60; i++) client.frame(i * TICK_MS);
    const frames = room.sentOf("input").filter((frame) => frame.commands.length > 0);
    const numbers = frames.flatMap((frame) => frame.commands.map((command) => command.seq));
    expect(numbers.slice(0, 5)).toEqual([65_534, 65_535, 65_536, 65_537, 65_538]);
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => 65_534 + i));
    expect(new Set(frames.map((frame) => frame.inputSession))).toEqual(new Set([1]));
    expect(frames.length).toBeGreaterThan(20);
    expect(frames.length).toBeLessThan(35);
  });

  it("[I6] stops sampling at its credit, says so, keeps presses for later, and goes on by itself", () => {
    const { room, client } = onLine();
    const events: ClientEvents["paused"][] = [];
    client.on("paused", (event) => events.push(event));
    let nowMs = 0;
    const pass = (ms: number) => {
      for (const until = nowMs + ms; nowMs < until; nowMs += TICK_MS) client.frame(nowMs);
    };
    pass(5000);
    expect(client.stats()).toMatchObject({ pendingInputs: 128, outOfCredit: true });
    expect(events).toEqual([{ paused: true, why: "credit" }]);
    client.input.set({ leap: true });
    room.snapshot(nowMs, { tick: 640, consumed: 40 });
    pass(100);
    expect(events[1]).toEqual({ paused: false, why: "credit" });
    expect(client.stats().pendingInputs).toBeGreaterThan(88);
    const highest = Math.max(
      ...room.sentOf("input").flatMap((f) => f.commands.map((command) => command.seq)),
    );
    expect(highest).toBeLessThanOrEqual(168);
  });

  it("[I6] shows the room that it is still there while it has nothing to send", () => {
    const { room, client } = onLine();
    for (let nowMs = 0; nowMs < 8000; nowMs += TICK_MS) client.frame(nowMs);
    const empty = room.sentOf("input").filter((frame) => frame.commands.length === 0);
    expect(empty.length).toBeGreaterThan(15);
  });

  it("[S2] resumes with the same secret and session and sends again what isn't consumed", () => {
    const { room, client } = onLine();
    for (let i = 0; i < 30; i++) client.frame(i * TICK_MS);
    room.snapshot(500, { tick: 610, consumed: 10, durable: 8 });
    const made = client.stats().pendingInputs + 10;
    expect(client.closed(1006, "", 600)).toBe("retry");
    expect(client.status).toBe("reconnecting");
    client.opened(900);
    const [first, again] = room.sentOf("hello");
    expect(again).toMatchObject({
      secret: first?.secret,
      inputSession: 1,
      nextSeq: made + 1,
      incarnation: 1,
    });
    room.sent.length = 0;
    room.welcome(950, { consumed: 12, durable: 12, tick: 620 });
    const [resent] = room.sentOf("input");
    expect(resent?.commands.map((command) => command.seq)).toEqual(
      Array.from({ length: made - 12 }, (_, i) => 13 + i),
    );
    expect(client.status).toBe("joined");
  });

  it("[S2] makes only a few commands while it is offline, which the player would have to wait for later", () => {
    const { client } = onLine();
    client.frame(0);
    client.closed(1006, "", 1);
    for (let nowMs = 0; nowMs < 5000; nowMs += TICK_MS) client.frame(nowMs);
    expect(client.stats().pendingInputs).toBeLessThanOrEqual(37);
  });

  it("[P3] opens a new session when the room doesn't go on with the old one, and renumbers nothing", () => {
    const { room, client } = onLine();
    for (let i = 0; i < 30; i++) client.frame(i * TICK_MS);
    client.closed(1006, "", 600);
    client.opened(900);
    room.sent.length = 0;
    room.welcome(950, { inputSession: 2, consumed: 0, tick: 640 });
    expect(client.stats()).toMatchObject({ pendingInputs: 0, consumed: 0 });
    // A snapshot of the session that is over, still on its way: not compared with the new queue.
    room.snapshot(951, { tick: 641, consumed: 30 });
    expect(client.stats()).toMatchObject({ consumed: 0, hardApplies: 0 });
    room.snapshot(960, { tick: 642, consumed: 0, inputSession: 2 });
    client.frame(970);
    expect(room.sentOf("input").at(-1)?.commands[0]?.seq).toBe(1);
    expect(client.stats().corrections).toBe(0);
  });

  it("[P3] re-anchors on a new incarnation and tells the page", () => {
    const { room, client, put } = onLine(0, 0);
    const restarts: ClientEvents["restarted"][] = [];
    client.on("restarted", (event) => restarts.push(event));
    client.frame(0);
    client.closed(1006, "", 1);
    client.opened(2);
    room.welcome(3, { incarnation: 2, tick: 598 });
    put(1);
    room.snapshot(4, { incarnation: 2, tick: 598, consumed: 0 });
    expect(restarts).toEqual([{ incarnation: 2 }]);
    expect(client.stats()).toMatchObject({ incarnation: 2, tick: 604, pendingInputs: 6, corrections: 0 });
  });

  it("joins another room in the place of the one that it knew, as after its storage was wiped", () => {
    const { room, client } = onLine(0, 5);
    for (let i = 0; i < 30; i++) client.frame(i * TICK_MS);
    client.closed(1006, "", 600);
    client.opened(900);
    room.welcome(950, { incarnation: 1, tick: 3, inputSession: 1, consumed: 0 });
    room.snapshot(960, { incarnation: 1, tick: 3, consumed: 0 });
    client.frame(970);
    expect(client.stats()).toMatchObject({ incarnation: 1, consumed: 0 });
    expect(client.stats().tick).toBeLessThan(12);
    expect(client.view.own?.body.x).toBe(5);
  });

  it.each([
    ["version-game", "stop", "closed"],
    ["seat-taken-over", "stop", "closed"],
    ["room-restarting", "retry", "reconnecting"],
    ["seat-unknown", "rejoin", "reconnecting"],
  ] as const)("[S4] treats the close %s as %s", (name, action, status) => {
    const { room, client } = onLine();
    client.frame(0);
    const closes: ClientEvents["closed"][] = [];
    client.on("closed", (event) => closes.push(event));
    expect(client.closed(CLOSE[name].code, "because", 5)).toBe(action);
    expect(client.status).toBe(status);
    expect(closes).toEqual(action === "stop" ? [{ code: CLOSE[name].code, reason: "because" }] : []);
    client.opened(10);
    expect(room.sentOf("hello").at(-1)?.inputSession).toBe(action === "rejoin" ? 0 : 1);
  });

  it("[W2] skips kinds of frames that it doesn't know, and survives ones that it can't read", () => {
    const { room, client } = onLine();
    client.received(new Uint8Array([1, 2, 3]), 10);
    expect(client.stats().badFrames).toBe(1);
    expect(room.sentOf("keyframe")).toEqual([{ type: "keyframe", requestId: 1 }]);
    room.snapshot(20, { tick: 603, consumed: 0, requestId: 1 });
    client.frame(21);
    expect(client.view.own?.body.x).toBe(0);
  });

  it("[R3] asks for a keyframe when a snapshot's base is missing, and goes on from the answer", () => {
    const { room, client } = onLine();
    client.received(room.encodeSnapshot({ tick: 609, baseTick: 606, consumed: 1 }), 50);
    client.frame(60);
    expect(room.sentOf("keyframe")).toEqual([]);
    client.frame(300);
    expect(room.sentOf("keyframe")).toEqual([{ type: "keyframe", requestId: 1 }]);
    room.snapshot(350, { tick: 612, consumed: 2, requestId: 1 });
    expect(client.stats().consumed).toBe(2);
  });

  it("[P3] [I3] replays every command when the snapshots arrive in the wrong order", () => {
    const { room, client } = onLine(0, 0);
    client.input.set({ stride: true });
    client.frame(0);
    // The newer one waits for its base; what it says of durable must not take commands from the older one's replay.
    client.received(room.encodeSnapshot({ tick: 606, baseTick: 603, consumed: 4 }), 50);
    room.snapshot(60, { tick: 603, consumed: 1 });
    expect(client.stats()).toMatchObject({ hardApplies: 0, consumed: 4, durable: 4, tick: 608 });
  });

  it("[P3] takes a welcome that arrives twice for one", () => {
    const { room, client } = onLine();
    for (let i = 0; i < 30; i++) client.frame(i * TICK_MS);
    room.snapshot(500, { tick: 620, consumed: 20 });
    room.welcome(510);
    expect(client.stats()).toMatchObject({ consumed: 20, durable: 20 });
  });

  it("[P10] counts what was in tolerance, moved and corrected apart, and the age of commands", () => {
    const { room, client } = onLine();
    client.frame(0);
    room.snapshot(10, { tick: 601, consumed: 1 });
    expect(client.stats()).toMatchObject({
      inTolerance: 1,
      reanchors: 0,
      corrections: 0,
      commandAgeTicks: 5,
    });
    room.snapshot(20, { tick: 604, consumed: 2 });
    expect(client.stats()).toMatchObject({
      inTolerance: 1,
      reanchors: 1,
      corrections: 0,
      commandAgeTicks: 4,
    });
    expect(client.stats()).toMatchObject({ hardApplies: 0, tick: 608 });
  });

  it("gives its seat up with a last frame, and says nothing after it", () => {
    const { room, client } = onLine();
    client.leave();
    expect(room.sent.at(-1)).toEqual({ type: "leave" });
    expect(client.status).toBe("closed");
    room.sent.length = 0;
    client.frame(1000);
    client.idle(2000);
    expect(room.sent).toEqual([]);
  });

  it("cuts a name to what the room can read", () => {
    const room = new ScriptedRoom(line, { name: "👩‍🚀".repeat(40) });
    room.client.opened(0);
    expect([...(room.sentOf("hello")[0]?.name ?? "")].length).toBe(24);
  });
});
