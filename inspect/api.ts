import type { RoomReport, RoomView } from "../room/index.ts";

/** A request that the Worker refused, with what it said. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "Refused";
    this.status = status;
  }
}

/** The admin routes of one room. The token goes into a header of each request, and nowhere else. */
export class RoomAdminApi {
  readonly room: string;
  readonly #token: string;

  constructor(room: string, token: string) {
    this.room = room;
    this.#token = token;
  }

  /** @throws Refused, or TypeError when nobody answers */
  report(): Promise<RoomReport> {
    return this.#json("");
  }

  view(): Promise<RoomView> {
    return this.#json("/view");
  }

  kick(seat: number, reason: string): Promise<unknown> {
    return this.#json("/kick", { seat, reason });
  }

  close(inSeconds: number, reason: string): Promise<unknown> {
    return this.#json("/close", { inSeconds, reason });
  }

  open(): Promise<unknown> {
    return this.#json("/open", {});
  }

  /** State as JSON, or the records for a replay. */
  async file(path: "/state" | "/export"): Promise<Blob> {
    return (await this.#ask(path)).blob();
  }

  async #json<T>(path: string, body?: unknown): Promise<T> {
    return (await this.#ask(path, body)).json() as Promise<T>;
  }

  async #ask(path: string, body?: unknown): Promise<Response> {
    const response = await fetch(`/admin/rooms/${encodeURIComponent(this.room)}${path}`, {
      headers: { authorization: `Bearer ${this.#token}` },
      cache: "no-store",
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    const { message = `status ${response.status}` } = await response.json().catch(() => ({}));
    throw new Refused(response.status, String(message));
  }
}
