import { describe, expect, it } from "vitest";
import { decodeLedger, LIMITS } from "../../../protocol/index.ts";
import type { RoomHooks } from "../../../room/core/index.ts";
import { type Mover, mover } from "./mover.ts";
import { Rig } from "./rig.ts";

const spawning: RoomHooks<Mover> = {
  onJoin(seat) {
    seat.spawn("player");
  },
};

function rig(): Rig<Mover> {
  return new Rig(mover, { hooks: spawning });
}

/** How far the only player has walked. */
function walked(room: Rig<Mover>): number {
  const [player] = room.core.world.all("player");
  return player?.place.x ?? Number.NaN;
}

describe("the loop", () => {
  it("[T1] computes the same state from the same commands and seed, whenever they happen to arrive", () => {
    const hashes = [0, 17, 40].map((delayMs) => {
      const room = rig();
      const ada = room.join(1);
      room.windows(1);
      room.pass(delayMs);
      room.command(ada, { step: true }, { luck: true }, { luck: true });
      room.pass(50 - delayMs);
      room.windows(2);
      return room.core.world.hash();
    });
    expect(new Set(hashes).size).toBe(1);
  });

  it("[T2] runs a window per alarm and sends it after the commit", () => {
    const room = rig();
    const ada = room.join(1);
    room.pass(49);
    expect(room.core.tick).toBe(0);
    expect(ada.frames).toEqual([]);
    room.pass(1);
    expect(room.core.tick).toBe(3);
    expect(ada.frames).toEqual(["welcome", "roster", "snapshot"]);
    room.windows(10);
    expect(room.core.tick).toBe(33);
    expect(ada.snapshots.map(({ tick }) => tick)).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33]);
  });

  it("[T2] always leaves an alarm behind that is later than now and than the one that fired", () => {
    const room = rig();
    room.join(1);
    for (const lateMs of [0, 3, 51, 400]) {
      const firing = room.store.takeAlarm() as number;
      room.nowMs = firing + lateMs;
      room.core.pump(room.nowMs, firing);
      expect(room.store.alarmMs()).toBeGreaterThan(room.nowMs);
      expect(room.store.alarmMs()).toBeGreaterThan(firing);
    }
  });

  it("[T2] re-arms later than an alarm that fires before its time", () => {
    const room = rig();
    room.join(1);
    const firing = room.store.takeAlarm() as number;
    room.core.pump(firing - 5, firing);
    expect(room.core.tick).toBe(0);
    expect(room.store.alarmMs()).toBe(firing + 1);
  });

  it("[T3] forgets wall time beyond the catch-up bound, counts it and tells the clients", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);
    room.alarms = false;
    room.pass(2000);
    room.alarms = true;
    room.pass(0);
    expect(room.core.tick).toBe(18);
    expect(ada.snapshot).toMatchObject({ tick: 18, slippedTicks: 105 });
    room.windows(1);
    expect(room.core.tick).toBe(21);
    expect(room.core.stats().slippedTicks).toBe(105);
  });

  it("[T4] lets a message do the work of an alarm that is a whole window late", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);
    room.alarms = false;
    room.pass(99);
    room.command(ada, { step: true });
    expect(room.core.tick).toBe(3);
    room.pass(1);
    room.command(ada, { step: true });
    expect(room.core.tick).toBe(9);
  });

  it("[T4] never runs a tick twice, whatever calls the pump and however often", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);
    room.command(ada, { step: true }, { step: true }, { step: true });
    const firing = room.store.alarmMs() as number;
    room.nowMs = firing;
    for (let i = 0; i < 5; i++) {
      room.core.pump(room.nowMs, firing);
      room.core.poke(room.nowMs);
    }
    expect(room.core.tick).toBe(6);
    expect(walked(room)).toBe(3);
    expect(ada.snapshots.map(({ tick }) => tick)).toEqual([3, 6]);
  });

  it("[T4] goes on ticking under a flood of messages while no alarm fires at all", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);
    room.alarms = false;
    for (let i = 0; i < 200; i++) {
      room.pass(20);
      room.send(ada, ada.input([]));
    }
    expect(room.core.tick).toBeGreaterThan(3 + 230);
    expect(ada.closed).toBeUndefined();
  });

  it("[T4] survives a wall clock that is set back", () => {
    const room = rig();
    room.join(1);
    room.windows(1);
    room.store.takeAlarm();
    room.nowMs -= 3_600_000;
    room.core.pump(room.nowMs);
    room.windows(2);
    expect(room.core.tick).toBe(9);
  });

  it("[T5] sets a lost alarm again when the room is constructed, called or messaged", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);

    room.store.takeAlarm();
    room.core.poke(room.nowMs);
    expect(room.store.alarmMs()).toBeDefined();

    room.store.takeAlarm();
    room.send(ada, ada.input([]));
    expect(room.store.alarmMs()).toBeDefined();

    room.store.takeAlarm();
    room.crash();
    expect(room.store.alarmMs()).toBeDefined();
  });

  it("[T7] sleeps without an alarm when the last player has left, and commits that", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(2);
    room.send(ada, ada.frame({ type: "leave" }));
    room.windows(1);
    expect(room.store.alarmMs()).toBeUndefined();
    expect(room.core.stats()).toMatchObject({ state: "sleeping", seats: 0, tick: 9 });
    room.crash();
    expect(room.store.alarmMs()).toBeUndefined();
    expect(room.core.tick).toBe(9);
  });

  it("[T7] wakes at the next tick and simulates none of the time asleep", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(2);
    room.send(ada, ada.frame({ type: "leave" }));
    room.windows(1);
    room.pass(3_600_000);
    const bob = room.join(2);
    room.windows(1);
    expect(bob.welcome.tick).toBe(12);
    expect(room.core.stats().slippedTicks).toBe(0);
  });

  it("[T7] sleeps through bots: they alone keep no room awake", () => {
    const room = new Rig<Mover>(mover, {
      hooks: {
        ...spawning,
        bots: { idle: () => ({}) },
        onCreate: (api) => void api.addBot("idle", { name: "B" }),
      },
    });
    expect(room.core.create({}, room.nowMs)).toBe("created");
    expect(room.store.alarmMs()).toBeUndefined();
    expect(room.core.stats()).toMatchObject({ state: "sleeping", bots: 1 });
  });

  it("[T7] keeps a dropped player's room awake for the grace time only", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);
    room.drop(ada);
    room.pass(29_900);
    expect(room.core.running).toBe(true);
    room.pass(200);
    expect(room.core.running).toBe(false);
    expect(room.store.alarmMs()).toBeUndefined();
  });

  it("[T8] makes joins and spawns of one window exist before its first tick", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);
    const [player] = room.core.world.all("player");
    expect(player?.place.ticks).toBe(3);
    expect(ada.state.count).toBe(1);
  });

  it("[T8] consumes the command of a seat whose entity is about to go and does nothing with it", () => {
    const hooks: RoomHooks<Mover> = {
      onJoin: (seat, api) => {
        if (seat.name === "Ada") seat.spawn("player");
        else for (const player of api.world.all("player")) api.world.despawn(player);
      },
    };
    const room = new Rig<Mover>(mover, { hooks });
    const ada = room.join(1, { name: "Ada" });
    room.windows(1);
    room.join(2, { name: "Eve" });
    room.command(ada, { step: true }, { boom: true });
    room.windows(1);
    expect(ada.snapshot.consumed).toBe(2);
    const entries = decodeLedger(room.store.ledger(2) as Uint8Array).sessions[0]?.entries;
    expect(entries?.map(({ disposition }) => disposition)).toEqual([3, 3]);
  });

  it("[S1] closes a connection that says nothing, also in a sleeping room that no tick runs in", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);
    room.send(ada, ada.frame({ type: "leave" }));
    room.windows(1);
    room.connect(ada);
    expect(room.store.alarmMs()).toBe(room.nowMs + LIMITS.helloDeadlineMs);
    room.pass(LIMITS.helloDeadlineMs);
    expect(ada.closed?.code).toBe(4404);
    expect(room.core.tick).toBe(6);
    expect(room.store.alarmMs()).toBeUndefined();
  });
});
