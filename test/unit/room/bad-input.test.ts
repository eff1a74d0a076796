import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import type { RoomHooks } from "../../../room/core/index.ts";
import { type Mover, mover } from "./mover.ts";
import { Rig } from "./rig.ts";
import { TestClient } from "./test-client.ts";

const spawning: RoomHooks<Mover> = { onJoin: (seat) => void seat.spawn("player") };

/** Ada plays, Eve misbehaves. */
function rig() {
  const room = new Rig<Mover>(mover, { hooks: spawning });
  const ada = room.join(1, { name: "Ada" });
  const eve = room.join(2, { name: "Eve" });
  room.windows(1);
  return { room, ada, eve };
}

/** A frame of `length` bytes that unpacks to nearly as many: runs of literal words, all of them zero. */
function unpackedZeroes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const words = Math.min(255, (length - at - 10) / 8);
    bytes[at] = 0xff;
    bytes[at + 9] = words;
    at += 10 + words * 8;
  }
  return bytes;
}

/** Eve was closed with this code, her seat waits, and Ada didn't notice. */
function expectOnlyEveClosed({ room, ada, eve }: ReturnType<typeof rig>, code: number): void {
  expect(eve.closed?.code).toBe(code);
  expect(eve.closed?.reason).not.toBe("");
  room.command(ada, { step: true }, { step: true }, { step: true });
  room.windows(1);
  expect(ada.closed).toBeUndefined();
  expect(ada.snapshot).toMatchObject({ tick: 6, consumed: 3, missed: 3 });
}

describe("bad input ends its own connection and nothing else", () => {
  it("[X2] a text frame", () => {
    const all = rig();
    all.room.send(all.eve, "hello?");
    expectOnlyEveClosed(all, 4401);
  });

  it("[X2] a frame that can't be decoded", () => {
    const all = rig();
    all.room.send(all.eve, Uint8Array.of(1, 2, 3, 250, 17));
    expectOnlyEveClosed(all, 4400);
  });

  it("[X2] an empty frame", () => {
    const all = rig();
    all.room.send(all.eve, new Uint8Array(0));
    expectOnlyEveClosed(all, 4400);
  });

  it("[X1] a frame of one byte more than the limit", () => {
    const all = rig();
    all.room.send(all.eve, new Uint8Array(LIMITS.frameBytesIn + 1));
    expectOnlyEveClosed(all, 4402);
  });

  it("[X1] a frame of exactly the limit isn't too large, only not decodable", () => {
    const all = rig();
    const frame = unpackedZeroes(LIMITS.frameBytesIn);
    expect(frame.length).toBe(LIMITS.frameBytesIn);
    all.room.send(all.eve, frame);
    expectOnlyEveClosed(all, 4400);
  });

  it("[I8] an undecodable frame consumes nothing, not even what it had right", () => {
    const all = rig();
    const frame = all.eve.input([{ step: true }, { step: true }]);
    all.room.send(all.eve, frame.subarray(0, frame.length - 1));
    all.room.windows(1);
    const [, eve] = [...all.room.core.world.all("player")];
    expect(eve?.place.x).toBe(0);
  });

  it("[S1] input before the hello", () => {
    const { room, eve } = rig();
    const stranger = new TestClient(mover, 9);
    room.connect(stranger);
    room.send(stranger, eve.input([{ step: true }]));
    expect(stranger.closed?.code).toBe(4403);
  });

  it("[S1] a second hello", () => {
    const all = rig();
    all.room.send(all.eve, all.eve.hello());
    expectOnlyEveClosed(all, 4403);
  });

  it.each([
    ["protocol", { protocol: 0 }, 4410],
    ["newer protocol", { protocol: 99 }, 4506],
    ["game", { game: "chess" }, 4411],
    ["game version", { gameVersion: 0 }, 4412],
    ["newer game version", { gameVersion: 2 }, 4506],
    ["schema", { fingerprint: 1n }, 4413],
  ] as const)("[W2] a hello of another %s", (_, overrides, code) => {
    const { room } = rig();
    const stranger = new TestClient(mover, 9);
    room.connect(stranger);
    room.send(stranger, stranger.hello({ overrides }));
    expect(stranger.closed?.code).toBe(code);
    expect(room.core.stats().seats).toBe(2);
  });

  it("[I6] commands beyond the credit", () => {
    const all = rig();
    all.room.send(all.eve, all.eve.input([{ step: true }], { from: all.eve.snapshot.credit + 1 }));
    expectOnlyEveClosed(all, 4431);
  });

  it("[I6] commands up to the credit are welcome", () => {
    const { room, eve } = rig();
    room.send(eve, eve.input([{ step: true }], { from: eve.snapshot.credit }));
    expect(eve.closed).toBeUndefined();
  });

  it("[I7] other content under a used number, which also ends the input session", () => {
    const all = rig();
    all.room.send(all.eve, all.eve.input([{ step: true }], { from: 1 }));
    all.room.send(all.eve, all.eve.input([{ luck: true }], { from: 1 }));
    expectOnlyEveClosed(all, 4433);
    all.room.resume(all.eve);
    all.room.windows(1);
    expect(all.eve.welcome).toMatchObject({ seat: 2, consumed: 0 });
    expect(all.eve.welcome.inputSession).toBeGreaterThan(2);
  });

  it("[X1] a flood of frames", () => {
    const all = rig();
    const frame = all.eve.input([]);
    const most = LIMITS.frameBurst;
    for (let i = 0; i < most - 1; i++) all.room.send(all.eve, frame);
    expect(all.eve.closed).toBeUndefined();
    for (let i = 0; i < 10; i++) all.room.send(all.eve, frame);
    expectOnlyEveClosed(all, 4430);
  });

  it("[I6] a stall of the room closes nobody for what piled up meanwhile", () => {
    const { room, ada } = rig();
    room.alarms = false;
    room.nowMs += 20_000;
    for (let i = 0; i < 600; i++) room.send(ada, ada.input([]));
    expect(ada.closed).toBeUndefined();
  });

  it("[S1] silence past the hello deadline, and not before", () => {
    const { room, ada } = rig();
    const silent = new TestClient(mover, 9);
    room.connect(silent);
    room.pass(LIMITS.helloDeadlineMs - 1);
    expect(silent.closed).toBeUndefined();
    room.pass(51);
    expect(silent.closed?.code).toBe(4404);
    expect(ada.closed).toBeUndefined();
  });
});
