import { LIMITS, PROTOCOL_VERSION, type WelcomeFrame } from "../protocol/index.ts";
import type { CommandOf, Game, GameShape } from "../sim/index.ts";
import { unpackCommand } from "../sim/index.ts";
import { DeliveryQueue, type QueuedCommand } from "./delivery-queue.ts";
import { type Link, type Transport, Uplink } from "./uplink.ts";

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
}

/** *Default* until the room says otherwise. */
export const WINDOW_TICKS = 3;

/** This client's seat in the room and its input session: both outlive connections. */
export class Session<S extends GameShape> {
  readonly queue = new DeliveryQueue();
  readonly uplink: Uplink;
  readonly #options: SessionOptions<S>;
  readonly #offlineTicks: number;
  #offlineLeft: number;
  /** Number of the input session, 0 = none. */
  id = 0;
  seat = 0;
  /** Welcomed on the present connection. */
  live = false;
  windowTicks = WINDOW_TICKS;

  constructor(options: SessionOptions<S>) {
    this.#options = options;
    this.#offlineTicks = options.offlineTicks ?? Math.round(options.game.tickRate / 2);
    this.#offlineLeft = this.#offlineTicks;
    this.uplink = new Uplink({
      schema: options.game.schema,
      link: options.link,
      queue: this.queue,
      transport: options.transport ?? "ordered",
    });
    if (options.resume) {
      const consumed = options.resume.nextSeq - 1;
      this.id = options.resume.inputSession;
      // No credit before the room has spoken: it may have ended the session.
      this.queue.open(consumed, consumed, consumed);
    }
  }

  /** Says who we are on a new connection. */
  hello(lastIncarnation: number): void {
    const { game, secret } = this.#options;
    // A longer name would end the connection as an undecodable frame.
    const name = [...this.#options.name].slice(0, LIMITS.nameCodePoints.value).join("");
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

  /** Takes the room's answer; true if our input session goes on. */
  welcomed(welcome: WelcomeFrame): boolean {
    const { inputSession, consumed, durable, credit } = welcome;
    // The queue goes on only where it agrees with what was consumed; nothing is guessed or renumbered.
    const resumed = inputSession === this.id && this.queue.covers(consumed);
    if (resumed) this.queue.reconnect(consumed, durable, credit);
    else this.queue.open(consumed, durable, credit);
    this.id = inputSession;
    this.seat = welcome.seat;
    this.windowTicks = welcome.windowTicks;
    this.live = true;
    this.#offlineLeft = this.#offlineTicks;
    return resumed;
  }

  /** Gives the input session up: the next connection opens another one. */
  forget(): void {
    this.id = 0;
    this.queue.open(0, 0, 0);
  }

  /** Why no command may be made now, if so. */
  get obstacle(): "credit" | "offline" | undefined {
    if (!this.queue.hasCredit) return "credit";
    return this.live || this.#offlineLeft > 0 ? undefined : "offline";
  }

  /** Numbers a command and puts it into the queue, before prediction or the link see it [I3]. */
  put(bytes: Uint8Array): QueuedCommand {
    if (!this.live) this.#offlineLeft--;
    const command: CommandOf<S> = unpackCommand<S>(this.#options.game.schema, bytes);
    this.uplink.ticked();
    return this.queue.put(bytes, command);
  }

  leave(): void {
    if (this.live) this.uplink.send({ type: "leave" });
    this.live = false;
  }
}
