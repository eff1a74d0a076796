import type { CloseAction, ServerFrame, SnapshotFrame, WelcomeFrame } from "../protocol/index.ts";
import { closeAction, decodeServerFrame, WireError } from "../protocol/index.ts";
import type { GameShape, QuantisedState } from "../sim/index.ts";
import { ServerClock } from "./clock.ts";
import { Counters } from "./counters.ts";
import { Events } from "./events.ts";
import { Pacing } from "./pacing.ts";
import type { PredictedState } from "./prediction.ts";
import { Reconciler } from "./reconciler.ts";
import { Replica } from "./replica.ts";
import { Sampler } from "./sampler.ts";
import { Session, type SessionOptions, WINDOW_TICKS } from "./session.ts";
import type { Input, SeatInfo, Stats, Status } from "./types.ts";
import { ClientView } from "./view.ts";

export interface ClientCoreOptions<S extends GameShape> extends SessionOptions<S> {
  readonly prediction?: boolean;
}

/**
 * A client of a room, without socket and clock: what decides is here, and runs the same in a page and in a test.
 * The caller reports the link's events and the frames' times, in milliseconds of any monotonic clock.
 */
export class ClientCore<S extends GameShape> {
  readonly #options: ClientCoreOptions<S>;
  readonly #events = new Events();
  readonly #sampler: Sampler;
  readonly #session: Session<S>;
  readonly #clock: ServerClock;
  readonly #reconciler: Reconciler<S>;
  readonly #counters = new Counters();
  readonly #tickMs: number;
  #pacing: Pacing;
  #replica: Replica;
  #status: Status = "connecting";
  #seats: readonly SeatInfo[] = [];
  /** Ticks to make at once: the room's buffer mustn't begin empty, least of all while a page still warms up. */
  #headStart = 0;
  /** Highest number consumed before the present connection. */
  #consumedBefore = 0;
  /** Why nothing is sampled, if so. */
  #obstacle: Session<S>["obstacle"];
  #nowMs = Number.NEGATIVE_INFINITY;
  #lastFrameMs: number | undefined;
  readonly on = this.#events.on;
  readonly input: Input<S>;
  readonly view: ClientView<S>;
  readonly prediction: { enabled: boolean };

  constructor(options: ClientCoreOptions<S>) {
    const { game } = options;
    this.#options = options;
    this.#tickMs = 1000 / game.tickRate;
    this.#sampler = new Sampler(game.schema);
    this.#session = new Session(options);
    this.#clock = new ServerClock(this.#tickMs);
    this.#reconciler = new Reconciler(game, (error) => this.#events.emit("fault", { error }));
    this.#pacing = new Pacing(this.#tickMs, WINDOW_TICKS);
    this.#replica = this.#newReplica(WINDOW_TICKS);
    const { prediction, display } = this.#reconciler;
    this.view = new ClientView(game.schema, prediction.plans, display);
    this.prediction = { enabled: options.prediction ?? true };
    this.input = {
      set: (controls) => this.#sampler.set(controls),
      press: (name) => this.#sampler.press(name),
    };
  }

  get status(): Status {
    return this.#status;
  }
  get seat(): number {
    return this.#session.seat;
  }
  seats(): readonly SeatInfo[] {
    return this.#seats;
  }

  /** The link is open: says who we are. */
  opened(nowMs: number): void {
    this.#at(nowMs);
    this.#session.hello(this.#reconciler.incarnation);
  }

  /** The link has closed. Tells its owner what to do about it. */
  closed(code: number, reason: string, nowMs: number): CloseAction {
    this.#at(nowMs);
    this.#session.live = false;
    if (this.#status === "closed") return "stop";
    const action = closeAction(code);
    if (action === "stop") {
      this.#status = "closed";
      this.#events.emit("closed", { code, reason });
      return action;
    }
    if (action === "rejoin") {
      this.#session.forget();
      this.#reconciler.unanchor();
    }
    this.#status = this.seat === 0 ? "connecting" : "reconnecting";
    this.#events.emit("reconnecting", { code, reason });
    return action;
  }

  received(bytes: Uint8Array, nowMs: number): void {
    const now = this.#at(nowMs);
    this.#counters.figures.bytesIn += bytes.length;
    try {
      this.#take(decodeServerFrame(bytes), now);
    } catch (error) {
      this.#unreadable(error);
    }
  }

  /** Once per animation frame. */
  frame(nowMs: number): void {
    const now = this.#at(nowMs);
    const elapsedMs = now - (this.#lastFrameMs ?? now);
    this.#lastFrameMs = now;
    this.#reconciler.display.decay(elapsedMs);
    if (this.#reconciler.anchored) {
      const extra = this.#headStart;
      this.#headStart = 0;
      this.#pacing.run(elapsedMs, extra, () => this.#tick());
    }
    this.idle(now);
    this.#askKeyframe(now, false);
    this.#replica.advance(now, elapsedMs);
    this.#draw();
  }

  /** For a page that draws no frames, about once a second: shows the room that we are still there. */
  idle(nowMs: number): void {
    const now = this.#at(nowMs);
    const { live, uplink, windowTicks, id } = this.#session;
    if (live) uplink.pump(windowTicks, id, this.#ackTick, now);
  }

  /** Gives the seat up. */
  leave(): void {
    if (this.#status === "closed") return;
    this.#session.leave();
    this.#status = "closed";
    this.#events.emit("closed", { code: 1000, reason: "left" });
  }

  stats(): Stats {
    const { queue, uplink } = this.#session;
    const roomTick = this.#clock.tickAt(this.#nowMs);
    return {
      ...this.#counters.figures,
      tick: this.#reconciler.prediction.tick,
      consumed: queue.consumed,
      durable: queue.durable,
      incarnation: this.#reconciler.incarnation,
      pendingInputs: queue.pending,
      rttMs: this.#clock.rttMs,
      entities: this.#replica.newest?.count ?? 0,
      bytesOut: uplink.bytesOut,
      leadTicks: roomTick === undefined ? 0 : this.#reconciler.prediction.tick - roomTick,
      interpolationDelayMs: this.#replica.delayMs,
      outOfCredit: this.#reconciler.anchored && !queue.hasCredit,
    };
  }

  /**
   * The exact state predicted after one of this session's commands, from the last acknowledged one (`stats().consumed`)
   * to the newest (`pendingInputs` later): for debug panels and tests.
   */
  predictedAfter(seq: number): PredictedState | undefined {
    return this.#reconciler.prediction.stateAfter(seq);
  }

  #take(frame: ServerFrame, now: number): void {
    switch (frame.type) {
      case "welcome":
        this.#welcomed(frame, now);
        return;
      case "snapshot":
        this.#snapshot(frame, now);
        return;
      case "roster":
        this.#seats = frame.seats;
        this.#events.emit("seats", { seats: frame.seats });
        return;
      case "unknown":
        // A kind of frame from a newer room: what matters to us is in the ones that we know.
        return;
    }
  }

  #welcomed(welcome: WelcomeFrame, now: number): void {
    // A lossy link may deliver it twice; the second would take back what has been acknowledged since.
    if (this.#session.live) return;
    const { incarnation, windowTicks, seat } = welcome;
    if (this.#reconciler.isAnotherRoom(welcome)) {
      // As after its storage was wiped: nothing carries over.
      this.#reconciler.forgetRoom();
      this.#replica = this.#newReplica(windowTicks);
      this.#session.forget();
    }
    const resumed = this.#session.welcomed(welcome);
    if (!resumed) this.#reconciler.unanchor();
    if (!this.#reconciler.anchored) this.#headStart = 2 * windowTicks;
    this.#consumedBefore = welcome.consumed;
    this.#reconciler.prediction.steer(seat);
    this.#pacing = new Pacing(this.#tickMs, windowTicks);
    this.#clock.reset();
    this.#replica.reconnected();
    this.#status = "joined";
    this.#session.uplink.flush(this.#session.id, this.#ackTick, now);
    this.#events.emit("joined", { seat, incarnation, resumed });
  }

  #snapshot(frame: SnapshotFrame, now: number): void {
    if (frame.inputSession === this.#session.id) this.#session.queue.cover(frame.durable);
    this.#clock.exchange(frame.tick, frame.echoMs, frame.heldMs, now);
    for (const { frame: readable, state, slipped } of this.#replica.receive(frame, now)) {
      if (slipped > 0) this.#clock.slip(slipped);
      // Of a session that is over: good for what others do, but never compared with the new queue [P3].
      if (readable.inputSession === this.#session.id) this.#reconcile(readable, state, now);
    }
    this.#askKeyframe(now, false);
  }

  #reconcile(frame: SnapshotFrame, state: QuantisedState, now: number): void {
    const { queue } = this.#session;
    const intake = this.#reconciler.take(frame, state, queue, this.#pacing.fraction);
    if (!intake) return;
    this.#counters.buffer(frame, queue.pending);
    // Before our first command of this connection has arrived, an empty buffer says nothing about our pace.
    if (frame.consumed > this.#consumedBefore) {
      const { bufferDepth: depth, missed, slippedTicks: slipped } = frame;
      this.#pacing.report({ depth, missed, slipped }, this.#clock.rttMs, now);
    }
    const { distance } = intake;
    if (this.#counters.reconciled(intake)) this.#events.emit("correction", { distance });
    if (intake.restarted) this.#events.emit("restarted", { incarnation: frame.incarnation });
  }

  /** Makes one command, if one may be made now. */
  #tick(): boolean {
    const { obstacle } = this.#session;
    const why = obstacle ?? this.#obstacle;
    if (why !== undefined && obstacle !== this.#obstacle) {
      this.#obstacle = obstacle;
      this.#events.emit("paused", { paused: obstacle !== undefined, why });
    }
    if (obstacle) return false;
    this.#reconciler.prediction.step(this.#session.put(this.#sampler.take()));
    return true;
  }

  #draw(): void {
    const { anchored, prediction } = this.#reconciler;
    const shown = anchored && this.prediction.enabled;
    this.view.update({
      seat: this.seat,
      predicted: shown ? { pair: prediction, fraction: this.#pacing.fraction } : undefined,
      lives: this.#replica.lives,
      times: this.#replica.times,
      starved: this.#replica.starved,
      newest: this.#replica.newest,
    });
  }

  /** What it held is lost, but a keyframe has everything: a frame that isn't understood must not end the page. */
  #unreadable(error: unknown): void {
    if (!(error instanceof WireError)) throw error;
    this.#counters.figures.badFrames++;
    this.#askKeyframe(this.#nowMs, true);
  }

  #newReplica(windowTicks: number): Replica {
    return new Replica(this.#options.game.schema, windowTicks, (error) => this.#unreadable(error));
  }

  #askKeyframe(now: number, lost: boolean): void {
    if (!this.#session.live) return;
    const requestId = this.#replica.wantsKeyframe(now, lost);
    if (requestId !== undefined) this.#session.uplink.send({ type: "keyframe", requestId });
  }

  /** The page's clock, made monotonic: a frame's timestamp lies a little before the packets it draws. */
  #at(nowMs: number): number {
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    return this.#nowMs;
  }

  get #ackTick(): number {
    return this.#replica.newest?.tick ?? 0;
  }
}
