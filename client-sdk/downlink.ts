import type { ServerFrame, SnapshotFrame, WelcomeFrame } from "../protocol/index.ts";
import { decodeServerFrame, WireError } from "../protocol/index.ts";
import type { Game, GameShape } from "../sim/index.ts";
import type { ActionDesk } from "./action-desk.ts";
import type { EventBook } from "./event-book.ts";
import type { Events } from "./events.ts";
import type { Pilot } from "./pilot.ts";
import { Replica } from "./replica.ts";
import { type Session, WINDOW_TICKS } from "./session.ts";
import type { SessionChange } from "./session-change.ts";
import type { SeatInfo } from "./types.ts";

export interface DownlinkParts<S extends GameShape> {
  readonly game: Game<S>;
  readonly session: Session<S>;
  readonly desk: ActionDesk<S>;
  readonly pilot: Pilot<S>;
  readonly change: SessionChange<S>;
  readonly events: Events;
  readonly book: EventBook;
  /** Something that a reload needs has changed. */
  readonly onChange: () => void;
}

/** What the room says: read, and given to those whom it concerns. */
export class Downlink<S extends GameShape> {
  readonly #parts: DownlinkParts<S>;
  replica: Replica;
  seats: readonly SeatInfo[] = [];
  #nowMs = 0;

  constructor(parts: DownlinkParts<S>) {
    this.#parts = parts;
    this.replica = this.#newReplica(WINDOW_TICKS);
  }

  /** Tick of the newest snapshot, to acknowledge it. */
  get ackTick(): number {
    return this.replica.newest?.tick ?? 0;
  }

  received(bytes: Uint8Array, nowMs: number): void {
    this.#nowMs = nowMs;
    this.#parts.pilot.counters.figures.bytesIn += bytes.length;
    try {
      this.#take(decodeServerFrame(bytes), nowMs);
    } catch (error) {
      this.#unreadable(error);
    }
  }

  /** Asks for a keyframe if one is needed. */
  askKeyframe(nowMs: number, lost = false): void {
    const { session } = this.#parts;
    if (!session.live) return;
    const requestId = this.replica.wantsKeyframe(nowMs, lost);
    if (requestId !== undefined) session.uplink.send({ type: "keyframe", requestId });
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
        this.seats = frame.seats;
        this.#parts.events.emit("seats", { seats: frame.seats });
        return;
      case "receipts":
        this.#parts.desk.receive(frame);
        return;
      case "baseline":
        this.#parts.desk.baseline(frame);
        return;
      case "session":
        this.#parts.change.receive(frame);
        return;
      case "events":
        this.#parts.book.receive(frame, this.#parts.session.seat);
        return;
      case "resend":
        if (frame.session !== this.#parts.session.id) return;
        this.#parts.session.uplink.resend(frame, this.ackTick, now);
        return;
      case "notice":
        this.#parts.events.emit("closing", frame);
        return;
      case "unknown":
        // A kind of frame from a newer room: what matters to us is in the ones that we know.
        return;
    }
  }

  #welcomed(welcome: WelcomeFrame, now: number): void {
    // A lossy link may deliver it twice; the second would take back what has been acknowledged since.
    if (this.#parts.session.live) return;
    const { incarnation, windowTicks, seat, inputSession, receiptHead, openSessions } = welcome;
    if (this.#parts.pilot.reconciler.isAnotherRoom(welcome)) {
      // As after its storage was wiped: nothing carries over.
      this.#parts.pilot.reconciler.forgetRoom();
      this.replica = this.#newReplica(windowTicks);
      this.#parts.session.forget();
      this.#parts.session.forgetEnded();
      this.#parts.desk.forgetRoom();
      this.#parts.book.forget();
    }
    this.#parts.book.begin(incarnation, this.ackTick);
    const gaveUp = this.#parts.session.queue.isGivenUp;
    const how = this.#parts.session.welcomed(welcome);
    this.#parts.change.welcomed(now);
    this.#parts.pilot.welcomed(welcome, how === "resumed" && !gaveUp);
    this.#parts.desk.begin(inputSession);
    const heads = new Map(openSessions.map(({ session, head }) => [session, head]));
    this.#parts.desk.reconnected(heads.set(inputSession, receiptHead));
    this.replica.reconnected();
    this.#parts.session.uplink.flush(this.#parts.session.id, this.ackTick, now);
    this.#parts.onChange();
    this.#parts.events.emit("joined", { seat, incarnation, resumed: how === "resumed" });
  }

  #snapshot(frame: SnapshotFrame, now: number): void {
    const { queue, id } = this.#parts.session;
    // A lossy link may have lost the word that our session has ended, but not what came after it.
    if (id !== 0 && frame.inputSession > id) this.#parts.change.change(frame.inputSession);
    if (frame.inputSession === this.#parts.session.id) queue.cover(frame.durable);
    this.#parts.pilot.clock.exchange(frame.tick, frame.echoMs, frame.heldMs, now);
    for (const { snapshot: readable, state, slipped } of this.replica.receive(frame, now)) {
      this.#parts.desk.raiseHead(readable.inputSession, readable.receiptHead);
      if (slipped > 0) this.#parts.pilot.clock.slip(slipped);
      // Of a session that is over: good for what others do, but never compared with the new queue [P3].
      if (readable.inputSession === this.#parts.session.id) this.#parts.pilot.take(readable, state, now);
    }
    this.#parts.desk.forgetBefore(queue.oldestSeq);
    this.askKeyframe(now);
  }

  /** What it held is lost, but a keyframe has everything: a frame that isn't understood must not end the page. */
  #unreadable(error: unknown): void {
    if (!(error instanceof WireError)) throw error;
    this.#parts.pilot.counters.figures.badFrames++;
    this.askKeyframe(this.#nowMs, true);
  }

  #newReplica(windowTicks: number): Replica {
    return new Replica(this.#parts.game.schema, windowTicks, (error) => this.#unreadable(error));
  }
}
