import type { ExactRow } from "../protocol/index.ts";
import type { ActionCall, AdmissionResult, GameShape, QuantisedState, Rewind } from "../sim/index.ts";

/** What the room says about this seat at one boundary. */
export interface Authority {
  readonly tick: number;
  readonly consumed: number;
  readonly seatRandom: number;
  /** The seat's own predicted entities, exactly. */
  readonly own: readonly ExactRow[];
  readonly shared: QuantisedState;
  /** First of a session or incarnation: nothing was predicted that could be compared with it. */
  readonly fresh: boolean;
}

export interface Reconciled {
  /** `kept`: in tolerance, the present stands. `hard`: there was no frame to compare with. */
  readonly how: "kept" | "replayed" | "hard" | "fresh";
  /** The own entities were in tolerance, but an external that later ticks have read is elsewhere [P6]. */
  readonly dependency: boolean;
  /** The present is now another than before, beyond tolerance. */
  readonly changed: boolean;
  /** How far that moved an own entity, in position units. */
  readonly distance: number;
  readonly replayedTicks: number;
  /** Commands that had waited for an external and could be predicted now. */
  readonly resumedTicks: number;
}

/** Who hears of the actions that are predicted. */
export interface PredictionListener {
  running(seq: number): void;
  admission(call: ActionCall, result: AdmissionResult): void;
  effect(call: ActionCall, name: string, data: unknown, tick: number, replaying: boolean): void;
  /** What the page showed of others when it asked for the action. */
  rewind(call: ActionCall): Rewind<GameShape>;
  /** Why the room has rejected a call, if it is known to have. */
  rejectionOf(call: ActionCall): string | undefined;
  replayBegins(): void;
  /** These commands, and no others, were replayed. */
  replayed(fromSeq: number, toSeq: number): void;
}
