import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CAN_PRICE, START_COINS } from "../../demo/tuning.ts";
import { encodeExport } from "../../protocol/index.ts";
import { WorkerdHost } from "../faults/workerd-host.ts";
import { Gunner } from "./support/gunner.ts";
import { until } from "./support/poll.ts";
import { chargesIn, playersIn, Records } from "./support/records.ts";
import { DevServer } from "./support/server.ts";

/** How often the server is killed: `TICKROOM_KILLS=20 npm run test:browser -- killed` for the whole. */
const KILLS = Number(process.env.TICKROOM_KILLS ?? 3);
const ROOM = "arena:shootout";
const TOKEN = "only-for-this-test";
const CALM_MS = 12_000;

let server: DevServer;

beforeAll(async () => {
  process.env.TICKROOM_ADMIN_TOKEN = TOKEN;
  server = await DevServer.start();
});

afterAll(async () => {
  await server?.stop();
});

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

describe("a server that is killed again and again while four players fire and buy", () => {
  it(
    "[D3] [I4] [A2] [A3] [A8] [A9] [D4] ends with wallets, paint, receipts and ledger that agree exactly",
    async () => {
      await server.createRoom(ROOM, { bots: 1 });
      const records = new Records(server.url, ROOM, TOKEN);
      records.follow();
      const gunners = await Promise.all([1, 2, 3, 4].map((seed) => Gunner.join(server.url, ROOM, seed)));
      const everybodyIsIn = () => gunners.every(({ client }) => client.status === "joined");
      for (let kill = 0; kill < KILLS; kill++) {
        await pause(2500 + 300 * (kill % 7));
        await server.kill();
        server.spawn();
        await server.answers();
        await until("everybody to be back", () => Promise.resolve(everybodyIsIn()), { withinMs: 60_000 });
      }
      await pause(2000);
      for (const gunner of gunners) gunner.rest();
      const openActions = () => sum(gunners.map(({ client }) => client.stats().openActions));
      await until("all actions to end", () => Promise.resolve(openActions() === 0), { withinMs: 60_000 });
      // Until the tanks are full again: then nothing changes any more.
      await pause(CALM_MS);
      await records.collect();
      const shown = gunners.map(({ client }) => {
        const { gun, purse } = client.view.own ?? {};
        return { seat: client.seat, paint: gun?.paint, cans: purse?.cans, coins: purse?.coins };
      });
      for (const gunner of gunners) gunner.stop();
      records.stop();
      await server.kill();

      expect(gunners.flatMap(({ problems }) => problems)).toEqual([]);
      const rows = [...records.rows.values()].sort((a, b) => a.row.commit - b.row.commit);
      const [first] = rows;
      expect(rows.map(({ row }) => row.commit)).toEqual(rows.map((_, at) => (first?.row.commit ?? 0) + at));

      // Each command once, in the order of its input session.
      const actions = new Map<string, { seat: number; slot: number; disposition: string; reason: string }>();
      const consumed = new Map<number, number>();
      for (const { row } of rows) {
        for (const { seat, inputSession, entries } of row.sessions) {
          for (const { seq, actions: slots } of entries) {
            expect(seq).toBe((consumed.get(inputSession) ?? 0) + 1);
            consumed.set(inputSession, seq);
            for (const { slot, disposition, reason } of slots) {
              actions.set(`${inputSession}/${seq}/${slot}`, { seat, slot, disposition, reason });
            }
          }
        }
      }

      // Receipts on the clients, and the ledger: the same actions, with the same end.
      const told = new Map<string, { status: string; outcome: object }>();
      for (const { client, handles } of gunners) {
        for (const { identity, status, settled } of handles) {
          const key = `${identity?.session}/${identity?.seq}/${identity?.slot}`;
          // Of a command that a player made while the server was away for too long to be replayed [P7].
          if (status === "void") {
            expect(actions.has(key)).toBe(false);
            continue;
          }
          expect(["settled", "rejected", "timedOut"]).toContain(status);
          expect(told.has(key)).toBe(false);
          told.set(key, { status, outcome: await settled });
          expect(actions.get(key)).toMatchObject({
            seat: client.seat,
            disposition: status === "rejected" ? "rejected" : "admitted",
          });
        }
      }
      expect(told.size).toBe(actions.size);
      expect(told.size).toBeGreaterThan(40);

      // Wallets: each purchase asked for once, under its key, and nothing else.
      const charges = chargesIn(server.stateDir);
      const purchases = [...told].filter(([key, { status }]) => key.endsWith("/1") && status === "settled");
      const [kept, undone] = [true, false].map((isSettled) =>
        charges.filter(
          ({ key }) => isSettled === (told.get(key.slice(ROOM.length + 1))?.status === "settled"),
        ),
      ) as [typeof charges, typeof charges];
      expect(kept.map(({ key }) => key).sort()).toEqual(purchases.map(([key]) => `${ROOM}/${key}`).sort());
      // Of purchases whose answer came too late: refunded [A9].
      for (const { key, paid } of undone) {
        expect(told.get(key.slice(ROOM.length + 1))?.status).toBe("timedOut");
        expect(paid).toBe(0);
      }
      for (const { key, paid, balance } of kept) {
        const { outcome } = told.get(key.slice(ROOM.length + 1)) ?? {};
        expect(outcome).toMatchObject({ result: { ok: paid > 0, balance } });
      }
      expect(charges.length).toBeGreaterThan(4);

      // The stored end, what the pages show, what the wallets say, and a run without any crash.
      const { players, pending } = playersIn(server.stateDir, ROOM);
      expect(pending).toBe(0);
      for (const one of shown) {
        expect(players).toContainEqual(one);
        const own = charges.filter(({ key }) => actions.get(key.slice(ROOM.length + 1))?.seat === one.seat);
        const spent = sum(own.map(({ paid }) => paid));
        expect(one.coins).toBe(START_COINS - spent);
        expect(one.cans).toBe(spent / CAN_PRICE);
      }
      const checkpoint = records.checkpoint as Uint8Array;
      const ledger = rows.map(({ bytes }) => bytes);
      const recorded = { formatVersion: 1, roomName: ROOM, checkpoints: [checkpoint], ledger };
      const host = await WorkerdHost.start();
      try {
        const report = await host.replay(encodeExport(recorded));
        expect(report).toEqual({ agree: true, commits: ledger.length, ticks: expect.any(Number) });
      } finally {
        await host.dispose();
      }
    },
    120_000 + KILLS * 60_000,
  );
});
