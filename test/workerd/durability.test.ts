import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { arena } from "../../demo/game.ts";
import { rules } from "../../demo/rules.ts";
import { decodeExport, decodeLedger, decodeRoom } from "../../protocol/index.ts";
import { LEDGER_SLOTS } from "../../room/core/index.ts";
import type { RoomStats } from "../../room/index.ts";
import { replay } from "../../room/replay.ts";
import { SqliteStore } from "../../room/sqlite-store.ts";
import { freshName, stubOf } from "./rooms.ts";
import { request, SocketClient } from "./socket-client.ts";

const COMMAND = { moveX: 1, moveY: 0, sprint: false };
const ADMIN = { headers: { authorization: "Bearer a token for these tests only" } };

async function stats(room: string): Promise<RoomStats> {
  return (await request(`/rooms/${room}/stats`)).json();
}

async function leave(...players: SocketClient[]): Promise<void> {
  for (const player of players) {
    if (player.closed) continue;
    player.send(player.client.frame({ type: "leave" }));
    await player.until(() => player.closed !== undefined);
  }
}

/** Rows and commits while all players go on sending commands, for as many windows at least. */
async function measure(room: string, players: readonly SocketClient[], windows: number) {
  const before = await stats(room);
  const [first] = players as readonly [SocketClient];
  const until = first.client.snapshots.length + windows;
  while (first.client.snapshots.length < until) {
    const { length } = first.client.snapshots;
    for (const player of players) player.send(player.client.input([COMMAND, COMMAND, COMMAND]));
    await first.until(() => first.client.snapshots.length > length);
  }
  const after = await stats(room);
  expect(after.inputsConsumed).toBeGreaterThan(before.inputsConsumed);
  return {
    rows: after.rowsWritten - before.rowsWritten,
    commits: after.commits - before.commits,
    windows: after.windows - before.windows,
  };
}

describe("rows written", () => {
  it("[D5] are three per commit, the storage's own count, with 1 player as with 64", async () => {
    const room = freshName("rows");
    await request(`/rooms/${room}`, { method: "POST", body: JSON.stringify({ bots: 0 }) });
    const players: SocketClient[] = [];
    for (const count of [1, 64]) {
      const first = players.length;
      const newcomers = Array.from(
        { length: count - first },
        (_, i) => new SocketClient(room, first + i + 1),
      );
      await Promise.all(newcomers.map((player) => player.join()));
      players.push(...newcomers);
      const { rows, commits, windows } = await measure(room, players, 12);
      expect(commits).toBe(windows);
      // A checkpoint may fall into it: one more row every ten seconds.
      expect(rows - 3 * commits, `${count} players`).toBeGreaterThanOrEqual(0);
      expect(rows - 3 * commits, `${count} players`).toBeLessThanOrEqual(1);
    }
    await Promise.all(players.map((player) => leave(player)));
  }, 60_000);

  it("[D2] with commitEvery 4 are at most 25 for the 20 windows of a second", async () => {
    const room = freshName("sparse", "sparse");
    const ada = new SocketClient(room, 1);
    await ada.join();
    const { rows, commits, windows } = await measure(room, [ada], 40);
    expect(windows).toBeGreaterThanOrEqual(40);
    expect(commits).toBeLessThanOrEqual(windows / 4 + 2);
    expect(rows / windows).toBeLessThanOrEqual(25 / 20);
    await leave(ada);
  });
});

describe("windows between commits", () => {
  it("[D2] are sent with a durable that stays behind, and never more of them than agreed", async () => {
    const room = freshName("between", "sparse");
    const ada = new SocketClient(room, 1);
    await ada.join();
    await measure(room, [ada], 16);
    const { snapshots } = ada.client;
    expect(snapshots.some(({ consumed, durable }) => durable < consumed)).toBe(true);
    const durables = snapshots.map(({ durable }) => durable);
    expect(durables).toEqual([...durables].sort((a, b) => a - b));
    await ada.until(() => ada.client.snapshot.durable === ada.client.nextSeq - 1);
    await leave(ada);
  });

  it("[D2][D3] are lost in a crash, and their commands run once in the durable history", async () => {
    const room = freshName("crash", "sparse");
    const ada = new SocketClient(room, 1);
    await ada.join();
    ada.send(ada.client.input([COMMAND, COMMAND, COMMAND, COMMAND]));
    await ada.until(() => ada.client.snapshot.consumed > ada.client.snapshot.durable);
    await runInDurableObject(stubOf(room), (_, state) => state.abort("crashed by the test")).catch(
      () => undefined,
    );
    await ada.until(() => ada.closed !== undefined);
    await ada.resume();
    const { welcome } = ada.client;
    expect(welcome).toMatchObject({ seat: 1, incarnation: 2, inputSession: 1 });
    const from = welcome.consumed + 1;
    if (from <= 4) ada.send(ada.client.input(new Array(5 - from).fill(COMMAND), { from }));
    await ada.until(() => ada.client.snapshot.durable === 4);
    const seqs = await runInDurableObject(stubOf(room), async (_, { storage }) => {
      const store = new SqliteStore(storage, await storage.getAlarm());
      const { commit } = decodeRoom(store.load()?.state ?? new Uint8Array(), arena);
      const found: number[] = [];
      for (let at = 1; at <= commit; at++) {
        const { sessions } = decodeLedger(store.ledger(at % LEDGER_SLOTS) ?? new Uint8Array());
        for (const { entries } of sessions) found.push(...entries.map(({ seq }) => seq));
      }
      return found;
    });
    expect(seqs).toEqual([1, 2, 3, 4]);
    await leave(ada);
  });

  it("[T5] go on when nobody sends anything: the alarm itself waits for them", async () => {
    const room = freshName("silent", "sparse");
    const ada = new SocketClient(room, 1);
    await ada.join();
    const { length } = ada.client.snapshots;
    await ada.until(() => ada.client.snapshots.length >= length + 12);
    const ticks = ada.client.snapshots.map(({ tick }) => tick);
    expect(new Set(ticks).size).toBe(ticks.length);
    await leave(ada);
  });
});

describe("a room's records", () => {
  it.each(["arena", "sparse"] as const)(
    "[D4][X4] are given to its admin and replay with the same hashes, in a room of kind %s",
    async (kind) => {
      const room = freshName("export", kind);
      const ada = new SocketClient(room, 1);
      const bob = new SocketClient(room, 2);
      await ada.join();
      await bob.join();
      await measure(room, [ada, bob], 10);
      await leave(bob);
      await measure(room, [ada], 6);
      const response = await request(`/admin/rooms/${room}/export`, ADMIN);
      expect(response.status).toBe(200);
      const recorded = decodeExport(new Uint8Array(await response.arrayBuffer()));
      expect(recorded.roomName).toBe(room);
      const report = replay({ game: arena, hooks: rules, recorded });
      expect(report).toMatchObject({ agree: true, firstDifference: undefined });
      expect(report.ticks).toBeGreaterThan(40);
      await leave(ada);
    },
  );

  it("[X4] of a room that doesn't exist are not found", async () => {
    expect((await request(`/admin/rooms/${freshName("nobody")}/export`, ADMIN)).status).toBe(404);
  });
});
