import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { arena } from "../../demo/game.ts";
import { CLOSE, type CloseName, LIMITS } from "../../protocol/index.ts";
import { launchBrowser, openPlayer } from "./support/browser.ts";
import { until } from "./support/poll.ts";
import { hello, RawClient } from "./support/raw-client.ts";
import { DevServer } from "./support/server.ts";

const ROOM = "arena:rough";

let server: DevServer;
let browser: Browser;
let bystander: Page;

beforeAll(async () => {
  server = await DevServer.start();
  browser = await launchBrowser();
  await server.createRoom(ROOM, { bots: 1 });
  bystander = await openPlayer(browser, { url: server.url, room: ROOM, name: "Bystander" });
  await bystander.evaluate(() => {
    globalThis.arenaProbe.record();
  });
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

function bytes(length: number, value = 0xa5): Uint8Array<ArrayBuffer> {
  return new Uint8Array(length).fill(value);
}

/** What somebody does wrong, and the close code that it earns. */
interface Offence {
  readonly title: string;
  readonly close: CloseName;
  readonly commit: (client: RawClient) => void;
}

const OFFENCES: readonly Offence[] = [
  {
    title: "[W3] an undecodable first frame",
    close: "bad-frame",
    commit: (client) => client.sendRaw(bytes(64)),
  },
  {
    title: "[W3] an undecodable frame of a player who is in the room",
    close: "bad-frame",
    commit: (client) => {
      client.say(hello());
      client.sendRaw(bytes(64));
    },
  },
  { title: "[W1] a text frame", close: "text-frame", commit: (client) => client.sendRaw("hello") },
  {
    title: "[X1] a frame one byte above the limit",
    close: "frame-too-large",
    commit: (client) => client.sendRaw(bytes(LIMITS.frameBytesIn + 1)),
  },
  {
    title: "[X1] a frame of a megabyte",
    close: "frame-too-large",
    commit: (client) => client.sendRaw(bytes(1_000_000)),
  },
  {
    title: "[W2] an older version of the game",
    close: "version-game",
    commit: (client) => client.say(hello({ gameVersion: arena.version - 1 })),
  },
  {
    title: "[W2] a newer version of the game",
    close: "room-outdated",
    commit: (client) => client.say(hello({ gameVersion: arena.version + 1 })),
  },
  {
    title: "[W2] another game",
    close: "wrong-game",
    commit: (client) => client.say(hello({ game: "chess" })),
  },
  {
    title: "[W2] an older version of the protocol",
    close: "version-protocol",
    commit: (client) => client.say(hello({ protocol: 0 })),
  },
  {
    title: "[W2] a game built from another definition",
    close: "version-schema",
    commit: (client) => client.say(hello({ fingerprint: 1n })),
  },
  {
    title: "[I8] commands before a hello",
    close: "hello-required",
    commit: (client) => client.say({ type: "input", inputSession: 1, sentAtMs: 0, ackTick: 0, commands: [] }),
  },
];

describe("a room that is sent nonsense", () => {
  for (const { title, close, commit } of OFFENCES) {
    it(`${title} is closed with ${CLOSE[close].code}, ${close}`, async () => {
      const client = new RawClient(server.url, ROOM);
      await client.opened;
      commit(client);
      const { code, reason } = await client.closed;
      expect(code).toBe(CLOSE[close].code);
      expect(reason.startsWith(CLOSE[close].reason)).toBe(true);
    });
  }

  it("[X2] goes on for everybody else as if nothing had been", async () => {
    const stats = await bystander.evaluate(() => globalThis.arenaProbe.stats());
    const frames = await bystander.evaluate(() => globalThis.arenaProbe.frames);
    expect(stats.badFrames).toBe(0);
    expect(new Set(frames.map(({ status }) => status))).toEqual(new Set(["joined"]));
    expect(new Set(frames.map(({ incarnation }) => incarnation)).size).toBe(1);
    await until("more commands to be executed", async () => {
      const now = await bystander.evaluate(() => globalThis.arenaProbe.stats());
      return now.consumed > stats.consumed;
    });
    // Of all those strangers at most the one who had said a proper hello has a seat, kept for its return: none if it
    // was gone before the window that would have taken it in. The roster tells of it a window later.
    await until("the roster to show no stranger as present", async () => {
      const seats = await bystander.evaluate(() => globalThis.arenaProbe.room()?.seats() ?? []);
      const strangers = seats.filter(({ name }) => name === "raw");
      return (
        strangers.length <= 1 &&
        seats.length === 2 + strangers.length &&
        strangers.every(({ connected }) => !connected)
      );
    });
  });
});

describe("the Worker in front of the rooms", () => {
  const join = (room: string) => fetch(`${server.url}/rooms/${room}/join`, { method: "POST", body: "{}" });

  it("[S1] answers 404 for a kind of room that it doesn't have", async () => {
    const response = await join("chess:lobby");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: "unknown-room" });
  });

  it("[S1] shows the page of such a room the reason, and offers to try again", async () => {
    const context = await browser.newContext({ viewport: { width: 480, height: 320 } });
    const page = await context.newPage();
    await page.goto(`${server.url}/?room=chess:lobby&name=Lost`);
    await page.locator("#notice button").waitFor();
    expect(await page.locator("#notice").textContent()).toContain("no such kind of room");
    await context.close();
  });

  it("[X1] answers 400 for a name that can't be one of a room", async () => {
    const response = await join("arena:NOT%20A%20NAME");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "bad-room-name" });
  });

  it("[S1] answers 403 to a page of another origin", async () => {
    const response = await fetch(`${server.url}/rooms/${ROOM}/join`, {
      method: "POST",
      body: "{}",
      headers: { origin: "https://elsewhere.example" },
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: "origin-not-allowed" });
  });
});

describe("a Worker without development mode", () => {
  it("[S1] [X3] lets nobody join, and says so with 403", async () => {
    const closed = await DevServer.start(["--var", "TICKROOM_DEV_JOIN:off"]);
    try {
      const response = await fetch(`${closed.url}/rooms/${ROOM}/join`, { method: "POST", body: "{}" });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ error: "join-not-permitted" });
      const client = new RawClient(closed.url, ROOM);
      await expect(client.opened).rejects.toThrow();
      const page = await (await browser.newContext()).newPage();
      await page.goto(`${closed.url}/?room=${ROOM}&name=Lost`);
      await page.locator("#notice button").waitFor();
      expect(await page.locator("#notice").textContent()).toContain("permission");
      await page.context().close();
    } finally {
      await closed.stop();
    }
  });
});
