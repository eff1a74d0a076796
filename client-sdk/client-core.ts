import { type CloseAction, closeAction, isFinal } from "../protocol/index.ts";
import type { GameShape } from "../sim/index.ts";
import { ActionDesk } from "./action-desk.ts";
import type { ActionCalls, ActionIdentity, Effects, Receipts } from "./action-types.ts";
import { Downlink } from "./downlink.ts";
import { EventBook } from "./event-book.ts";
import { Events } from "./events.ts";
import { Keeper } from "./keeper.ts";
import { Pilot } from "./pilot.ts";
import type { PredictionFrame } from "./prediction-ring.ts";
import { Sampler } from "./sampler.ts";
import { Session, type SessionOptions } from "./session.ts";
import { SessionChange } from "./session-change.ts";
import { MemorySessionStore, type SavedSession, type SessionStore } from "./session-store.ts";
import type { Input, RoomEvents, SeatInfo, Stats, Status } from "./types.ts";
import { ClientView } from "./view.ts";

export interface ClientCoreOptions<S extends GameShape> extends SessionOptions<S> {
  readonly prediction?: boolean;
  /** Where what a reload needs is kept. *Default*: in memory. */
  readonly store?: SessionStore;
  /** What the store has kept of an earlier life of the page. Its secret goes into `secret`. */
  readonly saved?: SavedSession | undefined;
  /** Milliseconds of any clock that runs on while code runs, to measure replays with. *Default*: none are measured. */
  readonly stopwatch?: () => number;
}

/**
 * A client of a room, without socket and clock: what decides is here, and runs the same in a page and in a test.
 * The caller reports the link's events and the frames' times, in milliseconds of any monotonic clock.
 */
export class ClientCore<S extends GameShape> {
  readonly #events = new Events();
  readonly #session: Session<S>;
  readonly #desk: ActionDesk<S>;
  readonly #pilot: Pilot<S>;
  readonly #change: SessionChange<S>;
  readonly #keeper: Keeper;
  readonly #downlink: Downlink<S>;
  readonly #book: EventBook;
  #hasEnded = false;
  #nowMs = Number.NEGATIVE_INFINITY;
  #lastFrameMs: number | undefined;
  readonly on = this.#events.on;
  readonly input: Input<S>;
  readonly view: ClientView<S>;
  readonly actions: ActionCalls<S>;
  readonly receipts: Receipts<S>;
  readonly effects: Effects<S>;
  readonly events: RoomEvents<S>;
  readonly prediction: { enabled: boolean };

  constructor(options: ClientCoreOptions<S>) {
    const { game, saved, store = new MemorySessionStore() } = options;
    const events = this.#events;
    const onFault = (error: unknown) => events.emit("fault", { error });
    const sampler = new Sampler(game.schema);
    const onChange = () => this.#keeper.touch();
    const onRejected = (action: ActionIdentity) => this.#pilot.reconciler.prediction.rejected(action);
    const desk = new ActionDesk<S>({
      schema: game.schema,
      sampler,
      viewTick: () => this.#downlink.replica.viewTick,
      rewindTo: (viewTick) => this.#downlink.replica.rewindTo(viewTick),
      onFault,
      onChange,
      onRejected,
    });
    const session = new Session(options, {
      carried: (commands) => desk.carried(commands),
      riders: () => {
        this.#keeper.save();
        return desk.confirmations();
      },
    });
    const { stopwatch } = options;
    const pilot = new Pilot({ game, events, sampler, session, desk, onChange, stopwatch });
    this.#keeper = new Keeper({
      store,
      take: () => ({ queue: session.save(pilot.reconciler.incarnation), actions: desk.save() }),
      onSaved: ({ actions }) => desk.saved(actions),
      onFailed: onFault,
    });
    this.#session = session;
    this.#desk = desk;
    this.#pilot = pilot;
    const change = new SessionChange({ session, pilot, desk, events, onChange });
    this.#change = change;
    const book = new EventBook(game.schema, onFault);
    this.#book = book;
    this.#downlink = new Downlink({ game, session, desk, pilot, change, events, book, onChange });
    if (saved) this.#restore(saved);
    const { prediction, display } = this.#pilot.reconciler;
    this.view = new ClientView(game.schema, prediction.plans, display);
    this.prediction = { enabled: options.prediction ?? true };
    this.input = {
      set: (controls) => sampler.set(controls),
      press: (name) => sampler.press(name),
    };
    this.actions = desk.calls;
    this.receipts = desk.receipts;
    this.effects = desk.effects;
    this.events = book as RoomEvents<S>;
  }

  get status(): Status {
    if (this.#hasEnded) return "closed";
    if (this.#session.live) return "joined";
    return this.seat === 0 ? "connecting" : "reconnecting";
  }
  get seat(): number {
    return this.#session.seat;
  }
  seats(): readonly SeatInfo[] {
    return this.#downlink.seats;
  }

  /** The link is open: says who we are. */
  opened(nowMs: number): void {
    const now = this.#at(nowMs);
    this.#session.hello(this.#pilot.reconciler.incarnation, now);
  }

  /** The link has closed. Tells its owner what to do about it. */
  closed(code: number, reason: string, nowMs: number): CloseAction {
    const now = this.#at(nowMs);
    this.#session.lost(now);
    if (this.#hasEnded) return "stop";
    const action = closeAction(code);
    if (action === "stop") {
      this.#end(code, reason);
      return action;
    }
    if (action === "rejoin") {
      this.#session.forget();
      this.#pilot.reconciler.newEpoch();
    }
    this.#events.emit("reconnecting", { code, reason });
    return action;
  }

  received(bytes: Uint8Array, nowMs: number): void {
    this.#downlink.received(bytes, this.#at(nowMs));
    this.#desk.tell();
  }

  /** Once per animation frame. */
  frame(nowMs: number): void {
    const now = this.#at(nowMs);
    const elapsedMs = now - (this.#lastFrameMs ?? now);
    this.#lastFrameMs = now;
    this.#pilot.run(elapsedMs);
    this.#desk.tell();
    this.idle(now);
    this.#downlink.askKeyframe(now, this.#pilot.wantsAnchor);
    this.#downlink.replica.advance(now, elapsedMs);
    this.#draw(elapsedMs);
    this.#book.tell(this.#downlink.replica.times.tick);
  }

  /** For a page that draws no frames, about once a second: shows the room that we are still there. */
  idle(nowMs: number): void {
    const now = this.#at(nowMs);
    const { live, uplink, windowTicks, id } = this.#session;
    if (!live) return;
    uplink.pump(windowTicks, id, this.#downlink.ackTick, now);
    for (const request of this.#desk.requests(now)) uplink.send(request);
    this.#change.settle(now);
  }

  /** Keeps what a reload needs, now: the page is about to go. */
  save(): void {
    this.#keeper.touch();
    this.#keeper.save();
  }

  /** Gives the seat up. */
  leave(): void {
    if (this.#hasEnded) return;
    this.#session.leave();
    this.#keeper.clear();
    this.#end(1000, "left");
  }

  stats(): Stats {
    const { queue, uplink } = this.#session;
    const { reconciler, clock, counters } = this.#pilot;
    const roomTick = clock.tickAt(this.#nowMs);
    return {
      ...counters.figures,
      tick: reconciler.prediction.tick,
      epoch: reconciler.epoch,
      consumed: queue.consumed,
      durable: queue.durable,
      incarnation: reconciler.incarnation,
      pendingInputs: queue.pending,
      openActions: this.#desk.openCount,
      rttMs: clock.rttMs,
      entities: this.#downlink.replica.newest?.count ?? 0,
      bytesOut: uplink.bytesOut,
      leadTicks: roomTick === undefined ? 0 : reconciler.prediction.tick - roomTick,
      interpolationDelayMs: this.#downlink.replica.delayMs,
      jitterMs: this.#downlink.replica.jitterMs,
      frames: this.#downlink.replica.frames,
      underruns: this.#downlink.replica.underruns,
      outOfCredit: reconciler.anchored && !queue.hasCredit,
    };
  }

  /** What was predicted after one of this session's commands; `predictedAfter` has it in a form to keep. */
  frameAfter(seq: number): PredictionFrame | undefined {
    return this.#pilot.reconciler.prediction.frameAfter(seq);
  }

  #restore(saved: SavedSession): void {
    const open = saved.actions.actions.filter(({ receipt }) => !receipt || !isFinal(receipt));
    this.#session.restore(saved.queue, open);
    this.#desk.restore(saved.actions);
    this.#pilot.reconciler.restore(saved.queue.incarnation);
    // What these commands showed was shown by the page before.
    this.#desk.begin(saved.queue.inputSession, saved.queue.nextSeq - 1);
  }

  #draw(elapsedMs: number): void {
    const { reconciler, fraction } = this.#pilot;
    const { lives, times, starved, newest } = this.#downlink.replica;
    const { anchored, prediction } = reconciler;
    const shown = anchored && this.prediction.enabled;
    this.view.update({
      seat: this.seat,
      predicted: shown ? { pair: prediction, fraction } : undefined,
      lives,
      times,
      starved,
      newest,
      elapsedMs,
    });
  }

  #end(code: number, reason: string): void {
    this.#hasEnded = true;
    this.#desk.end();
    this.#events.emit("closed", { code, reason });
  }

  /** The page's clock, made monotonic: a frame's timestamp lies a little before the packets it draws. */
  #at(nowMs: number): number {
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    return this.#nowMs;
  }
}
