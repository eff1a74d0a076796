import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, openPlayer } from "./support/browser.ts";
import { until } from "./support/poll.ts";
import { DevServer } from "./support/server.ts";

const TOKEN = "an admin of this test only";
const ROOM = "arena:inspected";

let server: DevServer;
let browser: Browser;
let player: Page;
let page: Page;
/** Addresses that the page has asked, and what it complained of. */
const asked: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  server = await DevServer.start(["--var", `TICKROOM_ADMIN_TOKEN:${TOKEN}`]);
  browser = await launchBrowser();
  await server.createRoom(ROOM, { bots: 3 });
  player = await openPlayer(browser, { url: server.url, room: ROOM, name: "Walker" });
  page = await browser.newPage({ viewport: { width: 1200, height: 1000 } });
  page.setDefaultTimeout(20_000);
  page.on("request", (request) => asked.push(request.url()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // A refusal by the Worker is one of the things to be seen.
    if (message.type() === "error" && !message.text().includes("404")) complaints.push(message.text());
  });
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function look(token: string): Promise<void> {
  await page.fill("#room", ROOM);
  await page.fill("#token", token);
  await page.getByRole("button", { name: "Look" }).click();
}

/** Pixels of a canvas that something was drawn on. */
const painted = (selector: string) =>
  page.locator(selector).evaluateAll((canvases) =>
    canvases.map((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const context = (canvas as HTMLCanvasElement).getContext("2d") as CanvasRenderingContext2D;
      const { data } = context.getImageData(0, 0, width, height);
      return data.filter((value, i) => i % 4 === 3 && value > 0).length;
    }),
  );

const textIn = async (of: Page, selector: string) => (await of.locator(selector).textContent()) ?? "";
const text = (selector: string) => textIn(page, selector);

describe("the inspect page", () => {
  it("[X4] shows nothing to who has another token, and says so", async () => {
    await page.goto(`${server.url}/inspect`);
    await look("not the admin's token at all");
    await until("the refusal", async () => (await text("#says")).includes("token isn't right"));
    expect(await page.locator("#seats tr").count()).toBe(0);
  });

  it("[X4] shows a room in play: its map, seats, figures, graphs and log", async () => {
    await look(TOKEN);
    await until("five seats' rows", async () => (await page.locator("#seats tr").count()) === 5);
    expect(await text("#seats")).toContain("Walker");
    expect(await text("#legend")).toMatch(/player 4/);
    const tick = async () => {
      const [, digits] = /Tick(\d+)Incarnation/.exec(await text("#figures")) ?? [];
      return digits === undefined ? undefined : Number(digits);
    };
    const first = await until("a tick", tick);
    await until("the room going on", async () => ((await tick()) ?? 0) > first + 60);
    expect(await text("#figures")).toContain("running");
    await until("graphs of some seconds", async () => Math.min(...(await painted("#graphs canvas"))) > 100);
    expect(await painted("#graphs canvas")).toHaveLength(6);
    const widths = await page
      .locator("#graphs canvas")
      .evaluateAll((all) => all.map((one) => one.clientWidth));
    const most = await page.locator("#graphs").evaluate((box) => box.clientWidth / 2);
    for (const width of widths) expect(width).toBeLessThan(most);
    expect((await painted("#map"))[0]).toBeGreaterThan(300);
    expect(await text("#graphs")).toMatch(/Rows \/ s\d+\.\d/);
    expect(await text("#log")).toMatch(/joined .*seat \d/);
  });

  it("[X4] tells an entity's fields where it is clicked at", async () => {
    const box = await page.locator("#map").boundingBox();
    await until("an entity under the mouse", async () => {
      const spot = await page.locator("#map").evaluate((canvas) => {
        const map = canvas as HTMLCanvasElement;
        const context = map.getContext("2d") as CanvasRenderingContext2D;
        const { data } = context.getImageData(0, 0, map.width, map.height);
        const at = data.findIndex((value, i) => i % 4 === 3 && value === 255) >> 2;
        return { x: at % map.width, y: Math.floor(at / map.width) };
      });
      await page.mouse.click((box?.x ?? 0) + spot.x, (box?.y ?? 0) + spot.y);
      return /id \d+/.test(await text("#picked"));
    });
    expect(await text("#picked")).toMatch(/\.x-?\d/);
  });

  it("[X4] tells players that the room will close, and takes it back", async () => {
    await page.fill("#reason", "new maps");
    await page.getByRole("button", { name: "Close the room" }).click();
    await until("the notice", async () => (await textIn(player, "#notice")).includes("new maps"));
    await page.getByRole("button", { name: "take that back" }).click();
    await until("the log", async () => (await text("#log")).includes("opened"));
  });

  it("[X4] sends a player away, who is told why", async () => {
    await page.fill("#reason", "spoils the game");
    await page.getByRole("button", { name: /^Kick seat/ }).click();
    await until("the end", async () => (await textIn(player, "#notice")).includes("spoils the game"));
    await until("the empty seat", async () => !(await text("#seats")).includes("Walker"));
  });

  it("[X4] saves the room's records as a file", async () => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save its records" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("arena-inspected.records");
  });

  it("[X3] asks nobody but its own Worker, keeps the token out of every address, and breaks no policy", () => {
    expect(asked.length).toBeGreaterThan(10);
    for (const url of asked) {
      expect(url.startsWith(server.url) || url.startsWith("blob:") || url.startsWith("data:"), url).toBe(
        true,
      );
      expect(decodeURIComponent(url)).not.toContain(TOKEN);
    }
    expect(complaints).toEqual([]);
  });
});
