import type { Snapshot } from "../protocol/index.ts";
import type { Intake } from "./reconciler.ts";
import type { Stats } from "./types.ts";

type Counted =
  | "corrections"
  | "correctionsPerMinute"
  | "lastCorrectionDistance"
  | "correctionP95"
  | "replayedTicks"
  | "replayMs"
  | "inTolerance"
  | "inToleranceShare"
  | "reanchors"
  | "hardApplies"
  | "dependencyReplays"
  | "externalPauseMs"
  | "commandAgeTicks"
  | "bytesIn"
  | "bufferDepth"
  | "missedInputs"
  | "badFrames";

/** Corrections that distances are looked at of. */
const DISTANCES = 128;
const MINUTE_MS = 60_000;

/** Figures about prediction and link, each counted apart [P10]. */
export class Counters {
  readonly figures: { -readonly [K in Counted]: Stats[K] } = {
    corrections: 0,
    correctionsPerMinute: 0,
    lastCorrectionDistance: 0,
    correctionP95: 0,
    replayedTicks: 0,
    replayMs: 0,
    inTolerance: 0,
    inToleranceShare: 1,
    reanchors: 0,
    hardApplies: 0,
    dependencyReplays: 0,
    externalPauseMs: 0,
    commandAgeTicks: 0,
    bytesIn: 0,
    bufferDepth: 0,
    missedInputs: 0,
    badFrames: 0,
  };
  #nowMs = 0;
  #compared = 0;
  #distances: number[] = [];
  /** When the corrections of the last minute were. */
  #recentMs: number[] = [];

  /** Lets time pass. */
  passed(elapsedMs: number, waitsForExternal: boolean): void {
    const { figures } = this;
    this.#nowMs += elapsedMs;
    if (waitsForExternal) figures.externalPauseMs += elapsedMs;
    while ((this.#recentMs[0] ?? this.#nowMs) < this.#nowMs - MINUTE_MS) this.#recentMs.shift();
    figures.correctionsPerMinute = this.#recentMs.length;
  }

  /** What the room says about this seat's commands. */
  buffer(frame: Snapshot, pending: number): void {
    this.figures.bufferDepth = frame.bufferDepth;
    this.figures.missedInputs = frame.missed;
    this.figures.commandAgeTicks = pending;
  }

  /** True if this was a correction: the present changed by it. */
  reconciled({ how, changed, dependency, distance, replayedTicks, replayMs }: Intake): boolean {
    const { figures } = this;
    figures.replayedTicks += replayedTicks;
    figures.replayMs += replayMs;
    if (how === "hard") figures.hardApplies++;
    if (dependency) figures.dependencyReplays++;
    if (how !== "fresh") this.#compared++;
    if (how === "kept" || dependency) figures.inTolerance++;
    else if (how === "replayed" && !changed) figures.reanchors++;
    figures.inToleranceShare = this.#compared === 0 ? 1 : figures.inTolerance / this.#compared;
    if (how === "fresh" || !changed) return false;
    figures.corrections++;
    figures.lastCorrectionDistance = distance;
    this.#distances = [...this.#distances, distance].slice(-DISTANCES);
    this.#recentMs.push(this.#nowMs);
    figures.correctionsPerMinute = this.#recentMs.length;
    const sorted = [...this.#distances].sort((a, b) => a - b);
    figures.correctionP95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
    return true;
  }
}
