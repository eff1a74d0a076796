import { type CloseAction, LIMITS } from "../protocol/index.ts";
import type { FaultyLink } from "./faulty-link.ts";
import { hasFaults, NO_FAULTS } from "./no-faults.ts";
import { ReturningSocket } from "./returning-socket.ts";
import type { ConditionerOptions } from "./types.ts";

export interface SocketLinkOptions {
  /** Called before each attempt to connect. A rejection counts as a failed attempt. */
  readonly url: () => Promise<string>;
  readonly webSocket: unknown;
  readonly conditioner: Partial<ConditionerOptions>;
  readonly now: () => number;
  readonly random: () => number;
  readonly opened: (nowMs: number) => void;
  readonly received: (bytes: Uint8Array, nowMs: number) => void;
  /** Says what to do about it. */
  readonly closed: (code: number, reason: string, nowMs: number) => CloseAction;
}

type Message = readonly [direction: "in" | "out", bytes: Uint8Array, atMs: number];

/**
 * A WebSocket that comes back, with room for artificial faults between it and the client: their code is loaded when
 * the first fault is set. Nothing is queued here for a socket that isn't open: after a reconnect the delivery queue
 * decides what is sent again.
 */
export class SocketLink {
  readonly faults: ConditionerOptions;
  readonly #options: SocketLinkOptions;
  readonly #socket: ReturningSocket;
  #faulty: FaultyLink | undefined;
  /** What came while the faults' code was on its way; undefined before that. */
  #held: Message[] | undefined;
  /** When the room was last heard of; infinity while there is no connection. */
  #heardMs = Number.POSITIVE_INFINITY;
  #quietLooks = 0;

  constructor(options: SocketLinkOptions) {
    this.#options = options;
    this.faults = { ...NO_FAULTS, ...options.conditioner };
    this.#socket = new ReturningSocket({
      ...options,
      opened: () => {
        this.#heard();
        options.opened(options.now());
      },
      received: (data) => {
        this.#heard();
        if (data instanceof ArrayBuffer) this.#pass("in", new Uint8Array(data));
      },
      closed: (code, reason) => {
        this.#heardMs = Number.POSITIVE_INFINITY;
        this.#faulty?.clear();
        if (this.#held) this.#held = [];
        return options.closed(code, reason, options.now()) !== "stop";
      },
    });
  }

  send(bytes: Uint8Array): void {
    this.#pass("out", bytes);
  }

  /** Sends past the faults: for the last word of a page that is about to go. */
  sendNow(bytes: Uint8Array): void {
    this.#socket.send(bytes);
  }

  disconnect(): void {
    this.#socket.lose();
  }

  close(): void {
    this.#faulty?.close();
    this.#socket.close(1000, "left");
  }

  /**
   * Gives up a connection over which nothing comes any more: a dead network doesn't say so. Call about once a second.
   * The second look in a row decides: after a page was frozen, the first comes before what has arrived meanwhile.
   */
  watch(): void {
    if (this.#quietLooks++ > 0 && this.#options.now() - this.#heardMs >= LIMITS.silenceMs) this.disconnect();
  }

  /** Moves on what is due in both directions. */
  pump(): void {
    this.#faulty?.pump();
  }

  #heard(): void {
    this.#heardMs = this.#options.now();
    this.#quietLooks = 0;
  }

  #pass(...message: [direction: "in" | "out", bytes: Uint8Array]): void {
    const nowMs = this.#options.now();
    if (this.#faulty) this.#faulty.push(...message, nowMs);
    else if (this.#held) this.#held.push([...message, nowMs]);
    else if (hasFaults(this.faults)) {
      this.#held = [[...message, nowMs]];
      void this.#load();
    } else this.#deliver(...message, nowMs);
  }

  #deliver(direction: "in" | "out", bytes: Uint8Array, nowMs: number): void {
    if (direction === "out") this.sendNow(bytes);
    else this.#options.received(bytes, nowMs);
  }

  async #load(): Promise<void> {
    try {
      const { FaultyLink } = await import("./faulty-link.ts");
      const { now, random } = this.#options;
      this.#faulty = new FaultyLink(this.faults, { now, random, deliver: (...it) => this.#deliver(...it) });
    } catch {
      // The server has another version of the page by now. Without faults it plays on.
      Object.assign(this.faults, NO_FAULTS);
    }
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const message of held) {
      if (this.#faulty) this.#faulty.push(...message);
      else this.#deliver(...message);
    }
  }
}
