import { describe, expect, it } from "vitest";
import { EventLog } from "../../../../client-sdk/debug/event-log.ts";
import { Samples } from "../../../../client-sdk/debug/samples.ts";
import type { Stats } from "../../../../client-sdk/index.ts";

const at = (figures: Partial<Stats>) =>
  ({
    rttMs: 0,
    leadTicks: 0,
    bufferDepth: 0,
    replayedTicks: 0,
    bytesIn: 0,
    bytesOut: 0,
    interpolationDelayMs: 0,
    frames: 0,
    underruns: 0,
    ...figures,
  }) as Stats;

describe("samples for graphs", () => {
  it("[P10] turn counters into rates per second", () => {
    const samples = new Samples();
    samples.take(at({ bytesIn: 1000, replayedTicks: 5 }), 0);
    samples.take(at({ bytesIn: 1500, replayedTicks: 8, rttMs: 40 }), 100);
    expect(samples.data(["inPerSecond", "replayedPerSecond", "rttMs"])).toEqual([
      [0, 0.1],
      [0, 5000],
      [0, 30],
      [0, 40],
    ]);
  });

  it("begin anew where a counter went back, instead of showing a negative rate", () => {
    const samples = new Samples();
    samples.take(at({ bytesIn: 9000, frames: 500, underruns: 9 }), 0);
    samples.take(at({ bytesIn: 10, frames: 2, underruns: 0 }), 100);
    expect(samples.data(["inPerSecond", "underrunShare"]).slice(1)).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it("[P10] show the farthest correction in the sample that it falls into, and no longer", () => {
    const samples = new Samples();
    samples.corrected(0.2);
    samples.corrected(0.7);
    samples.take(at({}), 0);
    samples.take(at({}), 100);
    expect(samples.data(["correctionDistance"])[1]).toEqual([0.7, 0]);
  });

  it("[V4] give underruns as a share of the frames since the sample before", () => {
    const samples = new Samples();
    samples.take(at({ frames: 100, underruns: 3 }), 0);
    samples.take(at({ frames: 110, underruns: 5 }), 100);
    expect(samples.data(["underrunShare"])[1]).toEqual([0, 0.2]);
  });

  it("keep half a minute, however long it goes on", () => {
    const samples = new Samples();
    for (let i = 0; i < 1000; i++) samples.take(at({}), i * 100);
    expect(samples.count).toBe(300);
    expect(samples.data([])[0]?.[0]).toBe(70);
  });
});

describe("an event log", () => {
  it("shows the newest first, hides kinds, and keeps 200 lines", () => {
    const log = new EventLog();
    for (let i = 0; i < 250; i++) log.add(i % 2 === 0 ? "receipt" : "link", `line ${i}`, i);
    expect(log.lines.length).toBe(200);
    expect(log.lines[0]?.text).toBe("line 249");
    log.toggle("link");
    expect(log.lines.every(({ kind }) => kind === "receipt")).toBe(true);
    log.toggle("link");
    expect(log.lines.length).toBe(200);
  });

  it("takes nothing while it is paused", () => {
    const log = new EventLog();
    log.paused = true;
    log.add("fault", "unseen", 0);
    expect(log.lines).toEqual([]);
  });
});
