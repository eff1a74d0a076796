import { describe, expect, it } from "vitest";
import { decodeLedger } from "../../../protocol/index.ts";
import type { RoomHooks } from "../../../room/core/index.ts";
import type { Mover } from "./mover.ts";
import { mover } from "./mover.ts";
import { Rig } from "./rig.ts";

const spawning: RoomHooks<Mover> = { onJoin: (seat) => void seat.spawn("player") };

/** Two players of whom the first has sent something that throws. */
function poisoned(): {
  room: Rig<Mover>;
  ada: ReturnType<Rig<Mover>["join"]>;
  bob: ReturnType<Rig<Mover>["join"]>;
} {
  const room = new Rig<Mover>(mover, { hooks: spawning });
  const ada = room.join(1);
  const bob = room.join(2);
  room.windows(1);
  room.command(ada, { step: true }, { step: true, boom: true }, { step: true });
  room.command(bob, { step: true }, { step: true }, { step: true });
  return { room, ada, bob };
}

function xOf(room: Rig<Mover>, seat: number): number | undefined {
  for (const player of room.core.world.all("player")) if (player.owner === seat) return player.place.x;
  return undefined;
}

describe("a fault in the game's code", () => {
  it("[T6] abandons the window as a whole: nothing of it is sent, stored or kept", () => {
    const { room, ada } = poisoned();
    const before = { hash: room.core.world.hash(), stored: room.store.load()?.state };
    room.windows(1);
    expect(room.core.world.hash()).toBe(before.hash);
    expect(room.store.load()?.state).toEqual(before.stored);
    expect(ada.snapshots.length).toBe(1);
    expect(room.core.stats()).toMatchObject({ faults: 1, tick: 3, windows: 1 });
  });

  it("[T6] is logged with its tick and callback", () => {
    const { room } = poisoned();
    room.windows(1);
    expect(room.log).toContainEqual(
      expect.objectContaining({ event: "fault", tick: 5, callback: "input walk" }),
    );
  });

  it("[T6] that the same command causes again costs that command only, and the room goes on", () => {
    const { room, ada, bob } = poisoned();
    room.windows(2);
    expect(room.core.tick).toBeGreaterThanOrEqual(6);
    expect(ada.snapshot.consumed).toBe(3);
    expect(bob.snapshot.consumed).toBe(3);
    expect(ada.closed).toBeUndefined();
    const entries = decodeLedger(room.store.ledger(2) as Uint8Array).sessions.flatMap(
      (session) => session.entries,
    );
    expect(entries.map(({ seq, disposition }) => [seq, disposition])).toEqual([
      [1, 1],
      [2, 2],
      [3, 1],
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    // Ada's poisonous step didn't happen; Bob's did, all of them and each once.
    room.windows(10);
    expect(xOf(room, 1)).toBe(2 + 2);
    expect(xOf(room, 2)).toBe(3 + 2);
  });

  it("[T6] finds several poisonous commands of one window", () => {
    const room = new Rig<Mover>(mover, { hooks: spawning });
    const players = [1, 2, 3].map((secret) => room.join(secret));
    room.windows(1);
    for (const player of players) room.command(player, { boom: true }, { step: true }, { boom: true });
    room.windows(3);
    expect(players.map(({ snapshot }) => snapshot.consumed)).toEqual([3, 3, 3]);
    expect(room.core.running).toBe(true);
  });

  it("[T6] isn't hunted for at every message: an abandoned window waits for its next turn", () => {
    const { room, ada } = poisoned();
    room.windows(1);
    for (let i = 0; i < 20; i++) room.send(ada, ada.input([]));
    expect(room.core.stats().faults).toBe(1);
  });

  it("[T6] without a guilty command stops the room after three in a row, with a close code that says so", () => {
    let broken = false;
    const room = new Rig<Mover>(mover, {
      hooks: {
        ...spawning,
        onLeave: () => {
          if (broken) throw new Error("never mind");
        },
      },
    });
    const ada = room.join(1);
    room.windows(1);
    broken = true;
    // A world that no system can digest, whoever commands what.
    room.core.world.step = () => {
      throw new Error("bad world");
    };
    room.windows(2);
    expect(ada.closed).toBeUndefined();
    room.windows(1);
    expect(ada.closed?.code).toBe(4500);
    expect(room.core.stats()).toMatchObject({ state: "stopped", faults: 3, tick: 3 });
    expect(room.store.alarmMs()).toBeUndefined();
    const bob = room.join(2);
    expect(bob.closed?.code).toBe(4500);
  });

  it("[T6] of onJoin keeps that player out and nobody else", () => {
    const room = new Rig<Mover>(mover, {
      hooks: {
        onJoin(seat) {
          if (seat.name === "Mallory") throw new Error("no");
          seat.spawn("player");
        },
      },
    });
    const ada = room.join(1, { name: "Ada" });
    const mallory = room.join(2, { name: "Mallory" });
    const bob = room.join(3, { name: "Bob" });
    room.windows(2);
    expect(mallory.closed?.code).toBe(4420);
    expect([ada, bob].map(({ state }) => state.count)).toEqual([2, 2]);
    expect(ada.roster.map(({ name }) => name)).toEqual(["Ada", "Bob"]);
  });

  it("[T6] of onLeave doesn't keep the leaver's seat", () => {
    const room = new Rig<Mover>(mover, {
      hooks: {
        ...spawning,
        onLeave: () => {
          throw new Error("no");
        },
      },
    });
    const ada = room.join(1);
    const bob = room.join(2);
    room.windows(1);
    room.send(ada, ada.frame({ type: "leave" }));
    room.windows(2);
    expect(bob.state.count).toBe(1);
    expect(bob.roster.length).toBe(1);
  });

  it("[T6] of a bot's brain benches that bot", () => {
    const room = new Rig<Mover>(mover, {
      hooks: {
        onCreate(api) {
          api.addBot("bad", { name: "Bad" }).spawn("player");
          api.addBot("good", { name: "Good" }).spawn("player");
        },
        ...spawning,
        bots: {
          bad: () => {
            throw new Error("hm");
          },
          good: () => ({ step: true }),
        },
      },
    });
    const ada = room.join(1);
    room.windows(4);
    expect(ada.snapshot.tick).toBe(12);
    expect(xOf(room, 3)).toBe(12);
    expect(room.core.stats().faults).toBe(1);
  });

  it("[T6] of onCreate is told to whoever creates the room, which then doesn't exist", () => {
    const room = new Rig<Mover>(mover, {
      hooks: {
        onCreate(_, options) {
          if ((options as { bad?: boolean }).bad) throw new Error("such options");
        },
      },
    });
    expect(() => room.core.create({ bad: true }, room.nowMs)).toThrow("such options");
    expect(room.store.load()).toBeUndefined();
    expect(room.core.create({ bad: false }, room.nowMs)).toBe("created");
    expect(room.core.create({}, room.nowMs)).toBe("exists");
  });
});
