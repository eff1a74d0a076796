/** What the network is told to say when a connection fails without a word from the room. */
const ABNORMAL_CLOSE = 1006;
const CONNECT_TIMEOUT_MS = 3000;
/** A connection that lasted this long was good: the next one is tried soon. */
const GOOD_UPTIME_MS = 2000;
const DELAY_GROWTH = 1.5;

type SocketConstructor = new (url: string) => WebSocket;

export interface ReturningSocketOptions {
  /** Called before each attempt to connect. A rejection counts as a failed attempt. */
  readonly url: () => Promise<string>;
  /** For runtimes without a WebSocket of their own. */
  readonly webSocket: unknown;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly opened: () => void;
  readonly received: (data: unknown) => void;
  /** @returns whether to connect again */
  readonly closed: (code: number, reason: string) => boolean;
}

/**
 * A WebSocket that comes back. The first attempt is made at once; after a failure the next waits 150 to 250 ms, then
 * half as long again each time, up to 1 to 1.5 s: clients of one restarted room must not come back in step, and a
 * player is to be back within 3 s of a room that was away for long. Nothing is queued for a socket that isn't open.
 */
export class ReturningSocket {
  readonly #options: ReturningSocketOptions;
  /** The present connection; events of an older one are ignored. */
  #socket: WebSocket | undefined;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  constructor(options: ReturningSocketOptions) {
    this.#options = options;
    this.#timer = setTimeout(() => this.#connect());
  }

  /** Without an open connection the bytes are lost. */
  send(bytes: Uint8Array): void {
    if (this.#socket?.readyState === 1) this.#socket.send(bytes as Uint8Array<ArrayBuffer>);
  }

  /** Gives the connection up as a network would, and connects again. */
  lose(): void {
    if (this.#socket) this.#lost(ABNORMAL_CLOSE, "");
  }

  close(code: number, reason: string): void {
    this.#ended = true;
    this.#drop(code, reason);
  }

  async #connect(): Promise<void> {
    const { url, webSocket, opened, received } = this.#options;
    let socket: WebSocket;
    try {
      const address = await url();
      if (this.#ended) return;
      socket = new ((webSocket ?? WebSocket) as SocketConstructor)(address);
    } catch {
      this.#lost(ABNORMAL_CLOSE, "");
      return;
    }
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    const on = <E extends Event>(type: string, act: (event: E) => void) =>
      socket.addEventListener(type, (event) => {
        if (this.#socket === socket) act(event as E);
      });
    // A network that swallows packets says nothing for minutes.
    this.#timer = setTimeout(() => this.#lost(ABNORMAL_CLOSE, "timeout"), CONNECT_TIMEOUT_MS);
    on("open", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        this.#failures = 0;
      }, GOOD_UPTIME_MS);
      opened();
    });
    on("message", ({ data }: MessageEvent) => received(data));
    on("close", ({ code, reason }: CloseEvent) => this.#lost(code, reason));
  }

  #lost(code: number, reason: string): void {
    this.#drop();
    if (this.#ended || !this.#options.closed(code, reason) || this.#ended) return;
    const random = this.#options.random();
    const delayMs = Math.min((150 + 100 * random) * DELAY_GROWTH ** this.#failures++, 1000 + 500 * random);
    this.#timer = setTimeout(() => this.#connect(), delayMs);
  }

  #drop(code?: number, reason?: string): void {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close(code, reason);
  }
}
