import { describe, expect, it } from "vitest";
import { decodeLedger, decodeRoom } from "../../../protocol/index.ts";
import { MemoryStore, type RoomHooks, type RoomWrite } from "../../../room/core/index.ts";
import { RoomWorld } from "../../../sim/index.ts";
import { type Mover, mover } from "./mover.ts";
import { Rig } from "./rig.ts";
import type { TestClient } from "./test-client.ts";

const hooks: RoomHooks<Mover> = {
  onCreate: (room) => room.addBot("roam", { name: "Bot" }).spawn("player"),
  onJoin: (seat, room) => void seat.spawn("player", { place: { x: Math.floor(room.world.random() * 8) } }),
  bots: { roam: ({ random }) => ({ step: random() < 0.5, luck: random() < 0.2 }) },
};

/** A store that can be told to fail, and that remembers its writes. */
class FaultyStore extends MemoryStore {
  readonly writes: RoomWrite[] = [];
  failing = false;

  override commit(write: RoomWrite): void {
    if (this.failing) throw new Error("disk on fire");
    this.writes.push(write);
    super.commit(write);
  }
}

/** A few windows of play with commands that differ from tick to tick. */
function play(room: Rig<Mover>, client: TestClient<Mover>, windows: number): void {
  for (let i = 0; i < windows; i++) {
    const n = client.nextSeq;
    room.command(client, { step: n % 2 === 0 }, { luck: n % 5 === 0 }, { step: true });
    room.windows(1);
  }
}

describe("a commit", () => {
  it("[D1] holds the state at the boundary, the ledger of what was consumed and the alarm together", () => {
    const store = new FaultyStore();
    const room = new Rig(mover, { hooks, store });
    const ada = room.join(1);
    room.windows(1);
    room.command(ada, { step: true }, { luck: true });
    room.windows(1);

    expect(store.writes.length).toBe(2);
    const [first, second] = store.writes as [RoomWrite, RoomWrite];
    const state = decodeRoom(second.state, mover);
    expect(state).toMatchObject({ commit: 2, tick: 6, incarnation: 1, options: "{}" });
    const world = new RoomWorld(mover, 0);
    world.restore(state.world);
    expect(world.hash()).toBe(state.hash);
    expect(world.hash()).toBe(room.core.world.hash());
    const seat = state.seats.find(({ kind }) => kind === "player");
    expect(seat).toMatchObject({ seat: 1, missed: 4, connected: true });
    expect(seat?.sessions).toMatchObject([{ inputSession: 1, state: "open", consumed: 2 }]);
    expect(seat?.digests.length).toBe(2);
    expect(seat?.secretHash.length).toBe(32);
    expect(seat?.secretHash).not.toEqual(ada.secret);

    expect(decodeLedger(first.ledger)).toMatchObject({
      commit: 1,
      fromTick: 0,
      toTick: 3,
      joins: [
        { seat: 1, name: "Ada", kind: "player", tick: 0 },
        { seat: 2, name: "Bot", kind: "bot", tick: 0 },
      ],
      leaves: [],
    });
    expect(decodeLedger(second.ledger)).toMatchObject({
      commit: 2,
      fromTick: 3,
      toTick: 6,
      hash: state.hash,
      sessions: [
        {
          seat: 1,
          inputSession: 1,
          entries: [
            { seq: 1, tick: 4 },
            { seq: 2, tick: 5 },
          ],
          missedTicks: [6],
        },
      ],
    });
    expect(second.alarmAtMs).toBe(room.nowMs + 50);
  });

  it("[D1] records a leave in the window that it happens in", () => {
    const room = new Rig(mover, { hooks });
    const ada = room.join(1);
    room.windows(1);
    room.send(ada, ada.frame({ type: "leave" }));
    room.windows(1);
    expect(decodeLedger(room.store.ledger(2) as Uint8Array)).toMatchObject({
      leaves: [{ seat: 1, tick: 3 }],
    });
    expect(decodeRoom(room.store.load()?.state as Uint8Array, mover).seats.map(({ kind }) => kind)).toEqual([
      "bot",
    ]);
  });

  it("[D5] writes as many rows for 64 players as for one", () => {
    const rows = [1, 9, 64].map((players) => {
      const room = new Rig(mover, { hooks });
      for (let secret = 1; secret <= players; secret++) room.join(secret);
      room.windows(1);
      const before = room.store.rowsWritten;
      room.windows(10);
      return room.store.rowsWritten - before;
    });
    expect(rows).toEqual([30, 30, 30]);
  });

  it("[D2] is made before anything of its window is sent", () => {
    const store = new FaultyStore();
    const room = new Rig(mover, { hooks, store });
    const ada = room.join(1);
    const receive = ada.receive.bind(ada);
    ada.receive = (bytes) => {
      receive(bytes);
      if (ada.frames.at(-1) === "snapshot") {
        const stored = decodeRoom(store.load()?.state as Uint8Array, mover);
        expect(stored.tick).toBe(ada.snapshot.tick);
        const seat = stored.seats.find((one) => one.seat === ada.welcome.seat);
        expect(seat?.sessions[0]?.consumed).toBe(ada.snapshot.durable);
      }
    };
    room.windows(1);
    play(room, ada, 5);
    expect(ada.snapshot).toMatchObject({ tick: 18, consumed: 15, durable: 15 });
  });
});

describe("a storage error", () => {
  it("[D6] acknowledges and sends nothing of its window, and the window is run again", () => {
    const store = new FaultyStore();
    const room = new Rig(mover, { hooks, store });
    const ada = room.join(1);
    room.windows(1);
    const twin = new Rig(mover, { hooks });
    const calm = twin.join(1);
    twin.windows(1);
    const { hash, tick } = { hash: room.core.world.hash(), tick: room.core.tick };
    for (const [one, client] of [
      [room, ada],
      [twin, calm],
    ] as const) {
      one.command(client, { step: true }, { luck: true }, { step: true });
    }
    store.failing = true;
    room.windows(1);
    expect(room.core.world.hash()).toBe(hash);
    expect(room.core.tick).toBe(tick);
    expect(ada.snapshots.length).toBe(1);
    expect(room.core.stats().storageErrors).toBe(1);

    store.failing = false;
    room.windows(1);
    twin.windows(2);
    expect(room.core.tick).toBe(9);
    expect(room.core.world.hash()).toBe(twin.core.world.hash());
    expect(ada.snapshot).toMatchObject({ tick: 9, consumed: 3, durable: 3 });
  });

  it("[D6] neither loses nor doubles a join", () => {
    const joined: number[] = [];
    const store = new FaultyStore();
    const room = new Rig<Mover>(mover, { store, hooks: { onJoin: (seat) => void joined.push(seat.id) } });
    const ada = room.join(1);
    store.failing = true;
    room.windows(3);
    expect(ada.frames).toEqual([]);
    store.failing = false;
    room.windows(1);
    expect(ada.welcomes.length).toBe(1);
    expect(new Set(joined)).toEqual(new Set([1]));
    expect(room.core.stats().seats).toBe(1);
  });

  it("[D6] keeps the loop alive while it lasts, within the bound", () => {
    const store = new FaultyStore();
    const room = new Rig(mover, { hooks, store });
    const ada = room.join(1);
    room.windows(1);
    store.failing = true;
    room.pass(2_500);
    store.failing = false;
    room.pass(100);
    expect(ada.snapshot.tick).toBeGreaterThan(3);
    expect(ada.closed).toBeUndefined();
  });
});

describe("a crash", () => {
  it("[D3] at any window leaves a room that goes on bit for bit like one that never crashed", () => {
    const untouched = new Rig(mover, { hooks });
    const calm = untouched.join(1);
    untouched.windows(1);
    play(untouched, calm, 12);

    for (let crashAfter = 0; crashAfter <= 12; crashAfter += 3) {
      const room = new Rig(mover, { hooks });
      const ada = room.join(1);
      room.windows(1);
      play(room, ada, crashAfter);
      const hash = room.core.world.hash();
      room.crash();
      expect(room.core.world.hash()).toBe(hash);
      expect(room.core.incarnation).toBe(2);
      room.resume(ada);
      play(room, ada, 12 - crashAfter);
      expect(room.core.tick).toBe(untouched.core.tick);
      expect(room.core.world.hash()).toBe(untouched.core.world.hash());
    }
  });

  it("[D3] executes every durable command once and the others from the client's queue", () => {
    const room = new Rig(mover, { hooks });
    const ada = room.join(1);
    room.windows(1);
    room.command(ada, { step: true }, { step: true }, { step: true }, { step: true });
    room.windows(1);
    expect(ada.snapshot.durable).toBe(3);
    room.crash();
    room.resume(ada);
    room.windows(1);
    expect(ada.welcome).toMatchObject({ incarnation: 2, inputSession: 1, consumed: 3, durable: 3 });
    room.send(ada, ada.input([{ step: true }, { step: true }], { from: 3 }));
    room.windows(1);
    expect(ada.snapshot).toMatchObject({ consumed: 4, incarnation: 2 });
  });

  it("[I6] keeps the outcomes of the last commands: a repeat after it isn't executed", () => {
    const room = new Rig(mover, { hooks: { ...hooks, onCreate: () => undefined } });
    const ada = room.join(1);
    room.windows(1);
    play(room, ada, 3);
    room.crash();
    room.resume(ada);
    room.windows(1);
    const [player] = room.core.world.all("player");
    room.send(ada, ada.input([{ step: false }], { from: 9 }));
    expect(ada.closed?.code).toBe(4433);
    expect(player?.alive).toBe(true);
  });

  it("[D3] gives connected seats their grace from the restart on", () => {
    const room = new Rig(mover, { hooks });
    room.join(1);
    room.windows(20);
    room.crash();
    room.pass(29_900);
    expect(room.core.running).toBe(true);
    room.pass(300);
    expect(room.core.running).toBe(false);
  });

  it("[D1] before the first commit leaves nothing", () => {
    const room = new Rig(mover, { hooks });
    room.join(1);
    room.pass(49);
    room.crash();
    expect(room.core.running).toBe(false);
    expect(room.core.stats()).toMatchObject({ seats: 0, bots: 0, tick: 0 });
  });
});
