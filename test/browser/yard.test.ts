import { mkdirSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "./support/browser.ts";
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

/** Where the page draws a ball or the own walker, and where the room last said that it was. */
interface Places {
  readonly ball: number;
  readonly serverBall: number;
  readonly own: number;
  readonly serverOwn: number;
}

const placesOf = (page: Page) =>
  page.evaluate((): Places | undefined => {
    const view = globalThis.__TICKROOM__?.rooms[0]?.view;
    const own = view?.own as { id: number; pose: { x: number } } | undefined;
    const [ball] = [...((view?.all("ball") as Iterable<{ id: number; pose: { x: number } }>) ?? [])].sort(
      (a, b) => a.pose.x - b.pose.x,
    );
    if (!view || !own || !ball) return undefined;
    const said = (id: number) =>
      (view.server(id as never) as { pose: { x: number } } | undefined)?.pose.x ?? 0;
    return { ball: ball.pose.x, serverBall: said(ball.id), own: own.pose.x, serverOwn: said(own.id) };
  });

/** Holds a key until what the page shows fulfils a condition; all in the page, so that no frame is missed. */
async function seen(page: Page, what: (places: Places) => boolean): Promise<Places> {
  for (let tries = 0; tries < 600; tries++) {
    const places = await placesOf(page);
    if (places && what(places)) return places;
    await page.evaluate(() => new Promise((frame) => requestAnimationFrame(frame)));
  }
  throw new Error("the page never showed it");
}

it("[P1][P4][D3] the yard's page pushes a ball ahead of the room at 200 ms, shows its figures, and goes on after a kill", async () => {
  await server.createRoom("yard:push", { bots: 0 });
  const context = await browser.newContext({ viewport: { width: 720, height: 440 } });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(`${server.url}/?room=arena:way&name=Pusher`);
  await page.getByRole("link", { name: "to the yard" }).click();
  await page.waitForURL(/\/yard\//);
  await page.goto(`${server.url}/yard/?room=yard:push&name=Pusher`);
  const start = await seen(page, () => true);
  await page.locator("#latency").fill("200");
  await page.waitForFunction(() => (globalThis.__TICKROOM__?.rooms[0]?.stats().rttMs ?? 0) > 190);

  await page.keyboard.down("KeyD");
  // Both have moved here before the room's word of it can have come.
  const walked = await seen(page, ({ own }) => own > start.own + 0.3);
  expect(walked.own - walked.serverOwn).toBeGreaterThan(0.2);
  const pushed = await seen(page, ({ ball }) => ball > start.ball + 0.3);
  expect(pushed.ball - pushed.serverBall).toBeGreaterThan(0.1);
  await page.keyboard.up("KeyD");

  await page.keyboard.press("Backquote");
  const overlay = page.getByRole("region", { name: "Tickroom debug overlay" });
  await overlay.getByText("Round trip").waitFor();
  if (process.env.TICKROOM_EVIDENCE) {
    mkdirSync(process.env.TICKROOM_EVIDENCE, { recursive: true });
    await page.screenshot({ path: `${process.env.TICKROOM_EVIDENCE}/yard-200ms.png` });
  }
  await page.keyboard.press("Backquote");
  await overlay.waitFor({ state: "detached" });

  await page.waitForFunction(() => globalThis.__TICKROOM__?.rooms[0]?.stats().pendingInputs !== undefined);
  await server.kill();
  server.spawn();
  await server.answers();
  await page.waitForFunction(() => (globalThis.__TICKROOM__?.rooms[0]?.stats().incarnation ?? 0) > 1);
  const after = await seen(page, () => true);
  expect(after.own).toBeGreaterThan(start.own + 0.2);
  expect(after.ball).toBeGreaterThan(start.ball + 0.2);
  await page.keyboard.down("KeyA");
  await seen(page, ({ own }) => own < after.own - 0.5);
  await page.keyboard.up("KeyA");
  await context.close();
});
