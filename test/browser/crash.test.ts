import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, openPlayer } from "./support/browser.ts";
import { until } from "./support/poll.ts";
import { DevServer } from "./support/server.ts";
import { along, longestWay, ownPlace } from "./support/walks.ts";

/** What the wire rounds positions to. */
const ROUNDING = 1 / 256;

let server: DevServer;
let browser: Browser;

beforeAll(async () => {
  server = await DevServer.start();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const figures = (page: Page) => page.evaluate(() => globalThis.arenaProbe.stats());
const framesOf = (page: Page) => page.evaluate(() => globalThis.arenaProbe.frames);

describe("a server that is killed and started again", () => {
  it("[D3] [S2] has both pages going on by themselves within 3 s, where the last committed window left them", async () => {
    const room = "arena:crash";
    await server.createRoom(room, { bots: 2 });
    const url = server.url;
    const walker = await openPlayer(browser, { url, room, name: "Walker" });
    const stander = await openPlayer(browser, { url, room, name: "Stander" });
    const pages = [walker, stander];
    const way = longestWay(await ownPlace(walker));
    const stood = await ownPlace(stander);
    for (const page of pages) await page.evaluate(() => globalThis.arenaProbe.record());
    const start = await ownPlace(walker);
    await walker.keyboard.down(way.key);
    await until("the room to have executed some of the walk", async () => {
      const seen = (await framesOf(walker)).at(-1)?.server;
      return seen !== undefined && along(way, seen) > along(way, start) + 2;
    });
    await server.kill();
    for (const page of pages) {
      await page.waitForFunction(() => globalThis.arenaProbe.room()?.status === "reconnecting");
      expect(await page.locator("#notice").textContent()).toContain("Reconnecting");
    }

    // Taken now, when nothing can be consumed any more.
    const before = await Promise.all(pages.map(figures));
    server.spawn();
    await server.answers();
    const answeredAt = Date.now();
    for (const [index, page] of pages.entries()) {
      const { incarnation } = before[index] as (typeof before)[number];
      // A room that was away past the replay bound opens a new input session, whose numbers begin anew [P7].
      let first: number | undefined;
      await until(
        "the page to go on",
        async () => {
          const now = await figures(page);
          if (now.incarnation <= incarnation) return false;
          first ??= now.consumed;
          return now.consumed > first;
        },
        { withinMs: 30_000, everyMs: 20 },
      );
    }
    expect(Date.now() - answeredAt).toBeLessThan(3000);
    await walker.keyboard.up(way.key);

    // Every snapshot was committed before it was sent: nothing that a page saw of the room may be undone.
    const frames = await framesOf(walker);
    const first = frames.findIndex(({ incarnation }) => incarnation > (before[0]?.incarnation ?? 0));
    const last = frames[first - 1]?.server;
    const then = frames[first]?.server;
    expect(last).toBeDefined();
    expect(then).toBeDefined();
    if (last && then) expect(along(way, then)).toBeGreaterThanOrEqual(along(way, last) - ROUNDING);
    const standing = (await framesOf(stander)).at(-1)?.server;
    expect(standing?.x).toBeCloseTo(stood.x, 2);
    expect(standing?.y).toBeCloseTo(stood.y, 2);
  });

  it("[D3] lets both go on walking and seeing each other afterwards", async () => {
    const pages = browser.contexts().map((context) => context.pages()[0] as Page);
    expect(pages).toHaveLength(2);
    for (const [index, page] of pages.entries()) {
      const other = pages[1 - index] as Page;
      const seat = await page.evaluate(() => globalThis.arenaProbe.seat());
      const seen = () =>
        other.evaluate((id) => {
          const players = globalThis.arenaProbe.room()?.view.all("player") ?? [];
          const shown = [...players].find(({ owner }) => owner === id)?.pose;
          return shown && { x: shown.x, y: shown.y };
        }, seat);
      const start = await until("the other to be shown", seen);
      const way = longestWay(await ownPlace(page));
      await page.keyboard.down(way.key);
      await until("the walk to be seen", async () => {
        const now = await seen();
        return now !== undefined && along(way, now) > along(way, start) + 1;
      });
      await page.keyboard.up(way.key);
    }
  });
});
