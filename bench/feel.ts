/**
 * How a room feels over bad links: the arena in the in-process harness, one player over the link in question, on a clock
 * that jumps. Everything comes from the seed.
 */
import { type Arena, arena } from "../demo/game.ts";
import { rules } from "../demo/rules.ts";
import { createHarness, type Harness, type LinkOptions } from "../test/harness/index.ts";
import { measureShots } from "./shots.ts";

export interface FeelCell {
  readonly rttMs: number;
  /** The round trip varies by so much up and down. */
  readonly jitterMs: number;
  /** Share of frames behind which everything waits for a round trip, as after a lost packet. */
  readonly stallShare: number;
  /** Share of ticks that the room ran without the player's command. */
  readonly lateShare: number;
  readonly correctionsPerMinute: number;
  /** Metres; 0 without corrections. */
  readonly correctionP95: number;
  readonly replayedTicksPerSecond: number;
  /** Share of frames that showed others past the newest snapshot. */
  readonly underrunShare: number;
  readonly interpolationDelayMs: number;
  /**
   * How long the room's buffer takes, at the first command or after a stall that empties it, until it stays filled and
   * short: the longest time of the first 8 s.
   */
  readonly leadConvergedMs: number;
}

export interface FeelRequest {
  readonly rttMs: number;
  readonly jitterMs: number;
  readonly stallShare: number;
  readonly minutes: number;
  readonly seed: number;
}

const RTTS_MS = [0, 60, 120, 200, 300];
const JITTERS_MS = [0, 20, 60];
const STALL_SHARES = [0, 0.01, 0.05];
const MINUTES = 2;
const SEED = 1;
/** A lost packet is noticed and sent again within about a round trip, and not at once. */
const SHORTEST_STALL_MS = 40;
const FRAME_MS = 1000 / 60;
const TICK_MS = 1000 / 60;
/** The lead is looked at for so long, and is calm when it has held for so long. */
const LEAD_MS = 8000;
const LEAD_HOLDS_MS = 2000;
const WINDOW_TICKS = 3;

/** The whole table, and what lag compensation is worth. */
export function measureFeel(progress: (text: string) => void) {
  const grid: FeelCell[] = [];
  for (const rttMs of RTTS_MS) {
    for (const jitterMs of JITTERS_MS) {
      for (const stallShare of STALL_SHARES) {
        progress(`rtt ${rttMs} ± ${jitterMs} ms, stalls ${stallShare}`);
        grid.push(measureCell({ rttMs, jitterMs, stallShare, minutes: MINUTES, seed: SEED }));
      }
    }
  }
  return { seed: SEED, minutes: MINUTES, grid, ...measureShots(progress) };
}

function linkOf({
  rttMs,
  jitterMs,
  stallShare,
}: Pick<FeelRequest, "rttMs" | "jitterMs" | "stallShare">): LinkOptions {
  return {
    // Uniform between 0 and the jitter each way: the round trip lies within rtt ± jitter.
    latencyMs: Math.max(0, (rttMs - jitterMs) / 2),
    jitterMs,
    burstShare: stallShare,
    burstMs: stallMsOf(rttMs),
  };
}

function stallMsOf(rttMs: number): number {
  return Math.max(SHORTEST_STALL_MS, rttMs);
}

export function measureCell(request: FeelRequest): FeelCell {
  const { rttMs, jitterMs, stallShare, minutes, seed } = request;
  const harness = createHarness<Arena>({
    game: arena,
    hooks: rules,
    roomOptions: { bots: 6 },
    clients: 1,
    link: linkOf(request),
    seed,
  });
  harness.untilJoined();
  const leadConvergedMs = watchLead(harness, 2 * jitterMs + (stallShare > 0 ? stallMsOf(rttMs) : 0));
  const player = harness.client(0);
  const corrections = player.record("correction");
  const before = player.stats();
  const skipped = corrections.length;
  let delayMs = 0;
  const frames = Math.round((minutes * 60_000) / FRAME_MS);
  for (let frame = 0; frame < frames; frame++) {
    // A walk through walls, platforms and open floor that turns about once a second.
    if (frame % 53 === 0) steer(harness, frame / 53);
    harness.advance(FRAME_MS);
    delayMs += player.stats().interpolationDelayMs / frames;
  }
  const after = player.stats();
  const distances = corrections.slice(skipped).map(({ distance }) => distance);
  return {
    rttMs,
    jitterMs,
    stallShare,
    lateShare: (after.missedInputs - before.missedInputs) / ((minutes * 60_000) / TICK_MS),
    correctionsPerMinute: distances.length / minutes,
    correctionP95: percentile(distances, 0.95),
    replayedTicksPerSecond: (after.replayedTicks - before.replayedTicks) / (60 * minutes),
    underrunShare: (after.underruns - before.underruns) / (after.frames - before.frames),
    interpolationDelayMs: delayMs,
    leadConvergedMs,
  };
}

const COLUMNS: readonly [title: string, of: (cell: FeelCell) => string][] = [
  ["RTT ms", ({ rttMs }) => `${rttMs}`],
  ["± ms", ({ jitterMs }) => `${jitterMs}`],
  ["stalls", ({ stallShare }) => percent(stallShare, 0)],
  ["late commands", ({ lateShare }) => percent(lateShare, 2)],
  ["corrections / min", ({ correctionsPerMinute }) => correctionsPerMinute.toFixed(1)],
  ["p95 of them, m", ({ correctionP95 }) => correctionP95.toFixed(2)],
  ["replayed ticks / s", ({ replayedTicksPerSecond }) => replayedTicksPerSecond.toFixed(1)],
  ["underruns", ({ underrunShare }) => percent(underrunShare, 2)],
  ["delay ms", ({ interpolationDelayMs }) => interpolationDelayMs.toFixed(0)],
  ["lead after ms", ({ leadConvergedMs }) => `${leadConvergedMs}`],
];

/** The report as a page of the documentation. */
export function feelPage({ seed, minutes, grid, lagCompensation }: ReturnType<typeof measureFeel>): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const { shots, hitsOn, hitsOff } = lagCompensation;
  return [
    "# How it feels over bad links",
    "",
    "Made by `npm run -s bench -- feel --markdown`, which plays the arena in the in-process harness on a clock that jumps: " +
      `${minutes} minutes per row with one walking player and six bots, seed ${seed}. A round trip takes RTT ± the second ` +
      "column (uniform, each way apart), and stalls are the share of frames behind which everything waits for a round " +
      "trip (at least 40 ms), as after a lost packet on a WebSocket.",
    "",
    row(COLUMNS.map(([title]) => title)),
    row(COLUMNS.map(() => "---:")),
    ...grid.map((cell) => row(COLUMNS.map(([, of]) => of(cell)))),
    "",
    "*Late commands* is the share of ticks that the room ran without the player's command; *underruns* the share of frames " +
      "that showed others past the newest snapshot; *delay* how far in the past others are shown; *lead* the longest time that the " +
      "room's buffer takes, at the first command or after a stall that empties it, until it stays filled and short. The delay " +
      "is two snapshot intervals (100 ms) and the measured jitter, to which stalls belong: a link that stalls is shown later " +
      "than its second column alone asks for.",
    "",
    "In real Chromium with 200 ± 40 ms, `test/browser/feel.test.ts` sees own movement in the next frame, and others without a " +
      "step back and without standing for longer than a snapshot interval: [a trace](evidence/remote-motion-200ms.json) of " +
      "the way that was shown from frame to frame (milliseconds, metres), and [the page](evidence/remote-motion-200ms.png); and [a trace](evidence/own-motion-200ms.json) of own " +
      "movement (milliseconds, metres that were shown, metres as the room had said by then), and [its page](evidence/own-motion-200ms.png).",
    "",
    `Of ${shots} shots at 250 ms that the shooter's screen showed as hits, ${hitsOn} hit with lag compensation and ${hitsOff} without.`,
    "",
  ].join("\n");
}

function percent(share: number, digits: number): string {
  return `${(100 * share).toFixed(digits)} %`;
}

function steer(harness: Harness<Arena>, turn: number): void {
  const angle = turn * 2.4;
  harness.client(0).input.set({ moveX: Math.cos(angle), moveY: Math.sin(angle), sprint: turn % 3 === 0 });
}

/**
 * The longest time in milliseconds, from the first command or from a disturbance after calm, until the buffer neither ran
 * dry nor held more than the link's spread asks for.
 */
function watchLead(harness: Harness<Arena>, spreadMs: number): number {
  const player = harness.client(0);
  // Depth is told after a window: what the next one needs, what comes in batches, and what may come late.
  const most = 2 * WINDOW_TICKS + Math.ceil(spreadMs / TICK_MS);
  const startMs = harness.nowMs;
  let sinceMs = startMs;
  let badMs = startMs;
  let longestMs = 0;
  let missed = player.stats().missedInputs;
  while (harness.nowMs < startMs + LEAD_MS) {
    harness.advance(FRAME_MS);
    const { bufferDepth, missedInputs } = player.stats();
    if (missedInputs > missed || bufferDepth > most) {
      if (harness.nowMs > badMs + LEAD_HOLDS_MS) sinceMs = harness.nowMs;
      badMs = harness.nowMs;
      longestMs = Math.max(longestMs, badMs - sinceMs);
    }
    missed = missedInputs;
  }
  return Math.round(longestMs);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
