import type { Snapshot, WelcomeFrame } from "../protocol/index.ts";
import type { Game, GameShape, QuantisedState } from "../sim/index.ts";
import type { DeliveryQueue } from "./delivery-queue.ts";
import { OwnDisplay } from "./own-display.ts";
import { Prediction } from "./prediction.ts";
import type { PredictionListener, Reconciled } from "./prediction-types.ts";
import { SnapshotGate } from "./snapshot-gate.ts";

/** What a snapshot did to prediction. */
export interface Intake extends Reconciled {
  /** The room's memory was rebuilt since the last one. */
  readonly restarted: boolean;
  /** What it took to replay. */
  readonly replayMs: number;
}

export interface ReconcilerOptions {
  readonly onFault: (error: unknown) => void;
  readonly listener?: PredictionListener | undefined;
  /** Milliseconds of any clock that runs on while code runs. */
  readonly stopwatch?: (() => number) | undefined;
}

/** Prediction and how it is drawn, and which of the room's words reach them. */
export class Reconciler<S extends GameShape> {
  readonly prediction: Prediction<S>;
  readonly display: OwnDisplay;
  readonly #stopwatch: () => number;
  #gate = new SnapshotGate();
  #anchored = false;
  #epoch = 0;
  /** Incarnation that an earlier life of the page has seen. */
  #savedIncarnation = 0;

  constructor(game: Game<S>, { onFault, listener, stopwatch = () => 0 }: ReconcilerOptions) {
    this.#stopwatch = stopwatch;
    this.prediction = new Prediction(game, onFault, listener);
    this.display = new OwnDisplay(this.prediction.plans);
  }

  /** Prediction has a state of the room to go on from. */
  get anchored(): boolean {
    return this.#anchored;
  }
  /** Incarnation of the room as last seen, 0 = none. */
  get incarnation(): number {
    return this.#gate.last?.incarnation ?? this.#savedIncarnation;
  }

  /** How many times prediction has begun, from 1. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Whether another room, with numbers of its own, answers in the place of the one that we knew. */
  isAnotherRoom({ incarnation, tick }: WelcomeFrame): boolean {
    const last = this.#gate.last;
    if (!last) return incarnation < this.#savedIncarnation;
    return incarnation < last.incarnation || (incarnation === last.incarnation && tick < last.tick);
  }

  restore(incarnation: number): void {
    this.#savedIncarnation = incarnation;
  }

  forgetRoom(): void {
    this.#savedIncarnation = 0;
    this.#gate = new SnapshotGate();
  }

  /**
   * A new prediction epoch [P7]: nothing may be predicted until the room has spoken again, and nothing that was
   * predicted or shown before is compared with that or glides into it.
   */
  newEpoch(): void {
    this.#anchored = false;
    this.#epoch++;
    this.display.forget();
  }

  /**
   * Takes a snapshot of our own input session in, unless it is of the past.
   * @param fraction how far what is drawn has got from the last tick to the next
   */
  take(frame: Snapshot, state: QuantisedState, queue: DeliveryQueue, fraction: number): Intake | undefined {
    const before = this.incarnation;
    const verdict = this.#gate.admit(frame);
    if (verdict === "stale" || verdict === "repeat") return undefined;
    const { tick, consumed, durable, credit, seatRandom, own } = frame;
    queue.acknowledge(consumed, durable, credit);
    const fresh = verdict === "anchor" || !this.#anchored;
    const authority = { tick, consumed, seatRandom, own, shared: state, fresh };
    const result = this.#shown(fraction, () => this.prediction.reconcile(authority, queue.unconsumed()));
    return { ...result, restarted: before > 0 && frame.incarnation > before };
  }

  /** What is drawn stays where it is, and glides to where it belongs from now on [V2]. */
  #shown(fraction: number, compute: () => Reconciled): Reconciled & { replayMs: number } {
    // What was predicted in an earlier epoch was last drawn long ago: there is nothing to glide from.
    if (this.#anchored) this.display.hold(this.prediction, fraction);
    this.#anchored = true;
    const beganMs = this.#stopwatch();
    const result = compute();
    const replayMs = result.replayedTicks > 0 ? this.#stopwatch() - beganMs : 0;
    const moved = result.how !== "kept" || result.resumedTicks > 0;
    if (moved) this.display.settle(this.prediction, this.prediction.isPaused ? 1 : fraction);
    return { ...result, replayMs };
  }
}
