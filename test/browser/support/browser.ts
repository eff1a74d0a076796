import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { installProbe } from "./probe.ts";

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      // There is no graphics card to be had; pretending one costs half of the frames.
      "--disable-gpu",
      // Pages of several players are on screen at once in a test; none may be throttled as "in the background".
      "--disable-renderer-backgrounding",
      "--disable-background-timer-throttling",
      "--disable-backgrounding-occluded-windows",
    ],
  });
}

export interface PlayerOptions {
  readonly url: string;
  readonly room: string;
  readonly name: string;
  /** *Default*: a small window, because every pixel is drawn by the processor here. */
  readonly context?: BrowserContextOptions;
}

/** Opens the arena as a visitor would, and waits until the own player is there. */
export async function openPlayer(browser: Browser, options: PlayerOptions): Promise<Page> {
  const { url, room, name, context } = options;
  const visitor = await browser.newContext({ viewport: { width: 480, height: 320 }, ...context });
  const page = await visitor.newPage();
  page.setDefaultTimeout(30_000);
  page.on("pageerror", (error) => {
    throw new Error(`error in the page of ${name}`, { cause: error });
  });
  await page.goto(`${url}/?room=${room}&name=${encodeURIComponent(name)}`);
  await page.evaluate(installProbe);
  await page.waitForFunction(() => globalThis.arenaProbe.room()?.view.own !== undefined);
  return page;
}
