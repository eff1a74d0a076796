import type { Stats } from "../index.ts";

/** A column of the graphs. */
export const COLUMNS = [
  "rttMs",
  "leadTicks",
  "bufferDepth",
  "correctionDistance",
  "replayedPerSecond",
  "inPerSecond",
  "outPerSecond",
  "delayMs",
  "underrunShare",
] as const;
export type Column = (typeof COLUMNS)[number];

type Row = Readonly<Record<Column, number>>;

/** 30 s at ten samples a second. */
const KEPT = 300;

/**
 * What the graphs show: the client's figures over the last half minute. Counters become rates; what a new page or a new
 * room has set back begins anew instead of showing a negative rate.
 */
export class Samples {
  readonly #seconds: number[] = [];
  readonly #rows: Row[] = [];
  #before: { readonly stats: Stats; readonly atMs: number } | undefined;
  #farthest = 0;

  /** How far a correction moved the own entity: shown in the sample that it falls into. */
  corrected(distance: number): void {
    this.#farthest = Math.max(this.#farthest, distance);
  }

  take(stats: Stats, atMs: number): void {
    const before = this.#before;
    const seconds = before ? (atMs - before.atMs) / 1000 : 0;
    const rate = (now: number, then: number | undefined) =>
      then === undefined || seconds <= 0 || now < then ? 0 : (now - then) / seconds;
    const frames = stats.frames - (before?.stats.frames ?? 0);
    const underruns = stats.underruns - (before?.stats.underruns ?? 0);
    this.#seconds.push(atMs / 1000);
    this.#rows.push({
      rttMs: stats.rttMs,
      leadTicks: stats.leadTicks,
      bufferDepth: stats.bufferDepth,
      correctionDistance: this.#farthest,
      replayedPerSecond: rate(stats.replayedTicks, before?.stats.replayedTicks),
      inPerSecond: rate(stats.bytesIn, before?.stats.bytesIn),
      outPerSecond: rate(stats.bytesOut, before?.stats.bytesOut),
      delayMs: stats.interpolationDelayMs,
      underrunShare: before && frames > 0 && underruns >= 0 ? underruns / frames : 0,
    });
    this.#farthest = 0;
    this.#before = { stats, atMs };
    if (this.#rows.length > KEPT) {
      this.#rows.shift();
      this.#seconds.shift();
    }
  }

  get count(): number {
    return this.#rows.length;
  }

  /** Times in seconds, then each column's values. */
  data(columns: readonly Column[]): number[][] {
    return [[...this.#seconds], ...columns.map((column) => this.#rows.map((row) => row[column]))];
  }
}
