import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { arena } from "../../demo/game.ts";
import { WALK_SPEED } from "../../demo/tuning.ts";
import { launchBrowser, openPlayer } from "./support/browser.ts";
import { until } from "./support/poll.ts";
import type { ShownFrame } from "./support/probe.ts";
import { DevServer } from "./support/server.ts";
import { along, longestWay, ownPlace, type Way, walk } from "./support/walks.ts";

const SNAP_DISTANCE = arena.schema.archetypes.find(({ name }) => name === "player")?.snapDistance ?? 0;
/** What the wire rounds positions to, twice. */
const ROUNDING = 2 / 256;
/** How far each walks: two seconds, and every spawn point has more room than that. */
const METRES = 12;

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

async function twoPlayers(room: string): Promise<readonly [Page, Page]> {
  await server.createRoom(room, { bots: 0 });
  const url = server.url;
  const pages = await Promise.all([
    openPlayer(browser, { url, room, name: "First" }),
    openPlayer(browser, { url, room, name: "Second" }),
  ]);
  for (const page of pages) {
    await page.waitForFunction(
      () => [...(globalThis.arenaProbe.room()?.view.all("player") ?? [])].length === 2,
    );
  }
  return pages;
}

function close(pages: readonly Page[]): Promise<unknown> {
  return Promise.all(pages.map((page) => page.context().close()));
}

/** Where a page showed the other player from frame to frame. */
function placesOfOther(frames: readonly ShownFrame[]) {
  return frames.flatMap(({ atMs, others }) => Object.values(others).map(({ x, y }) => ({ atMs, x, y })));
}

describe("two players in one room", () => {
  it("[V4] [V5] each see the other walk smoothly: never a step back, never a jump", async () => {
    const pages = await twoPlayers("arena:smooth");
    const ways: Way[] = [];
    for (const page of pages) ways.push(longestWay(await ownPlace(page)));
    for (const page of pages) await page.evaluate(() => globalThis.arenaProbe.record());
    await Promise.all(pages.map((page, index) => walk(page, ways[index] as Way, METRES)));
    for (const [index, page] of pages.entries()) {
      const way = ways[1 - index] as Way;
      const start = along(way, await ownPlace(pages[1 - index] as Page)) - METRES;
      // The other one is shown a little in the past: wait until the walk is through here, too.
      const places = await until("the other's walk to be shown", async () => {
        const shown = placesOfOther(await page.evaluate(() => globalThis.arenaProbe.frames));
        const last = shown.at(-1);
        return last !== undefined && along(way, last) > start + METRES - 0.1 && shown;
      });
      const paces: number[] = [];
      for (let i = 1; i < places.length; i++) {
        const before = places[i - 1] as (typeof places)[number];
        const now = places[i] as (typeof places)[number];
        const step = along(way, now) - along(way, before);
        const seconds = (now.atMs - before.atMs) / 1000;
        expect(step).toBeGreaterThan(-ROUNDING);
        // What it walks in the time of a long frame is no jump.
        const jump = Math.hypot(now.x - before.x, now.y - before.y) - WALK_SPEED * seconds;
        expect(jump).toBeLessThan(SNAP_DISTANCE);
        if (step > ROUNDING && seconds > 0) paces.push(step / seconds);
      }
      const median = paces.toSorted((a, b) => a - b)[Math.floor(paces.length / 2)];
      expect(median).toBeGreaterThan(0.75 * WALK_SPEED);
      expect(median).toBeLessThan(1.25 * WALK_SPEED);
    }
    await close(pages);
  });

  it("[V1] see each other under the names that they gave", async () => {
    const pages = await twoPlayers("arena:names");
    for (const page of pages) {
      const names = await page.evaluate(() =>
        globalThis.arenaProbe
          .room()
          ?.seats()
          .map(({ name }) => name),
      );
      expect(names?.toSorted()).toEqual(["First", "Second"]);
    }
    await close(pages);
  });
});

describe("prediction of the own player", () => {
  it("[P1] shows the own movement in the next frame, with 200 ms added each way", async () => {
    await server.createRoom("arena:latency", { bots: 0 });
    const page = await openPlayer(browser, { url: server.url, room: "arena:latency", name: "First" });
    await page.locator("#settings").evaluate((panel: HTMLDetailsElement) => {
      panel.open = true;
    });
    // The slider adds to the round trip.
    await page.locator("#latency").fill("400");
    await until("the added latency to be measured", async () => {
      return (await page.evaluate(() => globalThis.arenaProbe.stats().rttMs)) > 380;
    });
    const way = longestWay(await ownPlace(page));
    const moved = await page.evaluate((code) => globalThis.arenaProbe.framesUntilMoved(code), way.key);
    expect(moved.serverMoved).toBe(false);
    // A frame that comes sooner than a tick's length after the last has no new tick to show: then it is the one after.
    expect(moved.frames).toBeLessThanOrEqual(2);
    await page.context().close();
  });

  it("[V1] waits for the room's answer when it is switched off", async () => {
    await server.createRoom("arena:unpredicted", { bots: 0 });
    const page = await openPlayer(browser, { url: server.url, room: "arena:unpredicted", name: "First" });
    await page.locator("#settings").evaluate((panel: HTMLDetailsElement) => {
      panel.open = true;
    });
    await page.locator("#prediction").uncheck();
    const way = longestWay(await ownPlace(page));
    const moved = await page.evaluate((code) => globalThis.arenaProbe.framesUntilMoved(code), way.key);
    expect(moved.serverMoved).toBe(true);
    await page.context().close();
  });

  it("[P4] needs no correction on a steady link while walking in the open", async () => {
    await server.createRoom("arena:steady", { bots: 0 });
    const page = await openPlayer(browser, { url: server.url, room: "arena:steady", name: "First" });
    const figures = () => page.evaluate(() => globalThis.arenaProbe.stats());
    // A link is steady when no tick of the room lacked a command: a machine that stands still for a while breaks that.
    const walked = await until(
      "a walk without a missed command",
      async () => {
        const before = await figures();
        const way = longestWay(await ownPlace(page));
        await walk(page, way, Math.min(way.length, 2.5 * WALK_SPEED));
        const after = await figures();
        return after.missedInputs === before.missedInputs && { before, after };
      },
      { withinMs: 90_000 },
    );
    expect(walked.after.consumed - walked.before.consumed).toBeGreaterThan(60);
    expect(walked.after.corrections - walked.before.corrections).toBe(0);
    await page.context().close();
  });

  it("[I1] follows a thumb on the stick of a phone's screen", async () => {
    await server.createRoom("arena:thumb", { bots: 0 });
    const page = await openPlayer(browser, {
      url: server.url,
      room: "arena:thumb",
      name: "First",
      context: { viewport: { width: 390, height: 640 }, hasTouch: true, isMobile: true },
    });
    const start = await ownPlace(page);
    const way = longestWay(start);
    const touch = await page.context().newCDPSession(page);
    const at = { x: 110, y: 480 };
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
    const pulled = { x: at.x + 60 * way.x, y: at.y + 60 * way.y };
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [pulled] });
    await until("the player to walk", async () => along(way, await ownPlace(page)) - along(way, start) > 1);
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await page.waitForFunction(() => globalThis.arenaProbe.room()?.view.own?.pose.vx === 0);
    await page.context().close();
  });
});
