import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { billOf, type Plan, usageOf } from "../../../bench/cost-model.ts";
import type { RoomHooks } from "../../../room/core/index.ts";
import { type Mover, mover } from "../room/mover.ts";
import { Rig } from "../room/rig.ts";

const hooks: RoomHooks<Mover> = { onJoin: (seat) => void seat.spawn("player") };
const PLAN: Plan = {
  players: 8,
  tick: 60,
  windows: 20,
  commitEvery: 1,
  actions: 0,
  hours: 100,
  minutes: 20,
  rooms: 100,
  megabytes: 1,
};

describe("the cost model", () => {
  it.each([
    [1, 1],
    [8, 1],
    [1, 4],
    [8, 4],
  ])(
    "[D5] says what the counters of a room say, with %i players and a commit every %i",
    (players, commitEvery) => {
      const room = new Rig(mover, { hooks, commitEvery });
      room.waits = true;
      const clients = Array.from({ length: players }, (_, i) => room.join(i + 1));
      room.windows(1);
      for (let window = 0; window < 70 * 20; window++) {
        for (const client of clients) room.command(client, { step: true }, { step: true }, { step: true });
        room.windows(1);
      }
      const { perSecond } = room.core.watch.report(room.nowMs);
      const usage = usageOf({ ...PLAN, players, commitEvery, minutes: 1e9 });
      expect(usage.rowsPerSecond).toBeCloseTo(perSecond.rows, 1);
      expect(usage.messagesPerSecond).toBeCloseTo(perSecond.messagesIn, 1);
      expect(usage.requestsPerSecond).toBeCloseTo(perSecond.alarms, 1);
    },
  );

  it("[D5] gives a bill by line, and what the plan includes costs nothing", () => {
    const { rows, requests, duration, storage, workerRequests } = billOf(PLAN);
    expect(rows.units).toBeCloseTo(60.1 * 3600 * 100, 0);
    expect(rows.list).toBeCloseTo(21.636, 3);
    expect(rows.bill).toBe(0);
    expect(requests.bill).toBeCloseTo(requests.list - 0.15, 6);
    expect(duration.units).toBeCloseTo(0.128 * 3600 * 100, 6);
    expect(storage.units).toBeCloseTo(0.1, 6);
    expect(workerRequests.units).toBe(8 * 3 * 100 * 2);
  });

  it("[D2] counts that actions make windows stored ones, but never more than there are", () => {
    const sparse = (actions: number) => usageOf({ ...PLAN, commitEvery: 4, actions });
    expect(sparse(0).rowsPerSecond).toBeCloseTo(15.1, 5);
    expect(sparse(10).rowsPerSecond).toBeGreaterThan(sparse(0).rowsPerSecond + 3 * 2);
    const receipts = (2 * 8 * 1000) / 60;
    expect(sparse(1000).rowsPerSecond).toBeCloseTo(60.1 + receipts, 5);
  });

  it("[D5] gives the figures that the guide has for a room-hour", () => {
    const guide = readFileSync(new URL("../../../docs/guides/cost.md", import.meta.url), "utf8");
    const table =
      /^\| (\d+) windows\/s, (each stored|`commitEvery: 4`).*?\| \$(.+) \| \$(.+) \| \$(.+) \| \$(.+) \|$/gm;
    const rows = [...guide.matchAll(table)];
    expect(rows).toHaveLength(4);
    for (const [line, windows, commits, ...figures] of rows) {
      const commitEvery = commits === "each stored" ? 1 : 4;
      const bill = billOf({ ...PLAN, windows: Number(windows), commitEvery, hours: 1 });
      const parts = [bill.rows.list, bill.requests.list, bill.duration.list];
      const all = [...parts, parts.reduce((sum, part) => sum + part)];
      expect(figures, line).toEqual(all.map((figure) => figure.toFixed(3)));
    }
  });
});
