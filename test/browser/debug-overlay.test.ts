import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, openPlayer } from "./support/browser.ts";
import { DevServer } from "./support/server.ts";

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

describe("the debug overlay", () => {
  it("[P10] opens with a key, draws its graphs, tells of receipts, changes the link, and closes", async () => {
    const page = await openPlayer(browser, { url: server.url, room: "arena:overlay", name: "Curious" });
    const loaded = () =>
      page.evaluate(() =>
        performance.getEntriesByType("resource").some(({ name }) => /debug|index.*uplot/i.test(name)),
      );
    expect(await loaded()).toBe(false);
    await page.keyboard.press("Backquote");
    const overlay = page.getByRole("region", { name: "Tickroom debug overlay" });
    await overlay.waitFor();
    await page.keyboard.press("Space");
    await overlay
      .getByText(/fire .* settled/)
      .first()
      .waitFor();
    // A shot plays before the room has answered.
    await overlay
      .getByText(/shot .* plays/)
      .first()
      .waitFor();
    const inked = await overlay.locator(".uplot canvas").evaluateAll((canvases) =>
      canvases.map((canvas) => {
        const { width, height } = canvas as HTMLCanvasElement;
        const pixels =
          (canvas as HTMLCanvasElement).getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
        return pixels.some((value) => value > 0);
      }),
    );
    expect(inked).toHaveLength(8);
    expect(inked.every(Boolean)).toBe(true);
    if (process.env.TICKROOM_SCREENSHOT) await page.screenshot({ path: process.env.TICKROOM_SCREENSHOT });
    await overlay.getByLabel("Link").selectOption("ocean");
    // What is set here isn't taken back by the page's own sliders.
    await page.waitForFunction(() => globalThis.arenaProbe.stats().rttMs > 140);
    expect(await page.evaluate(() => globalThis.arenaProbe.room()?.link.latencyMs)).toBe(75);
    await overlay.getByRole("button", { name: "disconnect" }).click();
    await overlay.getByText(/lost: 1006/).waitFor();
    await overlay.getByText(/resumed/).waitFor();
    await overlay.getByRole("button", { name: "close" }).click();
    await overlay.waitFor({ state: "detached" });
    await page.context().close();
  });
});
