import { decodeRows, type SnapshotFrame, type WelcomeFrame } from "../protocol/index.ts";
import type { Game, GameShape, QuantisedState } from "../sim/index.ts";
import type { DeliveryQueue } from "./delivery-queue.ts";
import { OwnDisplay } from "./own-display.ts";
import { Prediction, type Reconciled } from "./prediction.ts";
import { SnapshotGate } from "./snapshot-gate.ts";

/** What a snapshot did to prediction. */
export interface Intake extends Reconciled {
  /** The room's memory was rebuilt since the last one. */
  readonly restarted: boolean;
}

/** Prediction and how it is drawn, and which of the room's words reach them. */
export class Reconciler<S extends GameShape> {
  readonly prediction: Prediction<S>;
  readonly display: OwnDisplay;
  readonly #game: Game<S>;
  #gate = new SnapshotGate();
  #anchored = false;

  constructor(game: Game<S>, onFault: (error: unknown) => void) {
    this.#game = game;
    this.prediction = new Prediction(game, onFault);
    this.display = new OwnDisplay(this.prediction.plans);
  }

  /** Prediction has a state of the room to go on from. */
  get anchored(): boolean {
    return this.#anchored;
  }
  /** Incarnation of the room as last seen, 0 = none. */
  get incarnation(): number {
    return this.#gate.last?.incarnation ?? 0;
  }

  /** Whether another room, with numbers of its own, answers in the place of the one that we knew. */
  isAnotherRoom({ incarnation, tick }: WelcomeFrame): boolean {
    const last = this.#gate.last;
    if (!last) return false;
    return incarnation < last.incarnation || (incarnation === last.incarnation && tick < last.tick);
  }

  forgetRoom(): void {
    this.#gate = new SnapshotGate();
  }

  /** Nothing may be predicted until the room has spoken again. */
  unanchor(): void {
    this.#anchored = false;
  }

  /**
   * Takes a snapshot of our own input session in, unless it is of the past.
   * @param fraction how far what is drawn has got from the last tick to the next
   */
  take(
    frame: SnapshotFrame,
    state: QuantisedState,
    queue: DeliveryQueue,
    fraction: number,
  ): Intake | undefined {
    const before = this.incarnation;
    const own = decodeRows(this.#game.schema, frame.own);
    const verdict = this.#gate.admit(frame);
    if (verdict === "stale" || verdict === "repeat") return undefined;
    const { tick, consumed, durable, credit, seatRandom } = frame;
    queue.acknowledge(consumed, durable, credit);
    const fresh = verdict === "anchor" || !this.#anchored;
    this.#anchored = true;
    this.display.hold(this.prediction, fraction);
    const authority = { tick, consumed, seatRandom, own, shared: state, fresh };
    const result = this.prediction.reconcile(authority, queue.unconsumed());
    if (result.how !== "kept") this.display.settle(this.prediction, fraction);
    return { ...result, restarted: before > 0 && frame.incarnation > before };
  }
}
