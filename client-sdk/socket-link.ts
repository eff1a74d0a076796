import ReconnectingWebSocket, { CloseEvent as OwnCloseEvent } from "partysocket/ws";
import type { CloseAction } from "../protocol/index.ts";
import { Conditioner } from "./conditioner.ts";
import type { ConditionerOptions } from "./types.ts";

/** What the network is told to say when a connection fails without a word from the room. */
const ABNORMAL_CLOSE = 1006;

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

/**
 * A WebSocket that comes back, with room for artificial faults between it and the client. Nothing is queued here
 * for a socket that isn't open: after a reconnect the delivery queue decides what is sent again.
 */
export class SocketLink {
  readonly faults: ConditionerOptions;
  readonly #options: SocketLinkOptions;
  readonly #socket: ReconnectingWebSocket;
  readonly #inbound: Conditioner;
  readonly #outbound: Conditioner;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SocketLinkOptions) {
    const { random, conditioner } = options;
    this.#options = options;
    this.#inbound = new Conditioner({ ...conditioner, seed: random() * 2 ** 32 });
    this.#outbound = new Conditioner({ seed: random() * 2 ** 32 });
    this.#outbound.options = this.#inbound.options;
    this.faults = this.#inbound.options;
    this.#socket = new ReconnectingWebSocket(options.url, [], {
      WebSocket: options.webSocket,
      // Read anew before each attempt: clients of one restarted room must not come back in step. The longest delay
      // is bounded so that a player is back within 3 s of a room that was away for long.
      get minReconnectionDelay() {
        return 150 + 100 * random();
      },
      get maxReconnectionDelay() {
        return 1000 + 500 * random();
      },
      reconnectionDelayGrowFactor: 1.5,
      connectionTimeout: 3000,
      minUptime: 2000,
      maxEnqueuedMessages: 0,
      shouldReconnectOnClose: (event: { code: number; reason: string }) => this.#closed(event),
    });
    this.#socket.binaryType = "arraybuffer";
    this.#socket.onopen = () => options.opened(options.now());
    this.#socket.onmessage = ({ data }: MessageEvent) => {
      if (data instanceof ArrayBuffer) this.#inbound.push(new Uint8Array(data), options.now());
      this.pump();
    };
  }

  send(bytes: Uint8Array): void {
    this.#outbound.push(bytes, this.#options.now());
    this.pump();
  }

  /** Sends past the conditioner: for the last word of a page that is about to go. */
  sendNow(bytes: Uint8Array): void {
    if (this.#socket.readyState === ReconnectingWebSocket.OPEN)
      this.#socket.send(bytes as Uint8Array<ArrayBuffer>);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#socket.close(1000, "left");
  }

  /** Moves on what is due in both directions. */
  pump(): void {
    const { now, received } = this.#options;
    const nowMs = now();
    for (const bytes of this.#outbound.drain(nowMs)) this.sendNow(bytes);
    for (const bytes of this.#inbound.drain(nowMs)) received(bytes, nowMs);
    const nextMs = Math.min(this.#inbound.nextMs, this.#outbound.nextMs);
    clearTimeout(this.#timer);
    if (Number.isFinite(nextMs)) this.#timer = setTimeout(() => this.pump(), Math.max(0, nextMs - now()));
  }

  #closed(event: { code: number; reason: string }): boolean {
    this.#inbound.clear();
    this.#outbound.clear();
    // The library reports its own failures to connect as code 1000, which on the wire means that the player left.
    const code = event instanceof OwnCloseEvent ? ABNORMAL_CLOSE : event.code;
    return this.#options.closed(code, event.reason, this.#options.now()) !== "stop";
  }
}
