import type { SnapshotFrame } from "../protocol/index.ts";
import type { Reconciled } from "./prediction.ts";
import type { Stats } from "./types.ts";

type Counted =
  | "corrections"
  | "lastCorrectionDistance"
  | "replayedTicks"
  | "inTolerance"
  | "reanchors"
  | "hardApplies"
  | "commandAgeTicks"
  | "bytesIn"
  | "bufferDepth"
  | "missedInputs"
  | "badFrames";

/** Figures about prediction and link, each counted apart [P10]. */
export class Counters {
  readonly figures: { -readonly [K in Counted]: Stats[K] } = {
    corrections: 0,
    lastCorrectionDistance: 0,
    replayedTicks: 0,
    inTolerance: 0,
    reanchors: 0,
    hardApplies: 0,
    commandAgeTicks: 0,
    bytesIn: 0,
    bufferDepth: 0,
    missedInputs: 0,
    badFrames: 0,
  };

  /** What the room says about this seat's commands. */
  buffer(frame: SnapshotFrame, pending: number): void {
    this.figures.bufferDepth = frame.bufferDepth;
    this.figures.missedInputs = frame.missed;
    this.figures.commandAgeTicks = pending;
  }

  /** True if this was a correction: the present changed by it. */
  reconciled({ how, changed, distance, replayedTicks }: Reconciled): boolean {
    const { figures } = this;
    figures.replayedTicks += replayedTicks;
    if (how === "kept") figures.inTolerance++;
    if (how === "hard") figures.hardApplies++;
    if (how === "replayed" && !changed) figures.reanchors++;
    if (how === "fresh" || !changed) return false;
    figures.corrections++;
    figures.lastCorrectionDistance = distance;
    return true;
  }
}
