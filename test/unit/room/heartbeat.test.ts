import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { mover } from "./mover.ts";
import { Rig } from "./rig.ts";
import { TestClient } from "./test-client.ts";

const hooks = { onJoin: (seat: { spawn(kind: "player"): unknown }) => void seat.spawn("player") };

function rig() {
  const room = new Rig(mover, { hooks });
  const ada = room.join(1);
  room.windows(1);
  return { room, ada };
}

describe("a connection whose other end is gone", () => {
  it("[X2] is ended within ten seconds, may come back to its seat, and not a moment before", () => {
    const { room, ada } = rig();
    ada.reads = false;
    room.pass(LIMITS.silenceMs - 51);
    expect(ada.closed).toBeUndefined();
    room.windows(2);
    expect(ada.closed?.code).toBe(4405);
    expect(LIMITS.silenceMs).toBeLessThan(10_000);
    room.resume(ada);
    room.windows(1);
    expect(ada.closed).toBeUndefined();
    expect(ada.welcome.seat).toBe(1);
  });

  it("[X2] isn't one whose player only looks on: an empty batch now and then is enough", () => {
    const { room, ada } = rig();
    for (let i = 0; i < 10; i++) {
      room.send(ada, ada.input([]));
      room.pass(LIMITS.silenceMs - 1_000);
    }
    expect(ada.closed).toBeUndefined();
  });

  it("[X1] isn't one that couldn't be heard while the room itself stood still", () => {
    const { room, ada } = rig();
    room.alarms = false;
    room.pass(60_000);
    room.alarms = true;
    room.windows(2);
    expect(ada.closed).toBeUndefined();
  });
});

describe("connections from one address", () => {
  function crowd(addresses: readonly (string | undefined)[]) {
    const { room, ada } = rig();
    const turnedAway: number[] = [];
    for (const [i, address] of addresses.entries()) {
      const close = (code: number) => void turnedAway.push(code);
      room.core.connect({ id: `crowd-${i}`, address, send: () => undefined, close }, room.nowMs);
    }
    return { room, ada, turnedAway };
  }
  const many = (address: string | undefined, count: number) =>
    new Array<string | undefined>(count).fill(address);

  it("[X1] are welcome up to the limit, and one more is turned away", () => {
    expect(crowd(many("192.0.2.1", LIMITS.connectionsPerAddress)).turnedAway).toEqual([]);
    const { turnedAway, room, ada } = crowd(many("192.0.2.1", LIMITS.connectionsPerAddress + 1));
    expect(turnedAway).toEqual([4426]);
    room.windows(1);
    expect(ada.closed).toBeUndefined();
  });

  it("[X1] count for themselves, and those of nobody in particular for nobody", () => {
    const most = LIMITS.connectionsPerAddress;
    expect(crowd([...many("192.0.2.1", most), "192.0.2.2"]).turnedAway).toEqual([]);
    expect(crowd(many(undefined, most + 10)).turnedAway).toEqual([]);
  });

  it("[X1] make room for others as they end", () => {
    const { room, turnedAway } = crowd(many("192.0.2.1", LIMITS.connectionsPerAddress));
    room.core.disconnect("crowd-0", room.nowMs);
    const newcomer = new TestClient(mover, 9);
    const close = (code: number) => void turnedAway.push(code);
    room.core.connect(
      { id: "new", address: "192.0.2.1", send: (b) => newcomer.receive(b), close },
      room.nowMs,
    );
    expect(turnedAway).toEqual([]);
  });
});
