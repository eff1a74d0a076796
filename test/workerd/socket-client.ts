import { exports } from "cloudflare:workers";
import { type Arena, arena } from "../../demo/game.ts";
import type { Game, GameShape } from "../../sim/index.ts";
import { type Hello, TestClient } from "../unit/room/test-client.ts";

const ORIGIN = "https://tickroom.test";

/** The Worker under test, as deployed. */
const worker = (exports as unknown as { readonly default: Fetcher }).default;

export function request(path: string, init?: RequestInit): Promise<Response> {
  return worker.fetch(new Request(`${ORIGIN}${path}`, init));
}

/** A client on a real socket. Waits for what it wants to see, never for a time. */
export class SocketClient<S extends GameShape = Arena> {
  readonly client: TestClient<S>;
  readonly #room: string;
  #socket: WebSocket | undefined;
  #changed: (() => void)[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;

  constructor(room: string, secretByte: number, game = arena as unknown as Game<S>) {
    this.#room = room;
    this.client = new TestClient(game, secretByte);
  }

  async connect(headers: Record<string, string> = {}): Promise<void> {
    const init = { headers: { upgrade: "websocket", ...headers } };
    const response = await request(`/rooms/${this.#room}/socket`, init);
    const socket = response.webSocket;
    if (!socket) throw new Error(`no socket: ${response.status} ${await response.text()}`);
    socket.accept();
    socket.binaryType = "arraybuffer";
    this.closed = undefined;
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      if (this.#socket !== socket) return;
      this.client.receive(new Uint8Array(data as ArrayBuffer));
      this.#notify();
    });
    socket.addEventListener("close", ({ code, reason }) => {
      if (this.#socket !== socket) return;
      this.closed = { code, reason };
      this.#notify();
    });
  }

  async join(hello: Hello = {}): Promise<void> {
    await this.connect();
    this.send(this.client.hello(hello));
    await this.until(() => this.client.snapshots.length > 0);
  }

  async resume(): Promise<void> {
    const { welcomes, nextSeq, oldestSeq } = this.client;
    const before = welcomes.length;
    await this.connect();
    this.send(this.client.hello({ inputSession: this.client.welcome.inputSession, nextSeq, oldestSeq }));
    await this.until(() => welcomes.length > before);
  }

  send(data: Uint8Array | string): void {
    this.#socket?.send(data);
  }

  close(): void {
    this.#socket?.close(1000);
  }

  /** Resolves with the next event of the socket: the room has had a turn. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.#changed.push(resolve));
  }

  /** How the present connection ends, also when another has been opened meanwhile. */
  ending(): Promise<{ readonly code: number; readonly reason: string }> {
    return new Promise((resolve) => {
      this.#socket?.addEventListener("close", ({ code, reason }) => resolve({ code, reason }));
    });
  }

  /** Resolves as soon as `condition` holds after some event of the socket. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#changed.push(resolve));
  }

  #notify(): void {
    const waiting = this.#changed;
    this.#changed = [];
    for (const resolve of waiting) resolve();
  }
}
