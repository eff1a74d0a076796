/// <reference lib="dom" />
import { arena } from "../../../demo/game.ts";
import {
  type ClientFrame,
  decodeServerFrame,
  encodeClientFrame,
  PROTOCOL_VERSION,
  type ServerFrame,
} from "../../../protocol/index.ts";

export type Hello = Extract<ClientFrame, { type: "hello" }>;

/** The hello of an honest client, to be spoilt by a test. */
export function hello(spoilt: Partial<Hello> = {}): Hello {
  return {
    type: "hello",
    protocol: PROTOCOL_VERSION,
    game: arena.name,
    gameVersion: arena.version,
    fingerprint: arena.schema.fingerprint,
    secret: crypto.getRandomValues(new Uint8Array(32)),
    name: "raw",
    inputSession: 0,
    nextSeq: 1,
    oldestSeq: 1,
    incarnation: 0,
    ...spoilt,
  };
}

/** A bare WebSocket to a room, for saying what no client of ours would. */
export class RawClient {
  readonly #socket: WebSocket;
  readonly frames: ServerFrame[] = [];
  readonly opened: Promise<void>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;

  constructor(url: string, room: string) {
    this.#socket = new WebSocket(`${url.replace("http", "ws")}/rooms/${room}/socket`);
    this.#socket.binaryType = "arraybuffer";
    this.#socket.addEventListener("message", ({ data }) => {
      this.frames.push(decodeServerFrame(new Uint8Array(data as ArrayBuffer)));
    });
    this.opened = new Promise((done, fail) => {
      this.#socket.addEventListener("open", () => done());
      this.#socket.addEventListener("error", () => fail(new Error("the socket did not open")));
    });
    this.closed = new Promise((done) => {
      this.#socket.addEventListener("close", ({ code, reason }) => done({ code, reason }));
    });
  }

  say(frame: ClientFrame): void {
    this.#socket.send(encodeClientFrame(frame, arena.schema) as Uint8Array<ArrayBuffer>);
  }

  sendRaw(data: string | Uint8Array<ArrayBuffer>): void {
    this.#socket.send(data);
  }

  close(): void {
    this.#socket.close();
  }
}
