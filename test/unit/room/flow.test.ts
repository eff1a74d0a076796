import { describe, expect, it } from "vitest";
import { CLOSE, LIMITS } from "../../../protocol/index.ts";
import type { RoomHooks } from "../../../room/core/index.ts";
import { type Mover, mover } from "./mover.ts";
import { Rig } from "./rig.ts";
import type { TestClient } from "./test-client.ts";

const hooks: RoomHooks<Mover> = { onJoin: (seat) => void seat.spawn("player") };
const FLIGHT_TICKS = (LIMITS.flightMs * mover.tickRate) / 1000;

/** Bo stops reading at the boundary after `last`. */
function stopped() {
  const room = new Rig<Mover>(mover, { hooks });
  const [ada, bo] = [room.join(1), room.join(2)];
  room.pass(2000);
  room.command(bo, {});
  bo.reads = false;
  return { room, ada, bo, last: bo.acked };
}

function acknowledge(room: Rig<Mover>, client: TestClient<Mover>, ackTick: number): void {
  const { inputSession } = client.welcome;
  room.send(client, client.frame({ type: "input", inputSession, sentAtMs: 0, ackTick, commands: [] }));
}

/** Second by second, so that the others get to acknowledge. */
function seconds(room: Rig<Mover>, count: number): void {
  for (let second = 0; second < count; second++) room.pass(1000);
}

describe("a client that stops reading", () => {
  it("[R5] is sent snapshots up to the limit of what may be on its way, and no more", () => {
    const { room, ada, bo, last } = stopped();
    seconds(room, 5);
    const newest = bo.snapshot.tick;
    expect(newest - last).toBeGreaterThan(FLIGHT_TICKS - 3);
    expect(newest - last).toBeLessThanOrEqual(FLIGHT_TICKS);
    expect(ada.snapshot.tick - last).toBeGreaterThan(280);
  });

  it("[R5][X2] delays nobody else: they get every window as a difference", () => {
    const { room, ada } = stopped();
    seconds(room, 5);
    const ticks = ada.snapshots.map(({ tick }) => tick);
    expect(ticks).toEqual(ticks.map((_, i) => (ticks[0] as number) + 3 * i));
    expect(ada.snapshots.slice(1).every(({ tick, baseTick }) => tick - baseTick === 3)).toBe(true);
  });

  it("[R5] gets the newest state as one difference when it reads again, with who came and went", () => {
    const { room, bo } = stopped();
    seconds(room, 3);
    const cy = room.join(3);
    seconds(room, 2);
    const before = bo.snapshot.tick;
    expect(bo.roster).toHaveLength(2);
    bo.reads = true;
    acknowledge(room, bo, before);
    room.windows(1);
    expect(bo.snapshot.baseTick).toBe(before);
    expect(bo.snapshot.tick).toBe(room.core.tick);
    expect(bo.state.count).toBe(3);
    expect(bo.state.owners.slice(0, 3)).toContain(cy.welcome.seat);
    expect(bo.roster).toHaveLength(3);
    room.windows(2);
    expect(bo.snapshot.tick - bo.snapshot.baseTick).toBe(3);
  });

  it("[R5] isn't believed about snapshots that were never sent", () => {
    const { room, bo } = stopped();
    for (let second = 0; second < 5; second++) {
      acknowledge(room, bo, 0xffffffff);
      room.pass(1000);
    }
    expect(room.core.tick - bo.snapshot.tick).toBeGreaterThan(60);
  });

  it("[R3][R5] gets the keyframe that it asks for, since it can't read anything else, once a second", () => {
    const { room, bo } = stopped();
    seconds(room, 5);
    const before = bo.snapshots.length;
    for (let requestId = 1; requestId <= 40; requestId++) {
      room.send(bo, bo.frame({ type: "keyframe", requestId }));
      room.windows(1);
    }
    const keyframes = bo.snapshots.slice(before);
    expect(keyframes.every(({ baseTick }) => baseTick === 0)).toBe(true);
    expect(keyframes.length).toBeGreaterThanOrEqual(2);
    expect(keyframes.length).toBeLessThanOrEqual(3);
  });

  it("[R5][S4] is closed past the limit, with a code that says to come again, and no sooner", () => {
    const { room, ada, bo, last } = stopped();
    const talk = () => {
      // It still speaks; one that doesn't is closed much sooner.
      acknowledge(room, bo, last);
      room.pass(1000);
    };
    while (room.core.tick - last <= (LIMITS.behindMs * mover.tickRate) / 1000 - 60) talk();
    expect(bo.closed).toBeUndefined();
    talk();
    talk();
    expect(bo.closed).toEqual({ code: CLOSE.behind.code, reason: CLOSE.behind.reason });
    expect(CLOSE.behind.action).toBe("retry");
    expect(ada.closed).toBeUndefined();
    bo.reads = true;
    room.resume(bo);
    room.windows(2);
    expect(bo.snapshot.tick).toBe(room.core.tick);
  });
});
