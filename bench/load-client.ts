import { ClientCore } from "../client-sdk/index.ts";
import { type Arena, arena } from "../demo/game.ts";
import { Walk } from "./walk.ts";

/** A player without a page: the client that a browser runs, on a socket of its own. */
export class LoadClient {
  readonly #core: ClientCore<Arena>;
  readonly #socket: WebSocket;
  readonly #walk: Walk;
  /** Why it isn't in the room any more. */
  lost: string | undefined;

  constructor(socketUrl: string, name: string, seed: number) {
    this.#walk = new Walk(seed);
    this.#socket = new WebSocket(socketUrl);
    this.#socket.binaryType = "arraybuffer";
    this.#core = new ClientCore<Arena>({
      game: arena,
      name,
      secret: crypto.getRandomValues(new Uint8Array(32)),
      link: { send: (bytes) => this.#send(bytes) },
    });
    this.#socket.onopen = () => this.#core.opened(performance.now());
    this.#socket.onmessage = ({ data }) => {
      this.#core.received(new Uint8Array(data as ArrayBuffer), performance.now());
    };
    this.#socket.onclose = ({ code, reason }) => {
      this.lost ??= `closed with ${code} ${reason}`;
    };
  }

  /** In the room, and making commands. */
  get playing(): boolean {
    return this.#core.status === "joined" && this.#core.stats().tick > 0;
  }

  get bytesIn(): number {
    return this.#core.stats().bytesIn;
  }

  frame(nowMs: number): void {
    const controls = this.#walk.next(nowMs);
    if (controls) this.#core.input.set(controls);
    this.#core.frame(nowMs);
  }

  leave(): void {
    this.lost ??= "left";
    this.#core.leave();
    this.#socket.close(1000);
  }

  #send(bytes: Uint8Array): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(bytes as Uint8Array<ArrayBuffer>);
  }
}
