import {
  CLOSE,
  type ClientFrame,
  type CloseName,
  closeReason,
  type HelloFrame,
  type InputFrame,
  LIMITS,
} from "../../protocol/index.ts";
import type { GameShape } from "../../sim/index.ts";
import type { Connection } from "./connection.ts";
import { acknowledge } from "./flow.ts";
import { type HelloParts, judgeHello, judgeQueue } from "./hello.ts";
import { type Link, newLink, seatOf } from "./link.ts";
import type { RoomLogEntry } from "./options.ts";
import { Refusal, readFrame } from "./refusal.ts";
import type { RoomState } from "./room-state.ts";
import { linkOf, type SeatRecord } from "./seat-record.ts";

export type DoorkeeperOptions<S extends GameShape> = Pick<
  HelloParts<S>,
  "roomName" | "hooks" | "hashSecret"
> & {
  readonly log: (entry: RoomLogEntry) => void;
};

/**
 * Everything between a socket's bytes and a seat: who a connection is, what it may send, and how it ends.
 * Bad input ends its own connection with a documented code and touches nobody else [X2].
 */
export class Doorkeeper<S extends GameShape> {
  readonly #state: RoomState<S>;
  readonly #options: DoorkeeperOptions<S>;
  readonly #links = new Map<string, Link<S>>();
  #rosterChanged = false;

  constructor(state: RoomState<S>, options: DoorkeeperOptions<S>) {
    this.#state = state;
    this.#options = options;
  }

  get size(): number {
    return this.#links.size;
  }

  links(): Iterable<Link<S>> {
    return this.#links.values();
  }

  /** Whether somebody came, dropped or came back since the last call. */
  takeRosterChange(): boolean {
    const changed = this.#rosterChanged;
    this.#rosterChanged = false;
    return changed;
  }

  connect(connection: Connection, nowMs: number): void {
    if (this.#countFrom(connection.address) >= LIMITS.connectionsPerAddress) {
      this.turnAway(connection, "too-many-connections", "");
    } else this.#links.set(connection.id, newLink(connection, nowMs));
  }

  /** Ends a connection that was never let in. */
  turnAway(connection: Connection, name: CloseName, detail: string): void {
    connection.close(CLOSE[name].code, closeReason(name, detail));
  }

  receive(linkId: string, data: ArrayBuffer | string, nowMs: number): void {
    // A frame of a closed connection, or of one that another took the seat over from, finds nobody.
    const link = this.#links.get(linkId);
    if (!link) return;
    try {
      link.heardMs = nowMs;
      link.allowance.frame(typeof data === "string" ? data.length : data.byteLength, nowMs);
      this.#dispatch(link, readFrame(data, this.#state.game.schema), nowMs);
    } catch (error) {
      this.#refuse(linkId, error);
    }
  }

  /** The connection is gone, from whichever side. */
  disconnect(linkId: string): void {
    const link = this.#links.get(linkId);
    if (!link) return;
    this.#links.delete(linkId);
    const seat = seatOf(link);
    if (!seat || linkOf(seat.state) !== linkId) return;
    this.#rosterChanged = true;
    // One whose join no window has seen yet leaves no trace.
    if (seat.state.at === "joining") this.#state.seats.remove(seat.id);
    else seat.state = { at: "dropped", sinceTick: this.#state.world.tick };
  }

  close(linkId: string, name: CloseName, detail = ""): void {
    const link = this.#links.get(linkId);
    this.disconnect(linkId);
    if (link) this.#hangUp(link, name, detail);
  }

  closeAll(name: CloseName, detail: string): void {
    for (const linkId of [...this.#links.keys()]) this.close(linkId, name, detail);
  }

  /** Lets through what piled up while the room stood still. Whoever spoke meanwhile wasn't heard yet, either. */
  forgive(stalledMs: number): void {
    for (const link of this.#links.values()) {
      link.allowance.forgive(stalledMs);
      link.heardMs += stalledMs;
    }
  }

  /**
   * Ends connections that don't say who they are, and those whose other end is gone without a word: a network that
   * swallows everything reports nothing for minutes, while the player stands in the game and its seat waits. Call with
   * every window.
   */
  expire(nowMs: number): void {
    for (const { id, state, heardMs } of [...this.#links.values()]) {
      if (state.at === "greeting") {
        if (state.deadlineMs <= nowMs) this.close(id, "hello-timeout");
      } else if (nowMs - heardMs >= LIMITS.silenceMs) this.close(id, "silent");
    }
  }

  /** When the next silent connection has to be closed. */
  nextDeadlineMs(): number | undefined {
    let next: number | undefined;
    for (const { state } of this.#links.values()) {
      if (state.at === "greeting") next = Math.min(next ?? state.deadlineMs, state.deadlineMs);
    }
    return next;
  }

  #countFrom(address: string | undefined): number {
    if (address === undefined) return 0;
    let count = 0;
    for (const { connection } of this.#links.values()) if (connection.address === address) count++;
    return count;
  }

  #dispatch(link: Link<S>, frame: ClientFrame, nowMs: number): void {
    const seat = seatOf(link);
    if (frame.type === "hello") {
      if (seat) throw new Refusal("hello-required");
      this.#hello(link, frame);
      return;
    }
    if (!seat) throw new Refusal("hello-required");
    switch (frame.type) {
      case "input":
        this.#input(link, seat, frame, nowMs);
        break;
      case "keyframe":
        link.keyframeRequest = frame.requestId;
        break;
      case "leave":
        this.#leave(link, seat);
        break;
      case "cursor":
      case "fetch":
      case "baseline":
        link.receiptAsks.take(frame, seat.id, this.#state.actions.receipts);
        break;
      default:
        frame satisfies never;
    }
  }

  #hello(link: Link<S>, hello: HelloFrame): void {
    const { seats, game } = this.#state;
    link.helloSession = hello.inputSession;
    const judged = judgeHello(hello, { ...this.#options, seats, game });
    if (judged.seat) {
      this.#resume(link, judged.seat, hello);
    } else {
      const { name, secretHash } = judged;
      const state = { at: "joining", linkId: link.id } as const;
      const seat = seats.add({ name, kind: "player", secretHash, state }, this.#state.world.tick);
      link.state = { at: "entering", seat };
    }
    this.#rosterChanged = true;
  }

  #resume(link: Link<S>, seat: SeatRecord<S>, hello: HelloFrame): void {
    const before = linkOf(seat.state);
    const at = seat.state.at === "joining" ? "joining" : "live";
    // The seat gets its new link first, so that closing the old one doesn't drop it.
    seat.state = { at, linkId: link.id };
    if (before !== undefined) {
      this.close(before, "seat-taken-over");
      seat.input.discardWaiting();
    }
    const verdict = judgeQueue(seat, hello);
    if (verdict !== "agrees") seat.input.close(verdict, this.#state.world.tick);
    link.state = { at: "entering", seat };
  }

  #input(link: Link<S>, seat: SeatRecord<S>, frame: InputFrame, nowMs: number): void {
    link.allowance.commands(frame.commands.length, nowMs);
    link.echo = { sentAtMs: frame.sentAtMs, receivedAtMs: nowMs };
    acknowledge(link, frame.ackTick);
    // The session is the seat's own, whatever the frame says; one for an earlier session is just late [I8].
    if (frame.inputSession !== seat.input.id) return;
    if (frame.commands.length > 0) this.#state.actions.requireConfirmed(seat.id);
    for (const { seq, bytes } of frame.commands) {
      const { result } = seat.input.offer(seq, bytes);
      switch (result) {
        case "buffered":
        case "repeated":
        case "already-consumed":
        // Void, as the client will learn when the session is closed.
        case "closing":
          break;
        case "beyond-credit":
          throw new Refusal("credit-exceeded", { detail: `command ${seq}, credit ${seat.input.credit}` });
        case "conflict":
          seat.input.close("digest-mismatch", this.#state.world.tick);
          throw new Refusal("digest-mismatch", { detail: `command ${seq}` });
        default:
          result satisfies never;
      }
    }
  }

  #leave(link: Link<S>, seat: SeatRecord<S>): void {
    this.close(link.id, "left");
    // A seat that no window has seen is gone already.
    if (seat.state.at === "dropped") seat.state = { at: "leaving" };
  }

  #refuse(linkId: string, error: unknown): void {
    // Anything else is our own mistake, not the sender's; still, only this connection may suffer from it.
    const { close, detail, cause } =
      error instanceof Refusal ? error : new Refusal("bad-frame", { cause: error });
    const link = this.#links.get(linkId);
    const seat = link && seatOf(link)?.id;
    const log: RoomLogEntry = { level: "info", event: "refused", seat, reason: close, detail };
    this.#options.log(cause === undefined ? log : { ...log, cause: String(cause) });
    this.close(linkId, close, detail);
  }

  #hangUp(link: Link<S>, name: CloseName, detail: string): void {
    try {
      link.connection.close(CLOSE[name].code, closeReason(name, detail));
    } catch (error) {
      this.#options.log({ level: "warn", event: "close-failed", reason: String(error) });
    }
  }
}
