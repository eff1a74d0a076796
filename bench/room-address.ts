import type { RoomStats } from "../room/index.ts";

/** A room of a server on this machine, by its HTTP routes. */
export class RoomAddress {
  readonly #base: URL;
  readonly room: string;

  constructor(url: string, room: string) {
    this.#base = new URL(url);
    this.room = room;
  }

  async create(options: object): Promise<void> {
    await this.#ask("", { method: "POST", body: JSON.stringify(options) });
  }

  /** Asks to be let in; gives the address of the room's socket. */
  async join(name: string): Promise<string> {
    const { socket } = await this.#ask<{ socket: string }>("/join", {
      method: "POST",
      body: JSON.stringify({ name }),
    });
    const address = new URL(socket, this.#base);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    return address.href;
  }

  stats(): Promise<RoomStats> {
    return this.#ask<RoomStats>("/stats");
  }

  async #ask<T>(path: string, init: RequestInit = {}): Promise<T> {
    const url = new URL(`/rooms/${encodeURIComponent(this.room)}${path}`, this.#base);
    let response: Response;
    try {
      response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
    } catch (cause) {
      throw new Error(`no answer from ${this.#base.origin}: start the room with \`npm start\` first`, {
        cause,
      });
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`${init.method ?? "GET"} ${url.pathname}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }
}
