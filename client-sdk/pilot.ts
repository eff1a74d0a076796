import type { Snapshot, WelcomeFrame } from "../protocol/index.ts";
import type { Game, GameShape, QuantisedState } from "../sim/index.ts";
import type { ActionDesk } from "./action-desk.ts";
import { ServerClock } from "./clock.ts";
import { Counters } from "./counters.ts";
import type { Events } from "./events.ts";
import { Pacing } from "./pacing.ts";
import { Reconciler } from "./reconciler.ts";
import type { Sampler } from "./sampler.ts";
import { type Session, WINDOW_TICKS } from "./session.ts";
import type { ClientEvents } from "./types.ts";

type Obstacle = ClientEvents["paused"]["why"];

export interface PilotParts<S extends GameShape> {
  readonly game: Game<S>;
  readonly events: Events;
  readonly sampler: Sampler;
  readonly session: Session<S>;
  readonly desk: ActionDesk<S>;
  /** Something that a reload needs has changed. */
  readonly onChange: () => void;
  readonly stopwatch: (() => number) | undefined;
}

/** Makes this seat's commands at the room's pace, predicts them, and takes the room's corrections in. */
export class Pilot<S extends GameShape> {
  readonly clock: ServerClock;
  readonly reconciler: Reconciler<S>;
  readonly counters = new Counters();
  readonly #parts: PilotParts<S>;
  readonly #tickMs: number;
  #pacing: Pacing;
  /** Ticks to make at once: the room's buffer mustn't begin empty, least of all while a page still warms up. */
  #headStart = 0;
  /** Highest number consumed before the present connection or session. */
  #consumedBefore = 0;
  /** Why nothing is sampled, if so. */
  #obstacle: Obstacle | undefined;

  constructor(parts: PilotParts<S>) {
    const { game, events, desk } = parts;
    this.#parts = parts;
    this.#tickMs = 1000 / game.tickRate;
    this.clock = new ServerClock(this.#tickMs);
    this.reconciler = new Reconciler(game, {
      onFault: (error) => events.emit("fault", { error }),
      listener: desk,
      stopwatch: parts.stopwatch,
    });
    this.#pacing = new Pacing(this.#tickMs, WINDOW_TICKS);
  }

  /** How far the present has got from the last tick to the next one. */
  get fraction(): number {
    return this.reconciler.prediction.isPaused ? 1 : this.#pacing.fraction;
  }

  /** Prediction waits for a word of the room about what it reads [P6]. */
  get wantsAnchor(): boolean {
    return this.reconciler.anchored && this.reconciler.prediction.isPaused;
  }

  /** A new connection; `goesOn` when prediction may stand on what it was. */
  welcomed({ consumed, windowTicks, seat, inputSession }: WelcomeFrame, goesOn: boolean): void {
    if (!goesOn) this.reconciler.newEpoch();
    if (!this.reconciler.anchored) this.#headStart = 2 * windowTicks;
    this.#consumedBefore = consumed;
    this.reconciler.prediction.steer(seat, inputSession);
    this.#pacing = new Pacing(this.#tickMs, windowTicks);
    this.clock.reset();
  }

  /** Another input session has taken the place of ours: it gets an anchor of its own [S5]. */
  sessionChanged(): void {
    const { windowTicks, seat, id } = this.#parts.session;
    this.reconciler.newEpoch();
    this.reconciler.prediction.steer(seat, id);
    this.#headStart = 2 * windowTicks;
    this.#pacing = new Pacing(this.#tickMs, windowTicks);
  }

  /** Lets time pass and makes the commands that are due. */
  run(elapsedMs: number): void {
    this.reconciler.display.decay(elapsedMs);
    this.reconciler.prediction.age(elapsedMs);
    this.counters.passed(elapsedMs, this.wantsAnchor);
    if (!this.reconciler.anchored) {
      if (this.#parts.session.obstacle === "session") this.#notice("session");
      return;
    }
    const extra = this.#headStart;
    this.#headStart = 0;
    this.#pacing.run(elapsedMs, extra, () => this.#tick());
  }

  /** Takes a snapshot of the present input session in. */
  take(frame: Snapshot, state: QuantisedState, nowMs: number): void {
    const { session, events } = this.#parts;
    const { queue } = session;
    if (session.begin(frame.consumed, frame.durable, frame.credit)) this.#consumedBefore = frame.consumed;
    const intake = this.reconciler.take(frame, state, queue, this.fraction);
    if (!intake) return;
    this.counters.buffer(frame, queue.pending);
    // Before our first command of this connection has arrived, an empty buffer says nothing about our pace.
    if (frame.consumed > this.#consumedBefore) {
      const { bufferDepth: depth, missed, slippedTicks: slipped } = frame;
      this.#pacing.report({ depth, missed, slipped }, this.clock.rttMs, nowMs);
    }
    const { distance } = intake;
    if (this.counters.reconciled(intake)) events.emit("correction", { distance });
    if (intake.restarted) events.emit("restarted", { incarnation: frame.incarnation });
  }

  /** Makes one command, if one may be made now. */
  #tick(): boolean {
    const { session, sampler, desk, onChange } = this.#parts;
    this.#notice(session.obstacle);
    if (this.#obstacle) return false;
    const { bytes, calls } = sampler.take();
    const entry = session.put(bytes);
    desk.made(entry, calls);
    this.reconciler.prediction.step(entry);
    onChange();
    return true;
  }

  /** Tells the page when sampling stops and when it goes on. */
  #notice(obstacle: Obstacle | undefined): void {
    const why = obstacle ?? this.#obstacle;
    if (why === undefined || obstacle === this.#obstacle) return;
    this.#obstacle = obstacle;
    this.#parts.events.emit("paused", { paused: obstacle !== undefined, why });
  }
}
