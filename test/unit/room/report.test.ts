import { describe, expect, it } from "vitest";
import { PRICES } from "../../../room/core/cost.ts";
import { dataPoint, prometheusText, type RoomHooks } from "../../../room/core/index.ts";
import { RateMeter } from "../../../room/core/rates.ts";
import { type Mover, mover } from "./mover.ts";
import { Rig } from "./rig.ts";

const hooks: RoomHooks<Mover> = { onJoin: (seat) => void seat.spawn("player") };

/** A room with one player who sends a frame in every window. */
function playedFor(seconds: number) {
  const room = new Rig(mover, { hooks });
  const ada = room.join(1);
  room.windows(1);
  for (let window = 0; window < seconds * 20; window++) {
    room.command(ada, { step: true }, { step: true }, { step: true });
    room.windows(1);
  }
  return { room, ada, report: () => room.core.watch.report(room.nowMs) };
}

describe("a room's report", () => {
  it("[X4] has the rates of the last minute, from the room's own counters", () => {
    const { report } = playedFor(70);
    const { perSecond } = report();
    expect(perSecond.overSeconds).toBeGreaterThan(55);
    expect(perSecond.overSeconds).toBeLessThanOrEqual(60);
    expect(perSecond.windows).toBeCloseTo(20, 5);
    expect(perSecond.commits).toBeCloseTo(20, 5);
    expect(perSecond.messagesIn).toBeCloseTo(20, 5);
    // State, ledger and alarm, and a checkpoint every ten seconds.
    expect(perSecond.rows).toBeCloseTo(60.1, 1);
    expect(perSecond.alarms).toBeCloseTo(20, 1);
    expect(perSecond.bytesOut).toBeGreaterThan(20 * 25);
  });

  it("[X4] estimates an hour's cost from them: rows first, then the object's time, then its requests", () => {
    const { rows, requests, duration, total } = playedFor(70).report().costPerHour;
    expect(rows).toBeCloseTo((60.1 * 3600 * PRICES.rows.dollars) / 1e6, 3);
    expect(requests).toBeCloseTo(((20 + 20 / 20) * 3600 * 0.15) / 1e6, 4);
    expect(duration).toBeCloseTo(0.00576, 5);
    expect(total).toBeCloseTo(rows + requests + duration, 12);
  });

  it("[T7] costs nothing once the room sleeps", () => {
    const { room, ada, report } = playedFor(2);
    room.send(ada, ada.frame({ type: "leave" }));
    room.pass(61_000);
    expect(report()).toMatchObject({ state: "sleeping", seats: 0, costPerHour: { total: 0 } });
  });

  it("[X4] says how late windows were by bucket, and how far back the records go", () => {
    const { room, report } = playedFor(25);
    room.alarms = false;
    room.pass(120);
    room.alarms = true;
    room.windows(1);
    const { lateness, ledger, windows, slippedTicks, tick } = report();
    expect(lateness.counts.reduce((sum, count) => sum + count)).toBe(windows);
    expect(lateness.counts.slice(5).reduce((sum, count) => sum + count)).toBeGreaterThan(0);
    expect(slippedTicks).toBe(0);
    expect(ledger.toTick).toBe(tick);
    expect(ledger.toTick - ledger.fromTick).toBeGreaterThan(600);
    expect(ledger.checkpoints).toBe(2);
  });

  it("[X4] counts the windows between commits by one alarm", () => {
    const room = new Rig(mover, { hooks, commitEvery: 4 });
    room.waits = true;
    room.join(1);
    room.windows(80);
    const { commits, alarms, windows } = room.core.watch.report(room.nowMs);
    expect(windows).toBeGreaterThanOrEqual(78);
    expect(commits).toBeLessThan(24);
    expect(alarms).toBeLessThanOrEqual(commits + 1);
  });
});

describe("rates", () => {
  const totals = (rows: number) => ({
    windows: 0,
    commits: 0,
    rows,
    alarms: 0,
    messagesIn: 0,
    connectionsMade: 0,
    bytesIn: 0,
    bytesOut: 0,
  });

  it("[X4] are none before the first second and after a minute of sleep", () => {
    const meter = new RateMeter();
    expect(meter.rates(5_000, totals(9)).rows).toBe(0);
    meter.sample(5_000, () => totals(9));
    expect(meter.rates(15_000, totals(29)).rows).toBe(2);
    expect(meter.rates(70_000, totals(29)).rows).toBe(0);
  });

  it("[X4] go on when the wall clock was set back by an hour", () => {
    const meter = new RateMeter();
    meter.sample(10_000_000, () => totals(0));
    meter.sample(6_400_000, () => totals(10));
    expect(meter.rates(6_410_000, totals(30)).rows).toBe(2);
  });
});

describe("metrics", () => {
  it("[X4] are Prometheus text: help, type and a value for each, histograms that add up", () => {
    const { report } = playedFor(3);
    const text = prometheusText(report());
    const samples = new Map<string, number>();
    for (const line of text.trimEnd().split("\n")) {
      if (line.startsWith("#")) {
        expect(line).toMatch(
          /^# (HELP tickroom_[a-z_]+ .+|TYPE tickroom_[a-z_]+ (gauge|counter|histogram))$/,
        );
        continue;
      }
      const [, name = "", labels = "", value = ""] = /^([a-z_]+)\{(.+)\} (\S+)$/.exec(line) ?? [];
      expect(labels).toContain('room="mover:test",game="mover"');
      samples.set(name + (/le="[^"]+"/.exec(labels)?.[0] ?? ""), Number(value));
    }
    for (const value of samples.values()) expect(value).not.toBeNaN();
    expect(samples.get("tickroom_up")).toBe(1);
    expect(samples.get("tickroom_seats")).toBe(1);
    expect(samples.get("tickroom_window_lateness_seconds_count")).toBe(samples.get("tickroom_windows_total"));
    expect(samples.get('tickroom_window_lateness_seconds_bucketle="+Inf"')).toBe(
      samples.get("tickroom_windows_total"),
    );
    const buckets = [...samples].filter(([name]) => name.includes("_bucket")).map(([, value]) => value);
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
  });

  it("[X4] fit into a data point of Analytics Engine: 20 blobs, 20 doubles, an index of 96 bytes", () => {
    const { blobs, doubles, indexes } = dataPoint(playedFor(1).report());
    expect(blobs.length).toBeLessThanOrEqual(20);
    expect(doubles.length).toBeLessThanOrEqual(20);
    for (const double of doubles) expect(double).not.toBeNaN();
    // An address is at most 32 + 1 + 63 characters of ASCII.
    expect(indexes).toEqual(["mover:test"]);
  });
});
