import { describe, expect, it } from "vitest";
import { parseAddress } from "../../../worker/address.ts";
import { createWorker, type RoomNamespace } from "../../../worker/index.ts";
import { isOwnOrigin } from "../../../worker/origin.ts";
import { PROBLEMS } from "../../../worker/problems.ts";

interface Env {
  readonly TICKROOM_DEV_JOIN?: string;
  readonly TICKROOM_ADMIN_TOKEN?: string;
}

/** A Worker whose rooms write down what they are asked. */
function setUp({ allowOrigin }: { allowOrigin?: (origin: string) => boolean } = {}) {
  const asked: string[] = [];
  const namespace: RoomNamespace = {
    idFromName: (name) => ({ name }) as never,
    get: (id) => ({
      async fetch(request) {
        const body = await request.text();
        asked.push(
          `${(id as { name?: string }).name} ${request.method} ${new URL(request.url).pathname} ${body}`.trim(),
        );
        return Response.json({ answered: true });
      },
    }),
  };
  const worker = createWorker<Env>({
    // The second one as if its binding were spelt differently in wrangler.toml.
    rooms: { arena: () => namespace, unbound: () => undefined as unknown as RoomNamespace },
    ...(allowOrigin && { allowOrigin }),
  });
  const send = (path: string, init?: RequestInit, env: Env = { TICKROOM_DEV_JOIN: "on" }) =>
    worker.fetch(new Request(`https://game.example${path}`, init), env);
  return { asked, send, worker };
}

async function errorOf(response: Response): Promise<string> {
  const { error, message } = (await response.json()) as { error: keyof typeof PROBLEMS; message: string };
  expect(response.status).toBe(PROBLEMS[error].status);
  expect(message).toBe(PROBLEMS[error].message);
  return error;
}

describe("the Worker's routes", () => {
  it("[X3] says that it is up without asking anybody", async () => {
    const { asked, send } = setUp();
    expect(await (await send("/health", {}, {})).json()).toEqual({ status: "ok" });
    expect(asked).toEqual([]);
  });

  it("[S1] passes each request on to the room of that name", async () => {
    const { asked, send } = setUp();
    await send("/rooms/arena:lobby", { method: "POST", body: '{"bots":3}' });
    await send("/rooms/arena:lobby/stats");
    await send("/rooms/arena:blue-2/socket", { headers: { upgrade: "WebSocket" } });
    expect(asked).toEqual([
      'arena:lobby POST /create {"bots":3}',
      "arena:lobby GET /stats",
      "arena:blue-2 GET /socket",
    ]);
  });

  it("[S1] says where a room's socket is", async () => {
    const response = await setUp().send("/rooms/arena:lobby/join", { method: "POST" });
    expect(await response.json()).toEqual({ room: "arena:lobby", socket: "/rooms/arena:lobby/socket" });
  });

  it.each([undefined, "", "off", "ON", "true", "1"])(
    "[S1] lets nobody in while the development mode is %o, before the room hears of it",
    async (value) => {
      const { asked, send } = setUp();
      const env = value === undefined ? {} : { TICKROOM_DEV_JOIN: value };
      const socket = { headers: { upgrade: "websocket" } };
      expect(await errorOf(await send("/rooms/arena:lobby/socket", socket, env))).toBe("join-not-permitted");
      expect(await errorOf(await send("/rooms/arena:lobby", { method: "POST" }, env))).toBe(
        "join-not-permitted",
      );
      expect(await errorOf(await send("/rooms/arena:lobby/stats", {}, env))).toBe("join-not-permitted");
      expect(asked).toEqual([]);
    },
  );

  it("[X1] refuses what is no room, each with its own status", async () => {
    const { send } = setUp();
    expect(await errorOf(await send("/rooms/chess:lobby/stats"))).toBe("unknown-room");
    expect(await errorOf(await send("/rooms/toString:lobby/stats"))).toBe("bad-room-name");
    expect(await errorOf(await send("/rooms/constructor:lobby/stats"))).toBe("unknown-room");
    expect(await errorOf(await send("/rooms/lobby/stats"))).toBe("bad-room-name");
    expect(await errorOf(await send("/rooms/arena:lobby/socket"))).toBe("upgrade-required");
    expect(await errorOf(await send("/rooms/arena:lobby/nothing"))).toBe("not-found");
    expect(await errorOf(await send("/"))).toBe("not-found");
  });

  it("[X1] says when a kind of room has no binding, already to who wants to join", async () => {
    const { send } = setUp();
    expect(await errorOf(await send("/rooms/unbound:lobby/join", { method: "POST" }))).toBe(
      "binding-missing",
    );
    expect(await errorOf(await send("/rooms/unbound:lobby/stats"))).toBe("binding-missing");
  });

  it("[X3] refuses pages of other origins unless the app allows them", async () => {
    const from = (origin: string) => ({ headers: { origin } });
    const strict = setUp();
    expect((await strict.send("/rooms/arena:a/stats", from("https://game.example"))).status).toBe(200);
    expect(await errorOf(await strict.send("/rooms/arena:a/stats", from("https://evil.example")))).toBe(
      "origin-not-allowed",
    );
    const open = setUp({ allowOrigin: (origin) => origin === "https://partner.example" });
    expect((await open.send("/rooms/arena:a/stats", from("https://partner.example"))).status).toBe(200);
    expect((await open.send("/rooms/arena:a/stats", from("https://evil.example"))).status).toBe(403);
  });

  it("[X2] answers for a room that throws, and tells nothing of its error", async () => {
    const namespace: RoomNamespace = {
      idFromName: () => ({}) as never,
      get: () => ({ fetch: () => Promise.reject(new Error("secret detail")) }),
    };
    const worker = createWorker<Env>({ rooms: { arena: () => namespace } });
    const response = await worker.fetch(new Request("https://game.example/rooms/arena:a/stats"), {
      TICKROOM_DEV_JOIN: "on",
    });
    expect(await errorOf(response)).toBe("room-unavailable");
  });
});

describe("a room's address", () => {
  it("[X1] is kind:name in lower-case letters, digits and dashes", () => {
    expect(parseAddress("arena:lobby-1")).toEqual({ kind: "arena", room: "arena:lobby-1" });
    expect(parseAddress(`a:${"x".repeat(63)}`)).toBeDefined();
    for (const bad of [
      "arena",
      "arena:",
      ":lobby",
      "arena:-x",
      "Arena:x",
      "arena:x y",
      "a:b:c",
      `a:${"x".repeat(64)}`,
    ]) {
      expect(parseAddress(bad)).toBeUndefined();
    }
  });
});

describe("an origin", () => {
  it("[X3] is our own when the page came from the same host, or both are on this machine", () => {
    const url = "http://localhost:8787/rooms/arena:a/socket";
    expect(isOwnOrigin(undefined, url)).toBe(true);
    expect(isOwnOrigin("http://localhost:8787", url)).toBe(true);
    expect(isOwnOrigin("http://127.0.0.1:5173", url)).toBe(true);
    expect(isOwnOrigin("https://evil.example", url)).toBe(false);
    expect(isOwnOrigin("null", url)).toBe(false);
    expect(isOwnOrigin("http://localhost:5173", "https://game.example/rooms/arena:a/socket")).toBe(false);
  });
});

describe("the admin routes", () => {
  const TOKEN = "0123456789abcdef-secret";
  const path = "/admin/rooms/arena:lobby/export";

  it("[X4] give a room's records to whoever has the token, also where nobody may join", async () => {
    const { asked, send } = setUp();
    for (const scheme of ["Bearer", "bearer"]) {
      const headers = { authorization: `${scheme} ${TOKEN}` };
      expect((await send(path, { headers }, { TICKROOM_ADMIN_TOKEN: TOKEN })).status).toBe(200);
    }
    expect(asked).toEqual(["arena:lobby GET /export", "arena:lobby GET /export"]);
  });

  it.each([
    ["no credential", undefined, TOKEN],
    ["another token", `Bearer ${TOKEN}x`, TOKEN],
    ["the token's beginning", `Bearer ${TOKEN.slice(0, -1)}`, TOKEN],
    ["another scheme", `Basic ${TOKEN}`, TOKEN],
    ["an empty one where none is set", "Bearer ", ""],
    ["one where none is set", "Bearer undefined", undefined],
    ["a token that is too short to be one", "Bearer short", "short"],
  ])(
    "[X4] answer 404 to %s, as an address where nothing is, and ask no room",
    async (_, authorization, token) => {
      const { asked, send } = setUp();
      const env: Env = {
        TICKROOM_DEV_JOIN: "on",
        ...(token !== undefined && { TICKROOM_ADMIN_TOKEN: token }),
      };
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const refused = await send(path, { headers }, env);
      const nowhere = await send("/nowhere", {}, env);
      expect(refused.status).toBe(404);
      expect(await refused.text()).toBe(await nowhere.text());
      expect([...refused.headers]).toEqual([...nowhere.headers]);
      expect(asked).toEqual([]);
    },
  );

  it("[X4] answer 404 to what is no room's name", async () => {
    const { asked, send } = setUp();
    const headers = { authorization: `Bearer ${TOKEN}` };
    const env = { TICKROOM_ADMIN_TOKEN: TOKEN };
    expect((await send("/admin/rooms/UPPER/export", { headers }, env)).status).toBe(404);
    expect((await send("/admin/rooms/chess:lobby/export", { headers }, env)).status).toBe(404);
    expect((await send("/admin/rooms/constructor:lobby/export", { headers }, env)).status).toBe(404);
    expect(asked).toEqual([]);
  });
});
