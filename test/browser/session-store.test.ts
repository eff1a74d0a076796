import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { build, type Rollup } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STORE_CHECKS } from "../contract/session-store.ts";
import { launchBrowser } from "./support/browser.ts";

let browser: Browser;
let context: BrowserContext;
let server: Server;
let url: string;

beforeAll(async () => {
  const entry = fileURLToPath(new URL("support/store-page.ts", import.meta.url));
  const result = await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, target: "es2023", lib: { entry, formats: ["es"], fileName: "page" } },
  });
  const { output } = (Array.isArray(result) ? result[0] : result) as Rollup.RollupOutput;
  const script = output[0].code;
  // From a real origin: without one a page has neither database nor locks.
  server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : '<!doctype html><script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((listening) => server.listen(0, "localhost", listening));
  url = `http://localhost:${(server.address() as AddressInfo).port}/`;
  browser = await launchBrowser();
  context = await browser.newContext();
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

async function load(page: Page): Promise<Page> {
  await page.goto(url);
  await page.waitForFunction(() => globalThis.storePage !== undefined);
  return page;
}
const open = (page: Page) => page.evaluate(() => globalThis.storePage.open());

describe("IndexedSessionStore in a browser", () => {
  it.each(STORE_CHECKS.map(({ title }) => title))("[S3] %s", async (title) => {
    const page = await load(await context.newPage());
    expect(await page.evaluate((name) => globalThis.storePage.check(name), title)).toBeUndefined();
    await page.close();
  });

  it("[S3] gives a tab its own session back after each reload, and another tab one of its own", async () => {
    const [one, two] = [await load(await context.newPage()), await load(await context.newPage())];
    expect(await open(one)).toBeUndefined();
    expect(await open(two)).toBeUndefined();
    await one.evaluate(() => globalThis.storePage.save(1));
    await two.evaluate(() => globalThis.storePage.save(2));
    for (let i = 0; i < 3; i++) {
      await load(one);
      expect(await open(one)).toBe(1);
    }
    await load(two);
    expect(await open(two)).toBe(2);
    // The first tab goes; a new one takes its place over, as after a crash of the browser.
    await one.close();
    const three = await load(await context.newPage());
    expect(await open(three)).toBe(1);
  });
});
