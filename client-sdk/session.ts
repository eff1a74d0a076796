import { LIMITS, PROTOCOL_VERSION, type WelcomeFrame } from "../protocol/index.ts";
import type { CommandOf, Game, GameShape } from "../sim/index.ts";
import { isPackedCommand, unpackCalls, unpackCommand } from "../sim/index.ts";
import type { ActionIdentity } from "./action-types.ts";
import { DeliveryQueue, type QueuedCommand } from "./delivery-queue.ts";
import type { SavedQueue } from "./session-store.ts";
import { type Company, type Link, type Transport, Uplink } from "./uplink.ts";

/** Where an input session stands whose commands the room has all consumed. */
export interface ResumedSession {
  readonly inputSession: number;
  /** Number that the next command will get. */
  readonly nextSeq: number;
}

export interface SessionOptions<S extends GameShape> {
  readonly game: Game<S>;
  /** 32 random bytes: the same ones resume the same seat. */
  readonly secret: Uint8Array;
  readonly name: string;
  readonly link: Link;
  /** An input session that an earlier life of this client began, to go on in instead of opening one. */
  readonly resume?: ResumedSession;
  /** *Default* ordered. */
  readonly transport?: Transport;
  /**
   * Commands that may still be made after the link broke (*default* half a second's worth). They run in the room
   * after the return; with many of them, the player would wait as long again for control.
   */
  readonly offlineTicks?: number;
  /**
   * Away for longer than this (*default* 128 ticks), the commands of then are given up: what the room looked like
   * at their ticks isn't known here any more [P7].
   */
  readonly replayBoundTicks?: number;
}

/** *Default* until the room says otherwise. */
export const WINDOW_TICKS = 3;
/** *Default* replay bound. */
const REPLAY_BOUND_TICKS = 128;

/** Commands of an ended session that the room may not have executed. */
export interface Ended {
  readonly session: number;
  readonly nextSeq: number;
  /** The room has been asked about it since: no more of its receipts than the welcome told of can be first answers. */
  sealed: boolean;
}

/**
 * - `resumed`: our input session goes on.
 * - `barred`: it is ours, but our queue isn't what the room expects; the room will close it [S5].
 * - `opened`: another one took its place.
 */
export type Welcomed = "resumed" | "barred" | "opened";

/** - `open`; `closing`: takes no new commands; `opening`: its first snapshot will say where it begins. */
type Phase = "open" | "closing" | "opening";

/** This client's seat in the room and its input session: both outlive connections. */
export class Session<S extends GameShape> {
  readonly queue = new DeliveryQueue();
  readonly uplink: Uplink;
  readonly #options: SessionOptions<S>;
  readonly #offlineTicks: number;
  #offlineLeft: number;
  #phase: Phase = "open";
  #lostAtMs: number | undefined;
  #ended: Ended[] = [];
  /** Number of the input session, 0 = none. */
  id = 0;
  seat = 0;
  /** Welcomed on the present connection. */
  live = false;
  windowTicks = WINDOW_TICKS;

  constructor(options: SessionOptions<S>, company?: Company) {
    this.#options = options;
    this.#offlineTicks = options.offlineTicks ?? Math.round(options.game.tickRate / 2);
    this.#offlineLeft = this.#offlineTicks;
    this.uplink = new Uplink({
      schema: options.game.schema,
      link: options.link,
      queue: this.queue,
      transport: options.transport ?? "ordered",
      ...(company && { company }),
    });
    if (options.resume) {
      const consumed = options.resume.nextSeq - 1;
      this.id = options.resume.inputSession;
      // No credit before the room has spoken: it may have ended the session.
      this.queue.open(consumed, consumed, consumed);
    }
  }

  /** Goes on where an earlier life of the page stopped, if the room agrees [S3]. */
  restore({ inputSession, nextSeq, commands }: SavedQueue, open: Iterable<ActionIdentity>): void {
    const { schema } = this.#options.game;
    // The page may have gone before it heard how these ended.
    for (const { session, seq } of open) {
      if (session === inputSession) continue;
      const known = this.takeEnded(session)?.nextSeq ?? 0;
      this.#ended.push({ session, nextSeq: Math.max(known, seq + 1), sealed: false });
    }
    this.id = inputSession;
    this.queue.restore(nextSeq, commands, (bytes, seq) =>
      isPackedCommand(schema, bytes) ? this.#read(bytes, seq) : undefined,
    );
  }

  save(incarnation: number): SavedQueue {
    const { secret } = this.#options;
    const { nextSeq } = this.queue;
    return { secret, inputSession: this.id, nextSeq, incarnation, commands: this.queue.save() };
  }

  /** Says who we are on a new connection. */
  hello(lastIncarnation: number, nowMs: number): void {
    const { game, secret, replayBoundTicks = REPLAY_BOUND_TICKS } = this.#options;
    const awayMs = nowMs - (this.#lostAtMs ?? nowMs);
    if (awayMs > (replayBoundTicks * 1000) / game.tickRate) this.queue.giveUp();
    // A longer name would end the connection as an undecodable frame.
    const name = [...this.#options.name].slice(0, LIMITS.nameCodePoints).join("");
    this.uplink.send({
      type: "hello",
      protocol: PROTOCOL_VERSION,
      game: game.name,
      gameVersion: game.version,
      fingerprint: game.schema.fingerprint,
      secret,
      name,
      inputSession: this.id,
      nextSeq: this.queue.nextSeq,
      oldestSeq: this.queue.oldestSeq,
      incarnation: lastIncarnation,
    });
  }

  /** The connection is gone; how long we are away counts from the last one that worked. */
  lost(nowMs: number): void {
    if (this.live) this.#lostAtMs = nowMs;
    this.live = false;
  }

  /** Takes the room's answer. */
  welcomed(welcome: WelcomeFrame): Welcomed {
    const { inputSession, consumed, durable, credit } = welcome;
    this.seat = welcome.seat;
    this.windowTicks = welcome.windowTicks;
    this.live = true;
    this.#lostAtMs = undefined;
    this.#offlineLeft = this.#offlineTicks;
    if (inputSession !== this.id) this.#end();
    for (const ended of this.#ended) ended.sealed = true;
    const known = this.takeEnded(inputSession);
    if (known) {
      // We gave it up, but the room hasn't closed it yet: its numbers aren't free.
      this.id = inputSession;
      this.queue.open(known.nextSeq - 1, durable, 0);
      this.queue.giveUp();
      this.#phase = "closing";
      return "barred";
    }
    if (inputSession !== this.id) {
      this.id = inputSession;
      this.#phase = "open";
      this.queue.open(consumed, durable, credit);
      return "opened";
    }
    // The queue goes on only where it agrees with what was consumed; nothing is guessed or renumbered.
    const agrees = this.queue.covers(consumed);
    this.#phase = agrees ? "open" : "closing";
    if (agrees) this.queue.reconnect(consumed, durable, credit);
    else this.queue.giveUp();
    return agrees ? "resumed" : "barred";
  }

  /** The room takes no more commands in this session. */
  closing(): void {
    this.#phase = "closing";
    this.queue.halt();
  }

  /** Our session is over; another one begins, if there is one. Where, its first snapshot says. */
  change(opened: number): void {
    this.#end();
    this.id = opened;
    this.#phase = "opening";
    this.queue.open(0, 0, 0);
  }

  /** A snapshot of our session; true if it is the first one, which says where the session begins. */
  begin(consumed: number, durable: number, credit: number): boolean {
    if (this.#phase !== "opening") return false;
    this.#phase = "open";
    this.queue.open(consumed, durable, credit);
    return true;
  }

  /** Takes out what is known of a session that has ended. */
  takeEnded(session: number): Ended | undefined {
    const ended = this.#ended.find((known) => known.session === session);
    this.#ended = this.#ended.filter((known) => known !== ended);
    return ended;
  }
  /** Sessions of which the room hasn't said how far it got. */
  get ended(): readonly Ended[] {
    return this.#ended;
  }
  forgetEnded(): void {
    this.#ended = [];
  }

  /** Gives the input session up: the next connection opens another one. */
  forget(): void {
    this.#end();
    this.id = 0;
    this.#phase = "open";
    this.queue.open(0, 0, 0);
  }

  /** Why no command may be made now, if so. */
  get obstacle(): "session" | "credit" | "offline" | undefined {
    if (this.#phase !== "open" || this.queue.isExhausted) return "session";
    if (!this.queue.hasCredit) return "credit";
    return this.live || this.#offlineLeft > 0 ? undefined : "offline";
  }

  /** Numbers a command and puts it into the queue, before prediction or the link see it [I3]. */
  put(bytes: Uint8Array): QueuedCommand {
    if (!this.live) this.#offlineLeft--;
    this.uplink.ticked();
    const { command, calls } = this.#read(bytes, this.queue.nextSeq);
    return this.queue.put(bytes, command, calls);
  }

  leave(): void {
    if (this.live) this.uplink.send({ type: "leave" });
    this.live = false;
  }

  #end(): void {
    if (this.id !== 0) this.#ended.push({ session: this.id, nextSeq: this.queue.nextSeq, sealed: false });
  }

  #read(bytes: Uint8Array, seq: number): QueuedCommand {
    const { schema } = this.#options.game;
    const command: CommandOf<S> = unpackCommand<S>(schema, bytes);
    return { seq, bytes, command, calls: unpackCalls(schema, bytes, seq) };
  }
}
