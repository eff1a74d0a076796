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

beforeAll(async () => {
  deploy({ version: 1, beginsAt: 0 });
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

async function records() {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await fetch(`${server.url}/admin/rooms/dots:lobby/export`, { headers });
  return decodeExport(new Uint8Array(await response.arrayBuffer())).ledger.map(decodeLedger);
}

describe("a deploy while a room is played in", () => {
  it("[D3] of the same game keeps the room, its players and their commands, and runs the new code", async () => {
    await seen(page, "the first build", ({ title }) => title === "version 1");
    await page.keyboard.down("ArrowRight");
    const before = await seen(page, "a walk", ({ x, consumed }) => x > 50 && consumed > 30);
    deploy({ version: 1, beginsAt: 500 });
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

  it("[W2][D7] of the next version has the old page reload itself, and finds it in its seat and place", async () => {
    const before = await seen(page, "the page at rest", ({ pendingInputs }) => pendingInputs < 20);
    const { x } = await seen(page, "a place", (now) => Math.abs(now.x - before.x) < 1);
    deploy({ version: 2, beginsAt: 500 });
    const after = await seen(page, "the second build", ({ title }) => title === "version 2");
    expect(after.seat).toBe(before.seat);
    expect(after.x).toBeCloseTo(x, 1);
    expect(after.coins).toBe(5);
    await page.keyboard.down("ArrowRight");
    await seen(page, "walking on", (now) => now.x > x + 20);
    await page.keyboard.up("ArrowRight");
  });
});
