import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RoomClient } from "../../client-sdk/index.ts";
import type { GameShape } from "../../sim/index.ts";
import { launchBrowser } from "./support/browser.ts";
import { DevServer } from "./support/server.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const WITHIN = { timeout: 20_000 };

let server: DevServer;
let browser: Browser;

beforeAll(async () => {
  execFileSync("node_modules/.bin/vite", ["build", "examples/lanterns", "--logLevel", "error"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  server = await DevServer.start(["--config", "examples/lanterns/wrangler.toml"]);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** What a page shows: where its own walker is, how many walkers there are, and how many lanterns burn. */
const shown = (page: Page) =>
  page.evaluate(() => {
    type Shown = { own: boolean; body: { y: number }; flame: { burnsTicks: number } };
    const room = globalThis.__TICKROOM__?.rooms[0] as RoomClient<GameShape> | undefined;
    const all = (archetype: string) => [...(room?.view.all(archetype) ?? [])] as unknown as Shown[];
    return {
      y: all("walker").find(({ own }) => own)?.body.y ?? Number.NaN,
      walkers: all("walker").length,
      burning: all("lantern").filter(({ flame }) => flame.burnsTicks > 0).length,
    };
  });

const says = (page: Page) => page.locator("output").textContent();

describe("the newcomer's game of the guide", () => {
  it("is played by two pages: one lights a lantern, both see it burn", async () => {
    const [first, second] = [await browser.newPage(), await browser.newPage()];
    for (const page of [first, second]) await page.goto(server.url);
    await expect.poll(async () => (await shown(second)).walkers, WITHIN).toBe(2);
    await first.bringToFront();
    // Out of every lantern's reach: answered, charged, and nothing burns.
    await first.keyboard.press("Space");
    await expect.poll(() => says(first), WITHIN).toContain("No dark lantern in reach.");
    await first.keyboard.down("ArrowUp");
    await expect.poll(async () => (await shown(first)).y, WITHIN).toBe(0);
    await first.keyboard.up("ArrowUp");
    await first.keyboard.press("Space");
    await expect.poll(() => says(first), WITHIN).toContain("It burns.");
    await expect.poll(async () => (await shown(second)).burning, WITHIN).toBe(1);
  });
});
