import { mkdirSync, writeFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser, openPlayer } from "./support/browser.ts";
import { until } from "./support/poll.ts";
import { DevServer } from "./support/server.ts";
import { along, longestWay, ownPlace, walk } from "./support/walks.ts";

const METRES = 12;
/** What the wire rounds positions to, twice. */
const ROUNDING = 2 / 256;
const SNAPSHOT_MS = 50;

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

/** Round trips of 200 ± 40 ms, by the page's own sliders, which say what is added to a round trip. */
async function slow(page: Page): Promise<void> {
  await page.locator("#settings").evaluate((panel: HTMLDetailsElement) => {
    panel.open = true;
  });
  await page.locator("#latency").fill("160");
  await page.locator("#jitter").fill("80");
}

it("[P1][V4][V6] at 200 ± 40 ms shows own movement in the next frame, and others without a step back or a freeze", async () => {
  const room = "arena:feel";
  await server.createRoom(room, { bots: 0 });
  const [walker, watcher] = [
    await openPlayer(browser, { url: server.url, room, name: "Walker" }),
    await openPlayer(browser, { url: server.url, room, name: "Watcher" }),
  ];
  for (const page of [walker, watcher]) await slow(page);
  await until("the delay to be measured", async () => {
    const rtts = await Promise.all(
      [walker, watcher].map((page) => page.evaluate(() => globalThis.arenaProbe.stats().rttMs)),
    );
    return rtts.every((ms) => ms > 190);
  });
  // The watcher's delay has to have seen the jitter.
  await watcher.waitForFunction(() => globalThis.arenaProbe.stats().jitterMs > 20);
  const way = longestWay(await ownPlace(walker));
  const moved = await walker.evaluate((code) => globalThis.arenaProbe.framesUntilMoved(code), way.key);
  expect(moved.serverMoved).toBe(false);
  // A frame that comes sooner than a tick's length after the last has no new tick to show: then it is the one after.
  expect(moved.frames).toBeLessThanOrEqual(2);
  for (const page of [walker, watcher]) await page.evaluate(() => globalThis.arenaProbe.record());
  await walk(walker, way, METRES);
  const frames = await watcher.evaluate(() => globalThis.arenaProbe.frames);
  const places = frames.flatMap(({ atMs, others }) =>
    Object.values(others).map(({ x, y, stalled }) => ({ atMs, metres: along(way, { x, y }), stalled })),
  );
  const trace = places.map(({ atMs, metres }) => [
    Math.round(atMs - (places[0]?.atMs ?? 0)),
    Number(metres.toFixed(3)),
  ]);
  if (process.env.TICKROOM_EVIDENCE) {
    mkdirSync(process.env.TICKROOM_EVIDENCE, { recursive: true });
    writeFileSync(`${process.env.TICKROOM_EVIDENCE}/remote-motion-200ms.json`, JSON.stringify(trace));
    const own = await walker.evaluate(() => globalThis.arenaProbe.frames);
    const steps = own.flatMap(({ atMs, own: shown, server: said }) =>
      shown && said
        ? [
            [
              Math.round(atMs - (own[0]?.atMs ?? 0)),
              ...[shown, said].map((at) => Number(along(way, at).toFixed(3))),
            ],
          ]
        : [],
    );
    writeFileSync(`${process.env.TICKROOM_EVIDENCE}/own-motion-200ms.json`, JSON.stringify(steps));
    await walker.screenshot({ path: `${process.env.TICKROOM_EVIDENCE}/own-motion-200ms.png` });
    await watcher.screenshot({ path: `${process.env.TICKROOM_EVIDENCE}/remote-motion-200ms.png` });
  }
  const first = places.findIndex(
    (place, i) => i > 0 && place.metres - (places[i - 1]?.metres ?? 0) > ROUNDING,
  );
  const last = places.findLastIndex(
    (place, i) => i > 0 && place.metres - (places[i - 1]?.metres ?? 0) > ROUNDING,
  );
  // Enough to judge, also at the frame rate of a busy machine.
  expect(last - first).toBeGreaterThan(15);
  let stoodMs = 0;
  for (let i = first; i <= last; i++) {
    const [before, now] = [places[i - 1], places[i]];
    if (!before || !now) continue;
    const step = now.metres - before.metres;
    expect(step).toBeGreaterThan(-ROUNDING);
    stoodMs = step > ROUNDING ? 0 : stoodMs + now.atMs - before.atMs;
    expect(stoodMs).toBeLessThanOrEqual(SNAPSHOT_MS);
  }
  await walker.context().close();
  await watcher.context().close();
});
