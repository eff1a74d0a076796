import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { arena } from "../../demo/game.ts";
import { decodeLedger, decodeRoom, LIMITS } from "../../protocol/index.ts";
import { LEDGER_SLOTS } from "../../room/core/index.ts";
import type { RoomStats } from "../../room/index.ts";
import { SqliteStore } from "../../room/sqlite-store.ts";
import { freshName, stubOf } from "./rooms.ts";
import { request, SocketClient } from "./socket-client.ts";

async function stats(room: string): Promise<RoomStats> {
  return (await request(`/rooms/${room}/stats`)).json();
}

/** What is on disk. */
function stored(room: string) {
  return runInDurableObject(stubOf(room), async (_, { storage }) => {
    const store = new SqliteStore(storage, await storage.getAlarm());
    const state = decodeRoom(store.load()?.state ?? new Uint8Array(), arena);
    const ledger = decodeLedger(store.ledger(state.commit % LEDGER_SLOTS) ?? new Uint8Array());
    return { state, ledger, alarmMs: store.alarmMs() };
  });
}

/** The process dies at once: memory and sockets are gone, nothing is said. */
async function crash(room: string): Promise<void> {
  await runInDurableObject(stubOf(room), (_, state) => state.abort("crashed by the test")).catch(
    () => undefined,
  );
}

/** Lets the room come to rest, so that its alarms don't run into the next test. */
async function leave(...players: SocketClient[]): Promise<void> {
  for (const player of players) {
    if (player.closed) continue;
    player.send(player.client.frame({ type: "leave" }));
    await player.until(() => player.closed !== undefined);
  }
}

describe("a room in workerd", () => {
  it("[T2] ticks by its alarm and sends each committed window to its players", async () => {
    const room = freshName("ticks");
    const ada = new SocketClient(room, 1);
    await ada.join({ name: "Ada" });
    await ada.until(() => ada.client.snapshots.length >= 10);
    const ticks = ada.client.snapshots.map(({ tick }) => tick);
    expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
    expect(new Set(ticks).size).toBe(ticks.length);
    expect(ticks.every((tick) => tick % 3 === 0)).toBe(true);
    expect(await stats(room)).toMatchObject({ state: "running", seats: 1, connections: 1, incarnation: 1 });
    await leave(ada);
  });

  it("[I4] executes commands that came over the socket, once each", async () => {
    const room = freshName("inputs");
    const ada = new SocketClient(room, 1);
    await ada.join();
    const command = { moveX: 1, moveY: 0, sprint: false };
    ada.send(ada.client.input([command, command, command]));
    ada.send(ada.client.input([command, command, command], { from: 1 }));
    await ada.until(() => ada.client.snapshot.durable >= 3);
    expect((await stats(room)).inputsConsumed).toBe(3);
    await leave(ada);
  });

  it("[D3] goes on by itself after a crash: same state, next incarnation, nothing lost or done twice", async () => {
    const room = freshName("crash");
    const ada = new SocketClient(room, 1);
    await ada.join();
    const command = { moveX: 0, moveY: 1, sprint: true };
    ada.send(ada.client.input([command, command, command, command]));
    await ada.until(() => ada.client.snapshot.durable >= 4);
    const { tick } = ada.client.snapshot;
    await crash(room);
    await ada.until(() => ada.closed !== undefined);
    expect(ada.closed?.code).toBe(1006);

    await ada.resume();
    expect(ada.client.welcome).toMatchObject({
      seat: 1,
      incarnation: 2,
      inputSession: 1,
      consumed: 4,
      durable: 4,
    });
    expect(ada.client.welcome.tick).toBeGreaterThan(tick);
    // The whole unconfirmed queue again, as a client sends it: the first four are known and not done again.
    ada.send(ada.client.input([command, command, command, command, command], { from: 1 }));
    await ada.until(() => ada.client.snapshot.durable >= 5);
    expect((await stats(room)).inputsConsumed).toBe(1);
    await leave(ada);
  });

  it("[T5] is brought back after a crash by its own alarm, without anybody calling it", async () => {
    const room = freshName("alarm");
    const ada = new SocketClient(room, 1);
    await ada.join();
    const { tick } = ada.client.snapshot;
    await crash(room);
    await ada.until(() => ada.closed !== undefined);
    // Reading the disk doesn't go through the room's own handlers: only its alarm can have loaded it.
    const { state } = await vi.waitFor(async () => {
      const disk = await stored(room);
      expect(disk.state.incarnation).toBe(2);
      return disk;
    }, 10_000);
    expect(state.tick).toBeGreaterThanOrEqual(tick);
    await ada.resume();
    await leave(ada);
  });

  it("[T5] goes on when its alarm is lost and a message comes", async () => {
    const room = freshName("lost");
    const ada = new SocketClient(room, 1);
    await ada.join();
    await runInDurableObject(stubOf(room), (_, { storage }) => storage.deleteAlarm());
    const { tick } = ada.client.snapshot;
    // One message may come before the window is overdue; later ones find it so.
    const pester = setInterval(() => ada.send(ada.client.input([])), 20);
    await ada.until(() => ada.client.snapshot.tick > tick + 6);
    clearInterval(pester);
    await leave(ada);
  });

  it("[T5] goes on when its alarm is lost and somebody asks for its statistics", async () => {
    const room = freshName("asked");
    const ada = new SocketClient(room, 1);
    await ada.join();
    await runInDurableObject(stubOf(room), (_, { storage }) => storage.deleteAlarm());
    const { tick } = ada.client.snapshot;
    await stats(room);
    await ada.until(() => ada.client.snapshot.tick > tick);
    await leave(ada);
  });

  it("[T7] sleeps without an alarm once its last player has left", async () => {
    const room = freshName("sleep");
    const ada = new SocketClient(room, 1);
    await ada.join();
    await leave(ada);
    const now = await vi.waitFor(async () => {
      const seen = await stats(room);
      expect(seen.state).toBe("sleeping");
      return seen;
    }, 10_000);
    const { state, ledger, alarmMs } = await stored(room);
    expect(alarmMs).toBeUndefined();
    expect(state.seats.every(({ kind }) => kind === "bot")).toBe(true);
    expect(ledger.leaves).toMatchObject([{ seat: 1 }]);
    expect((await stats(room)).tick).toBe(now.tick);
  });

  it("[D1] stores state, ledger and alarm of one window together", async () => {
    const room = freshName("commit");
    const ada = new SocketClient(room, 1);
    await ada.join();
    const { state, ledger, alarmMs } = await stored(room);
    expect(ledger).toMatchObject({ commit: state.commit, toTick: state.tick, hash: state.hash });
    expect(alarmMs).toBeDefined();
    await leave(ada);
  });

  it("[D5] writes three rows per window, bots and players or not", async () => {
    const room = freshName("rows");
    await request(`/rooms/${room}`, { method: "POST", body: JSON.stringify({ bots: 12 }) });
    const players = [1, 2, 3].map((secret) => new SocketClient(room, secret));
    for (const player of players) await player.join();
    const before = await stats(room);
    const [ada] = players as [SocketClient];
    const { length } = ada.client.snapshots;
    await ada.until(() => ada.client.snapshots.length >= length + 10);
    const after = await stats(room);
    expect(after.rowsWritten - before.rowsWritten).toBe(3 * (after.windows - before.windows));
    await leave(...players);
  });

  it("[S2] hands a seat to a second connection and closes the first with the documented code", async () => {
    const room = freshName("takeover");
    const ada = new SocketClient(room, 1);
    const copy = new SocketClient(room, 1);
    await ada.join();
    await copy.join();
    await ada.until(() => ada.closed !== undefined);
    expect(ada.closed?.code).toBe(4423);
    expect(copy.client.welcome.seat).toBe(ada.client.welcome.seat);
    await leave(copy);
  });
});

describe("bad input over a real socket", () => {
  it.each([
    ["text", 4401, (): string => "hello"],
    ["a frame that can't be decoded", 4400, () => Uint8Array.of(9, 9, 9)],
    ["an oversized frame", 4402, () => new Uint8Array(LIMITS.frameBytesIn + 1)],
  ])("[X2] %s closes its connection, and nobody else notices", async (_, code, bad) => {
    const room = freshName("bad");
    const ada = new SocketClient(room, 1);
    const eve = new SocketClient(room, 2);
    await ada.join();
    await eve.join();
    eve.send(bad());
    await eve.until(() => eve.closed !== undefined);
    expect(eve.closed?.code).toBe(code);
    const { tick } = ada.client.snapshot;
    await ada.until(() => ada.client.snapshot.tick > tick);
    expect(ada.closed).toBeUndefined();
    await leave(ada);
  });

  it("[W2] another game version is refused with a code that says so", async () => {
    const stranger = new SocketClient(freshName("version"), 1);
    await stranger.connect();
    stranger.send(stranger.client.hello({ overrides: { gameVersion: arena.version - 1 } }));
    await stranger.until(() => stranger.closed !== undefined);
    expect(stranger.closed?.code).toBe(4412);
  });
});
