import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import type { RoomHooks } from "../../../room/core/index.ts";
import { type Mover, mover } from "./mover.ts";
import { Rig } from "./rig.ts";
import { TestClient } from "./test-client.ts";

const spawning: RoomHooks<Mover> = { onJoin: (seat) => void seat.spawn("player") };

function rig(hooks: RoomHooks<Mover> = {}): Rig<Mover> {
  return new Rig<Mover>(mover, { hooks: { ...spawning, ...hooks } });
}

function xOf(room: Rig<Mover>, seat: number): number | undefined {
  for (const player of room.core.world.all("player")) if (player.owner === seat) return player.place.x;
  return undefined;
}

describe("joining", () => {
  it("[P3] welcomes a newcomer with where its seat stands at the boundary it is shown", () => {
    const room = rig();
    const ada = room.join(1, { name: "Ada" });
    room.windows(1);
    expect(ada.welcome).toMatchObject({
      seat: 1,
      incarnation: 1,
      tick: 3,
      tickRate: 60,
      windowTicks: 3,
      inputSession: 1,
      consumed: 0,
      durable: 0,
      credit: 128,
      roomName: "mover:test",
    });
    expect(ada.roster).toEqual([{ seat: 1, name: "Ada", kind: "player", connected: true }]);
  });

  it("[S1] asks the game before it takes a seat, and says why it refuses", () => {
    const room = rig({ authorize: ({ name }) => (name === "Eve" ? { refuse: "not Eve" } : true) });
    const ada = room.join(1, { name: "Ada" });
    const eve = room.join(2, { name: "Eve" });
    room.windows(1);
    expect(ada.welcomes.length).toBe(1);
    expect(eve.closed).toEqual({ code: 4420, reason: "joining was not allowed: not Eve" });
    expect(room.core.stats().seats).toBe(1);
  });

  it("[S1] lets nobody in while the game's check throws", () => {
    const room = rig({
      authorize: () => {
        throw new Error("out of order");
      },
    });
    const ada = room.join(1);
    expect(ada.closed?.code).toBe(4420);
  });

  it("[X1] takes the last free seat and refuses the next", () => {
    const room = rig();
    const value = LIMITS.seats;
    const clients = Array.from({ length: value + 1 }, (_, i) => {
      const client = new TestClient(mover, 0);
      client.secret.set([i & 0xff, i >> 8]);
      room.connect(client);
      room.send(client, client.hello());
      return client;
    });
    room.windows(1);
    expect(clients.filter(({ welcomes }) => welcomes.length === 1).length).toBe(value);
    expect(clients.at(-1)?.closed?.code).toBe(4422);
  });

  it("[T7] forgets a player who is gone again before the first window", () => {
    const room = rig();
    const ada = room.join(1);
    room.drop(ada);
    room.windows(1);
    expect(room.core.stats()).toMatchObject({ seats: 0, tick: 0 });
    expect(room.core.running).toBe(false);
  });

  it("[R8] cleans a name of what would garble a roster", () => {
    const room = rig();
    const ada = room.join(1, { name: "  \u202eA\u0000da \n  L. " });
    const nobody = room.join(2, { name: "\u200b" });
    room.windows(1);
    expect(ada.roster.map(({ name }) => name)).toEqual(["Ada L.", "Player"]);
    expect(nobody.welcomes.length).toBe(1);
  });
});

describe("leaving and coming back", () => {
  it("[S2] keeps a dropped seat with all that it owns, and resumes it by its secret", () => {
    const room = rig();
    const ada = room.join(1);
    const bob = room.join(2);
    room.windows(1);
    room.command(ada, { step: true }, { step: true }, { step: true });
    room.windows(1);
    room.drop(ada);
    room.windows(20);
    expect(bob.roster.find(({ seat }) => seat === 1)?.connected).toBe(false);
    room.resume(ada);
    room.windows(1);
    expect(ada.welcome).toMatchObject({ seat: 1, inputSession: 1, consumed: 3, durable: 3 });
    expect(ada.snapshot.baseTick).toBe(0);
    expect(bob.roster.find(({ seat }) => seat === 1)?.connected).toBe(true);
    room.command(ada, { step: true });
    room.windows(1);
    expect(ada.snapshot.consumed).toBe(4);
  });

  it("[S2] executes what a dropped player had sent before", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);
    room.command(ada, { step: true }, { step: true }, { step: true }, {});
    room.drop(ada);
    room.windows(2);
    expect(xOf(room, 1)).toBe(3);
  });

  it("[S2] calls onLeave once, when the grace is over, and despawns what the seat still owns", () => {
    const left: string[] = [];
    const room = rig({ onLeave: (seat) => void left.push(`${seat.name} ${seat.entity?.archetype}`) });
    const ada = room.join(1, { name: "Ada" });
    const bob = room.join(2);
    room.windows(1);
    room.drop(ada);
    room.pass(29_000);
    expect(left).toEqual([]);
    expect(bob.state.count).toBe(2);
    room.pass(1_100);
    expect(left).toEqual(["Ada player"]);
    expect(bob.state.count).toBe(1);
    expect(bob.roster.length).toBe(1);
  });

  it("[S2] gives a new seat to the secret of one that has ended", () => {
    const room = rig();
    room.join(2);
    const ada = room.join(1);
    room.windows(1);
    room.send(ada, ada.frame({ type: "leave" }));
    expect(ada.closed?.code).toBe(1000);
    room.windows(1);
    room.resume(ada);
    room.windows(1);
    expect(ada.welcome).toMatchObject({ seat: 3, inputSession: 3, consumed: 0 });
  });

  it("[S2] lets a game keep an entity of a leaver by giving it away", () => {
    const room = rig({
      onLeave: (seat) => {
        if (seat.entity) seat.entity.owner = 0;
      },
    });
    const ada = room.join(1);
    const bob = room.join(2);
    room.windows(1);
    room.send(ada, ada.frame({ type: "leave" }));
    room.windows(1);
    expect(bob.state.count).toBe(2);
  });

  it("[S2] hands a seat to its newest connection and discards the older one's commands and late frames", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);
    room.command(ada, { step: true }, { step: true });
    const late = ada.input([{ step: true }]);
    const oldLink = room.connect(ada);
    const copy = new TestClient(mover, 1);
    room.connect(copy);
    room.send(copy, copy.hello({ inputSession: 1, nextSeq: 1 }));
    room.core.receive("link-1", late.slice().buffer as ArrayBuffer, room.nowMs);
    room.windows(1);
    expect(oldLink).not.toBe("link-1");
    expect(copy.welcome).toMatchObject({ seat: 1, inputSession: 1, consumed: 0 });
    expect(xOf(room, 1)).toBe(0);
  });

  it("[S2] tells the connection that was taken over to stop", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);
    const copy = new TestClient(mover, 1);
    room.connect(copy);
    room.send(copy, copy.hello());
    expect(ada.closed?.code).toBe(4423);
    room.windows(1);
    expect(room.core.stats()).toMatchObject({ seats: 1, connections: 1 });
    expect(copy.snapshot.tick).toBe(6);
  });

  it("[S2] opens a new input session for a queue that doesn't agree with what was consumed", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);
    room.command(ada, { step: true }, { step: true }, { step: true });
    room.windows(1);
    room.drop(ada);
    room.resume(ada, { nextSeq: 2 });
    room.windows(1);
    expect(ada.welcome).toMatchObject({ seat: 1, inputSession: 2, consumed: 0, credit: 128 });
    expect(ada.snapshot).toMatchObject({ inputSession: 2, consumed: 0, missed: 0 });
  });

  it("[S2] opens a new input session for a client that has lost its queue", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);
    room.drop(ada);
    room.resume(ada, { inputSession: 0, nextSeq: 1 });
    room.windows(1);
    expect(ada.welcome.inputSession).toBe(2);
  });

  it("[I8] ignores commands of an earlier input session", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);
    room.drop(ada);
    room.resume(ada, { inputSession: 0 });
    room.windows(1);
    room.send(ada, ada.input([{ step: true }], { from: 1, inputSession: 1 }));
    room.windows(1);
    expect(ada.snapshot.consumed).toBe(0);
    expect(ada.closed).toBeUndefined();
  });
});
