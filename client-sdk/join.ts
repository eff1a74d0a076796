import type { Game, GameShape } from "../sim/index.ts";
import { JoinError } from "./join-error.ts";
import type { KeptSession } from "./kept-session.ts";
import { SocketRoomClient } from "./room-client.ts";
import type { ConditionerOptions, RoomClient } from "./types.ts";

export interface JoinOptions {
  /** Origin of the Worker. *Default*: the page's own. */
  readonly url?: string;
  /** `kind:name`, for example `arena:lobby`. */
  readonly room: string;
  /** Shown to others. */
  readonly name?: string;
  /** *Default* true. */
  readonly prediction?: boolean;
  /**
   * How long this page's seat, its commands on the way and its actions are kept. `tab` (*default*): until the page
   * goes, which gives the seat up. `reload`: the same tab goes on after a reload, as long as the room keeps the seat.
   */
  readonly keep?: "tab" | "reload";
  /** Faults to begin with; see `RoomClient.link`. */
  readonly conditioner?: Partial<ConditionerOptions>;
  /** For runtimes without one of their own. */
  readonly fetch?: typeof fetch;
  readonly webSocket?: unknown;
}

/**
 * Joins a room of a game and resolves once the room has given this page a seat. From then on the client
 * reconnects by itself, and keeps its seat while the room does.
 * @throws JoinError
 */
export async function join<S extends GameShape>(game: Game<S>, options: JoinOptions): Promise<RoomClient<S>> {
  const { name = "", prediction = true, conditioner = {}, webSocket } = options;
  const admission = () => admit(options);
  const socketUrl = await admission();
  const kept =
    options.keep === "reload" ? await findKept(game as unknown as Game<GameShape>, options) : undefined;
  const client = new SocketRoomClient<S>(
    { game, name, prediction, conditioner, admission, webSocket, kept },
    socketUrl,
  );
  return new Promise((resolve, reject) => {
    client.on("joined", () => resolve(client));
    client.on("closed", ({ code, reason }) => reject(new JoinError(reason, { failure: "closed", code })));
  });
}

/** What this tab has kept of the room; undefined where a browser can't keep anything. */
async function findKept(
  game: Game<GameShape>,
  { url = location.origin, room }: JoinOptions,
): Promise<KeptSession | undefined> {
  const { openKeptSession } = await import("./kept-session.ts");
  try {
    const build = `${game.version} ${game.schema.fingerprint}`;
    return await openKeptSession(`${new URL(url).origin} ${room}`, build);
  } catch {
    // Private windows and old browsers: the page plays all the same, and a reload begins anew.
    return undefined;
  }
}

/** Asks the Worker to be let in; gives the address of the room's socket. */
async function admit({
  url = location.origin,
  room,
  name = "",
  fetch: ask = fetch,
}: JoinOptions): Promise<string> {
  const path = `/rooms/${encodeURIComponent(room)}`;
  let response: Response;
  try {
    response = await ask(new URL(`${path}/join`, url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name }),
    });
  } catch (cause) {
    throw new JoinError(`no answer from ${url}`, { failure: "unreachable", cause });
  }
  const body = await response.json().catch(() => ({}));
  const { socket = `${path}/socket`, message } = body as { socket?: string; message?: string };
  if (!response.ok) {
    const { status } = response;
    throw new JoinError(message ?? `the server answered ${status}`, { failure: "refused", status });
  }
  const address = new URL(socket, url);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}
