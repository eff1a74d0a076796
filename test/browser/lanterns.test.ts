import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RoomClient } from "../../client-sdk/index.ts";
import type { GameShape } from "../../sim/index.ts";
import { launchBrowser } from "./support/browser.ts";
import { DevServer } from "./support/server.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const WITHIN = { timeout: 20_000 };

let folder: string;
let server: DevServer | undefined;
let browser: Browser | undefined;

/**
 * The folder of the guide's reader: outside the repository, with the guide's files as they stand there, and with what
 * `npm install` of a folder makes of this package, a link.
 */
function newcomersFolder(): string {
  const made = mkdtempSync(join(tmpdir(), "tickroom-newcomer-"));
  const guide = readFileSync(`${ROOT}/docs/guides/first-room.md`, "utf8");
  for (const [, name, text] of guide.matchAll(/^```\w+ file=(\S+)\n(.*?)^```$/gms)) {
    writeFileSync(join(made, name as string), text as string);
  }
  writeFileSync(join(made, "package.json"), '{ "type": "module" }');
  const installed = ["vitest", "@cloudflare/workers-types", "@types/node"];
  const links = [["tickroom", ROOT], ...installed.map((name) => [name, `${ROOT}/node_modules/${name}`])];
  for (const [name, target] of links as [string, string][]) {
    const link = join(made, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link);
  }
  return made;
}

const run = (command: string, args: readonly string[]) =>
  execFileSync(`${ROOT}/node_modules/.bin/${command}`, args, { cwd: folder, encoding: "utf8" });

beforeAll(() => {
  folder = newcomersFolder();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
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
  it("passes the guide's own type check outside the repository", () => {
    expect(run("tsc", [])).toBe("");
  });

  it("is played by two pages: one lights a lantern, both see it burn", async () => {
    run("vite", ["build", "--logLevel", "error"]);
    server = await DevServer.start(["--config", join(folder, "wrangler.toml")]);
    browser = await launchBrowser();
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
