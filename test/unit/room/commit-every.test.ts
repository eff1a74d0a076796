import { describe, expect, it } from "vitest";
import { decodeLedger, decodeRoom } from "../../../protocol/index.ts";
import { MemoryStore, type RoomHooks, type RoomWrite } from "../../../room/core/index.ts";
import { type Mover, mover } from "./mover.ts";
import { Rig, type RigOptions } from "./rig.ts";

const hooks: RoomHooks<Mover> = { onJoin: (seat) => void seat.spawn("player") };
const STEP = { step: true };
const WINDOW = [STEP, STEP, STEP];

class WatchedStore extends MemoryStore {
  readonly writes: RoomWrite[] = [];
  failing = false;

  override commit(write: RoomWrite): void {
    if (this.failing) throw new Error("disk on fire");
    this.writes.push(write);
    super.commit(write);
  }
}

/** A room with one player, at the boundary of a commit; the three windows to come won't be one. */
function rig(options: RigOptions<Mover> = {}) {
  const store = new WatchedStore();
  const room = new Rig(mover, { hooks, store, commitEvery: 4, ...options });
  const ada = room.join(1);
  room.windows(1);
  store.writes.length = 0;
  return { room, ada, store };
}

function xOf(room: Rig<Mover>): number | undefined {
  const [player] = room.core.world.all("player");
  return player?.place.x;
}

describe("a commit every four windows", () => {
  it("[D2] sends the windows between with a provisional consumed and the durable of the last commit", () => {
    const { room, ada, store } = rig();
    const seen: number[][] = [];
    for (let i = 0; i < 8; i++) {
      room.command(ada, ...WINDOW);
      room.windows(1);
      const { tick, consumed, durable } = ada.snapshot;
      seen.push([tick, consumed, durable]);
    }
    expect(seen).toEqual([
      [6, 3, 0],
      [9, 6, 0],
      [12, 9, 0],
      [15, 12, 12],
      [18, 15, 12],
      [21, 18, 12],
      [24, 21, 12],
      [27, 24, 24],
    ]);
    expect(store.writes.length).toBe(2);
    const row = decodeLedger((store.writes[0] as RoomWrite).ledger);
    expect(row).toMatchObject({ commit: 2, fromTick: 3, toTick: 15 });
    expect(row.sessions[0]?.entries.map(({ seq, tick }) => [seq, tick])).toEqual(
      Array.from({ length: 12 }, (_, i) => [i + 1, i + 4]),
    );
  });

  it("[D2] happens at once when a seat comes, drops, comes back or leaves", () => {
    const { room, ada, store } = rig();
    const commitsIn = (change: () => void): number => {
      room.windows(1);
      const before = store.writes.length;
      change();
      room.windows(1);
      return store.writes.length - before;
    };
    expect(commitsIn(() => undefined)).toBe(0);
    room.windows(2);
    expect(commitsIn(() => room.join(2))).toBe(1);
    expect(commitsIn(() => room.drop(ada))).toBe(1);
    expect(commitsIn(() => room.resume(ada))).toBe(1);
    expect(commitsIn(() => room.send(ada, ada.frame({ type: "leave" })))).toBe(1);
    const row = decodeLedger((store.writes.at(-1) as RoomWrite).ledger);
    expect(row.leaves).toEqual([{ seat: 1, tick: row.toTick - 3 }]);
    // What the leaver had in the window before is in it too, though its seat is gone.
    expect(row.sessions.find(({ seat }) => seat === 1)?.missedTicks.length).toBe(3);
  });

  it("[D3] stores its incarnation before anybody sees it", () => {
    const { room, ada, store } = rig();
    room.crash();
    room.resume(ada);
    const before = store.writes.length;
    room.windows(1);
    expect(store.writes.length).toBe(before + 1);
    expect(ada.welcome.incarnation).toBe(2);
    room.crash();
    room.resume(ada);
    room.windows(1);
    expect(ada.welcome.incarnation).toBe(3);
  });

  it("[D2][D3] crash after the third window: its commands run once in the durable history, from the queue", () => {
    const { room, ada } = rig();
    room.command(ada, ...WINDOW);
    room.windows(3);
    expect(ada.snapshot).toMatchObject({ tick: 12, consumed: 3, durable: 0 });
    expect(xOf(room)).toBe(3 + 2);
    room.crash();
    expect(room.core.tick).toBe(3);
    expect(xOf(room)).toBe(0);
    expect(ada.oldestSeq).toBe(1);
    room.resume(ada);
    room.windows(1);
    expect(ada.welcome).toMatchObject({ incarnation: 2, inputSession: 1, consumed: 0, durable: 0 });
    room.send(ada, ada.input(WINDOW, { from: 1 }));
    room.windows(4);
    expect(ada.snapshot).toMatchObject({ consumed: 3, durable: 3 });
    expect(xOf(room)).toBe(3 + 2);
    const seqs: number[] = [];
    for (let commit = 1; commit <= 3; commit++) {
      const bytes = room.store.ledger(commit);
      for (const { entries } of bytes ? decodeLedger(bytes).sessions : []) {
        seqs.push(...entries.map(({ seq }) => seq));
      }
    }
    expect(seqs).toEqual([1, 2, 3]);
  });

  it("[D2][D3] entities of lost windows are gone, and their ids are free again", () => {
    const spawner: RoomHooks<Mover> = {
      ...hooks,
      bots: {
        builder: ({ world, tick }) => {
          if (tick === 8) world.spawn("crate");
          return {};
        },
      },
      onCreate: (api) => api.addBot("builder", { name: "B" }).spawn("player"),
    };
    const { room, ada } = rig({ hooks: spawner });
    room.windows(2);
    const [lost] = room.core.world.all("crate");
    expect(lost?.alive).toBe(true);
    const id = lost?.id;
    room.crash();
    expect([...room.core.world.all("crate")]).toEqual([]);
    room.resume(ada);
    room.windows(2);
    const [again] = room.core.world.all("crate");
    expect(again?.id).toBe(id);
    expect(ada.state.ids.includes(id as number)).toBe(true);
  });

  it("[D6] a failed commit loses neither the windows that were sent nor their records", () => {
    const { room, ada, store } = rig();
    room.command(ada, ...WINDOW, ...WINDOW);
    room.windows(3);
    const hash = room.core.world.hash();
    store.failing = true;
    room.windows(2);
    expect(ada.snapshot).toMatchObject({ tick: 12, consumed: 6, durable: 0 });
    expect(room.core.world.hash()).toBe(hash);
    expect(room.core.stats().storageErrors).toBeGreaterThan(0);
    store.failing = false;
    room.windows(1);
    expect(ada.snapshot).toMatchObject({ consumed: 6, durable: 6 });
    const row = decodeLedger((store.writes.at(-1) as RoomWrite).ledger);
    expect(row).toMatchObject({ fromTick: 3, toTick: ada.snapshot.tick });
    expect(row.sessions[0]?.entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("[T6] a fault goes back to what was sent last, not to what was stored last", () => {
    const { room, ada } = rig();
    room.command(ada, ...WINDOW);
    room.windows(1);
    room.command(ada, { boom: true });
    room.windows(1);
    expect(room.core.tick).toBe(6);
    expect(xOf(room)).toBe(3);
    room.windows(1);
    expect(ada.snapshot).toMatchObject({ consumed: 4 });
    expect(room.core.tick).toBeGreaterThan(6);
  });

  it("[I6] answers repeats of commands that aren't durable yet, and tells other content from them", () => {
    const { room, ada } = rig();
    room.command(ada, ...WINDOW);
    room.windows(1);
    room.send(ada, ada.input(WINDOW, { from: 1 }));
    room.windows(1);
    expect(xOf(room)).toBe(3 + 2);
    room.send(ada, ada.input([{ luck: true }], { from: 2 }));
    expect(ada.closed?.code).toBe(4433);
  });
});

describe("alarms between commits", () => {
  it("[D2] are spared: an alarm that may go on by itself sets the next with its commit", () => {
    const { room, ada } = rig();
    room.waits = true;
    room.windows(4);
    const before = room.store.rowsWritten;
    room.windows(40);
    expect(ada.snapshot.tick).toBe(3 + 3 * 44);
    expect(room.store.rowsWritten - before).toBe(3 * 10);
  });

  it("[D2] are spared although messages come in between", () => {
    const { room, ada } = rig();
    room.waits = true;
    room.windows(4);
    const before = room.store.rowsWritten;
    for (let i = 0; i < 80; i++) {
      room.command(ada, STEP);
      room.pass(25);
    }
    expect(room.store.rowsWritten - before).toBe(3 * 10);
  });

  it("[T5] are set when whoever waits doesn't come back, by the next message", () => {
    const { room, ada } = rig();
    room.waits = true;
    room.windows(2);
    expect(room.store.alarmMs()).toBeUndefined();
    room.alarms = false;
    room.pass(400);
    room.send(ada, ada.input([]));
    expect(room.store.alarmMs()).toBeDefined();
    expect(ada.snapshot.tick).toBeGreaterThan(9);
  });

  it("[D3] one that was cut short by a crash comes again, and the room goes on from its last commit", () => {
    const { room, ada } = rig();
    room.waits = true;
    room.command(ada, ...WINDOW);
    room.windows(2);
    const stored = decodeRoom(room.store.load()?.state as Uint8Array, mover).tick;
    room.crash();
    expect(room.core.tick).toBe(stored);
    room.windows(3);
    expect(room.core.tick).toBeGreaterThanOrEqual(stored + 6);
    expect(room.core.incarnation).toBe(2);
  });
});
