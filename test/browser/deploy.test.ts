import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RoomClient } from "../../client-sdk/index.ts";
import { decodeExport, decodeLedger } from "../../protocol/index.ts";
import type { GameShape } from "../../sim/index.ts";
import { launchBrowser } from "./support/browser.ts";
import { CONFIG, deploy, removeDeployed } from "./support/deployed.ts";
import { until } from "./support/poll.ts";
import { DevServer } from "./support/server.ts";

const TOKEN = "an admin of this test only";

let server: DevServer;
let browser: Browser;
let page: Page;
/** Opened with the next version's page while the room is still the old one. */
let early: Page;

beforeAll(async () => {
  deploy({ page: 1, room: 1, beginsAt: 0 });
  server = await DevServer.start(["--config", CONFIG, "--var", `TICKROOM_ADMIN_TOKEN:${TOKEN}`]);
  browser = await launchBrowser();
  page = await browser.newPage();
  await page.goto(server.url);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  removeDeployed();
});

/** What the page knows of itself and shows. */
const look = (of: Page) =>
  of.evaluate(() => {
    const room = globalThis.__TICKROOM__?.rooms[0] as RoomClient<GameShape> | undefined;
    const own = room?.view.own as { body?: { x: number }; purse?: { coins: number } } | undefined;
    if (!room || !own?.body || room.status !== "joined") return undefined;
    const { incarnation, consumed, pendingInputs } = room.stats();
    const { x } = own.body;
    const { seat } = room;
    return { seat, incarnation, consumed, pendingInputs, x, coins: own.purse?.coins, title: document.title };
  });
type Look = NonNullable<Awaited<ReturnType<typeof look>>>;

const seen = (of: Page, what: string, holds: (now: Look) => boolean) =>
  until(
    what,
    async () => {
      const now = await look(of).catch(() => undefined);
      return now !== undefined && holds(now) && now;
    },
    { withinMs: 60_000 },
  );

function ask(path: string): Promise<Response> {
  return fetch(`${server.url}/admin/rooms/dots:lobby${path}`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
}

async function records() {
  const response = await ask("/export");
  return decodeExport(new Uint8Array(await response.arrayBuffer())).ledger.map(decodeLedger);
}

describe("a deploy while a room is played in", () => {
  it("[D3] of the same game keeps the room, its players and their commands, and runs the new code", async () => {
    await seen(page, "the first build", ({ title }) => title === "version 1");
    await page.keyboard.down("ArrowRight");
    const before = await seen(page, "a walk", ({ x, consumed }) => x > 50 && consumed > 30);
    deploy({ page: 1, room: 1, beginsAt: 500 });
    const after = await seen(page, "the return", ({ incarnation }) => incarnation > before.incarnation);
    expect(after.seat).toBe(before.seat);
    await seen(page, "going on", ({ x }) => x > after.x + 20);
    await page.keyboard.up("ArrowRight");
    const stopped = await seen(
      page,
      "the end of the walk",
      ({ pendingInputs, x }) => pendingInputs < 20 && x > 70,
    );
    expect(stopped.x).toBeGreaterThan(before.x);
    // A newcomer meets the new code.
    const other = await browser.newPage();
    await other.goto(server.url);
    await seen(other, "a newcomer", ({ x }) => x === 500);
    await other.close();
    const numbers = new Map<number, number[]>();
    for (const { sessions } of await records()) {
      for (const { inputSession, entries } of sessions) {
        numbers.set(inputSession, [...(numbers.get(inputSession) ?? []), ...entries.map(({ seq }) => seq)]);
      }
    }
    expect(numbers.size).toBeGreaterThan(0);
    for (const [session, seqs] of numbers) {
      const first = seqs[0] as number;
      expect(seqs, `session ${session}`).toEqual(seqs.map((_, i) => first + i));
    }
  });

  it("[W2] has a page that is newer than the room wait for it, and nobody in the room is disturbed", async () => {
    const before = await seen(page, "the page at rest", ({ pendingInputs }) => pendingInputs < 20);
    deploy({ page: 2, room: 1, beginsAt: 500 });
    early = await browser.newPage();
    await early.goto(server.url);
    await until("two refusals", async () => {
      const { log } = (await (await ask("/view")).json()) as { log: { event: string; reason?: string }[] };
      return log.filter(({ event, reason }) => event === "refused" && reason === "room-outdated").length >= 2;
    });
    expect(await early.title()).toBe("version 2");
    const now = await seen(page, "the old page in its room", ({ title }) => title === "version 1");
    expect(now.seat).toBe(before.seat);
  });

  it("[W2][D7] of the next version has the old page reload itself, and finds it in its seat and place", async () => {
    const before = await seen(page, "the page at rest", ({ pendingInputs }) => pendingInputs < 20);
    const { x } = await seen(page, "a place", (now) => Math.abs(now.x - before.x) < 1);
    deploy({ page: 2, room: 2, beginsAt: 500 });
    const after = await seen(page, "the second build", ({ title }) => title === "version 2");
    expect(after.seat).toBe(before.seat);
    expect(after.x).toBeCloseTo(x, 1);
    expect(after.coins).toBe(5);
    const newcomer = await seen(early, "the page that has waited", ({ x: place }) => place === 500);
    expect(newcomer.seat).not.toBe(after.seat);
    await page.keyboard.down("ArrowRight");
    await seen(page, "walking on", (now) => now.x > x + 20);
    await page.keyboard.up("ArrowRight");
  });
});
