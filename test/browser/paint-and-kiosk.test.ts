import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KIOSK } from "../../demo/level.ts";
import { CAN, CAN_PRICE, START_COINS, TANK } from "../../demo/tuning.ts";
import { launchBrowser, openPlayer } from "./support/browser.ts";
import { until } from "./support/poll.ts";
import { framesUntilFlash } from "./support/probe.ts";
import { DevServer } from "./support/server.ts";
import { ownPlace, walkTo } from "./support/walks.ts";

/** In sight of the kiosk. */
const TARGET = { x: -2.5, y: 0.5 };

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

/** Points the mouse at a player. Who stands in the middle of the arena stands in the middle of the screen. */
async function aimAt(page: Page, target: Page): Promise<void> {
  const [own, other] = [await ownPlace(page), await ownPlace(target)];
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const length = Math.hypot(other.x - own.x, other.y - own.y);
  const x = width / 2 + (60 * (other.x - own.x)) / length;
  const y = height / 2 + (60 * (other.y - own.y)) / length;
  await page.mouse.move(x - 1, y);
  await page.mouse.move(x, y);
}

const own = (page: Page) =>
  page.evaluate(() => {
    const player = globalThis.arenaProbe.room()?.view.own;
    if (!player) throw new Error("the page shows no own player");
    const { gun, purse, coat, look, tally } = player;
    return {
      paint: gun.paint,
      coins: purse.coins,
      cans: purse.cans,
      coatHue: coat.hue,
      wetUntil: coat.until,
      hue: look.hue,
      sparks: tally.sparks,
    };
  });

const log = (page: Page) => page.locator("#log li").allTextContents();

describe("paint gun and kiosk", () => {
  it("[P8] [A3] show a shot at once, its hit when the room has it, and a purchase once, 200 ms from the room", async () => {
    const room = "arena:paint";
    await server.createRoom(room, { bots: 0 });
    const first = await openPlayer(browser, { url: server.url, room, name: "First" });
    const second = await openPlayer(browser, { url: server.url, room, name: "Second" });
    await Promise.all([walkTo(first, KIOSK), walkTo(second, TARGET)]);
    await first.locator("#settings").evaluate((panel: HTMLDetailsElement) => {
      panel.open = true;
    });
    // The slider adds to the round trip.
    await first.locator("#latency").fill("400");
    await first.locator("#settings").evaluate((panel: HTMLDetailsElement) => {
      panel.open = false;
    });
    await until("the added latency to be measured", async () => {
      return (await first.evaluate(() => globalThis.arenaProbe.stats().rttMs)) > 380;
    });

    const sparksBefore = (await own(first)).sparks;
    await aimAt(first, second);
    const shot = await first.evaluate(framesUntilFlash);
    expect(shot.answered).toBe(false);
    // A frame that comes sooner than a tick's length after the last has no new tick to show: then it is the one after.
    expect(shot.frames).toBeLessThanOrEqual(2);
    expect(shot.paint).toBe(TANK - 1);
    expect(shot.log).toMatch(/^Shot#\d+ pending/);
    await until("the hit", async () => (await log(first)).some((line) => line === "Shothit Second"));
    const { hue } = await own(first);
    await until("the paint on the second one's page", async () => (await own(second)).wetUntil > 0);
    expect((await own(second)).coatHue).toBe(hue);
    expect((await own(first)).sparks).toBeGreaterThan(sparksBefore);

    await first.keyboard.press("KeyB");
    await until("the purchase", async () => (await log(first)).some((line) => line === "Can of paintbought"));
    await until("the can", async () => (await own(first)).cans === 1);
    expect(await own(first)).toMatchObject({ coins: START_COINS - CAN_PRICE });
    expect((await own(first)).paint).toBeGreaterThan(CAN);
    expect(await first.locator("#coins").textContent()).toBe(String(START_COINS - CAN_PRICE));

    // Away from the kiosk the key does nothing.
    await second.keyboard.press("KeyB");
    await first.waitForTimeout(1000);
    expect(await own(first)).toMatchObject({ coins: START_COINS - CAN_PRICE, cans: 1 });
    expect(await own(second)).toMatchObject({ coins: START_COINS, cans: 0 });
    await Promise.all([first, second].map((page) => page.context().close()));
  });
});
