import { describe, expect, it } from "vitest";
import { CLOSE } from "../../../protocol/index.ts";
import type { RoomHooks } from "../../../room/core/index.ts";
import { type Mover, mover } from "./mover.ts";
import { Rig } from "./rig.ts";

const left: number[] = [];
const hooks: RoomHooks<Mover> = {
  onJoin: (seat) => void seat.spawn("player"),
  onLeave: (seat) => void left.push(seat.id),
};

function roomOfTwo() {
  left.length = 0;
  const room = new Rig(mover, { hooks });
  const [ada, bob] = [room.join(1), room.join(2)];
  room.windows(2);
  return { room, ada, bob };
}

describe("kicking a player", () => {
  it("[X4] closes its connection with a reason, ends its seat through onLeave, and touches nobody else", () => {
    const { room, ada, bob } = roomOfTwo();
    expect(room.core.admin.kick(1, "spoils the game")).toBe("kicked");
    expect(ada.closed).toEqual({
      code: CLOSE.kicked.code,
      reason: "the player was sent away: spoils the game",
    });
    room.windows(1);
    expect(left).toEqual([1]);
    expect(bob.closed).toBeUndefined();
    expect(room.core.stats()).toMatchObject({ seats: 1, entities: 1 });
    expect(room.log).toContainEqual(
      expect.objectContaining({ event: "kicked", seat: 1, reason: "spoils the game", room: "mover:test" }),
    );
  });

  it("[X4] works on a player who is away, and isn't undone by the seat's secret: it joins as somebody new", () => {
    const { room, ada } = roomOfTwo();
    room.drop(ada);
    room.windows(1);
    expect(room.core.admin.kick(1, "")).toBe("kicked");
    room.resume(ada);
    room.windows(2);
    expect(ada.welcome.seat).toBe(3);
    expect(left).toEqual([1]);
  });

  it("[X4] of one whose join no window has seen leaves nothing behind", () => {
    const { room } = roomOfTwo();
    const cyd = room.join(3);
    expect(room.core.admin.kick(3, "")).toBe("kicked");
    room.windows(2);
    expect(cyd.closed?.code).toBe(CLOSE.kicked.code);
    expect(left).toEqual([]);
    expect(room.core.stats().seats).toBe(2);
  });

  it("[X4] finds nobody under a number that no player has", () => {
    const { room } = roomOfTwo();
    for (const seat of [0, 3, -1, 1.5, Number.NaN]) {
      expect(room.core.admin.kick(seat, "")).toBe("no-such-seat");
    }
  });
});

describe("closing a room", () => {
  it("[X4] tells players in time, newcomers too, then sends them away, lets them leave and sleeps", () => {
    const { room, ada, bob } = roomOfTwo();
    expect(room.core.admin.close({ inMs: 2_000, reason: "back at noon" }, room.nowMs)).toBe("closing");
    room.pass(1_000);
    const cyd = room.join(3);
    room.windows(3);
    for (const player of [ada, bob]) {
      expect(player.notices).toEqual([{ type: "notice", inMs: 2_000, reason: "back at noon" }]);
    }
    expect(cyd.notices).toEqual([expect.objectContaining({ reason: "back at noon" })]);
    expect(cyd.notices[0]?.inMs).toBeLessThan(1_000);
    expect(room.core.running).toBe(true);
    room.pass(1_000);
    for (const player of [ada, bob, cyd]) {
      expect(player.closed).toEqual({
        code: CLOSE["room-closed"].code,
        reason: "the room was closed: back at noon",
      });
    }
    expect([...left].sort()).toEqual([1, 2, 3]);
    expect(room.core.stats()).toMatchObject({ state: "closed", seats: 0, entities: 0 });
    const { rowsWritten } = room.store;
    room.pass(600_000);
    expect(room.store.rowsWritten).toBe(rowsWritten);
    expect(room.store.alarmMs()).toBeUndefined();
  });

  it("[X4] keeps a closed room closed to newcomers until it is opened", () => {
    const { room } = roomOfTwo();
    expect(room.core.admin.close({ inMs: 0, reason: "" }, room.nowMs)).toBe("closed");
    expect(room.join(3).closed?.code).toBe(CLOSE["room-closed"].code);
    room.core.admin.open();
    const dan = room.join(4);
    room.windows(2);
    expect(dan.closed).toBeUndefined();
    expect(dan.snapshots.length).toBeGreaterThan(0);
  });

  it("[X4] can be taken back, and put off", () => {
    const { room, ada } = roomOfTwo();
    room.core.admin.close({ inMs: 500, reason: "" }, room.nowMs);
    room.core.admin.close({ inMs: 5_000, reason: "later" }, room.nowMs);
    room.pass(1_000);
    expect(ada.notices.map(({ inMs }) => inMs)).toEqual([500, 5_000]);
    room.core.admin.open();
    for (let second = 0; second < 10; second++) {
      room.send(ada, ada.input([]));
      room.pass(1_000);
    }
    expect(ada.closed).toBeUndefined();
  });

  it("[X4] ends a room that nobody is in at once, also before it was ever made", () => {
    const room = new Rig(mover, { hooks });
    expect(room.core.admin.close({ inMs: 60_000, reason: "" }, room.nowMs)).toBe("closed");
    expect(room.join(1).closed?.code).toBe(CLOSE["room-closed"].code);
    expect(room.core.stats()).toMatchObject({ tick: 0, commits: 0 });
  });

  it("[X4] closes in time although everybody leaves before", () => {
    const { room, ada, bob } = roomOfTwo();
    room.core.admin.close({ inMs: 5_000, reason: "" }, room.nowMs);
    for (const player of [ada, bob]) room.send(player, player.frame({ type: "leave" }));
    room.pass(5_100);
    expect(room.core.stats().state).toBe("closed");
    expect(room.store.alarmMs()).toBeUndefined();
  });

  it("[X4] doesn't open what was closed for another reason", () => {
    const { room } = roomOfTwo();
    const next = new Rig({ ...mover, version: 2 } as typeof mover, { store: room.store });
    expect(next.core.stats().state).toBe("refused");
    next.core.admin.open();
    expect(next.core.admin.close({ inMs: 0, reason: "" }, next.nowMs)).toBe("closed");
    expect(next.core.stats().state).toBe("refused");
  });
});
