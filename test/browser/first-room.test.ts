import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RoomClient } from "../../client-sdk/index.ts";
import type { GameShape } from "../../sim/index.ts";
import { launchBrowser } from "./support/browser.ts";
import { DevServer } from "./support/server.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Inside the repository, so that `tickroom/…` means this package. */
const FOLDER = ".first-room";

let server: DevServer | undefined;
let browser: Browser | undefined;

/** The files of the README's first room, exactly as they stand there. */
function writeFiles(): string[] {
  const readme = readFileSync(`${ROOT}/README.md`, "utf8");
  const files = [...readme.matchAll(/^```\w+ file=(\S+)\n(.*?)^```$/gms)];
  rmSync(`${ROOT}/${FOLDER}`, { recursive: true, force: true });
  mkdirSync(`${ROOT}/${FOLDER}`);
  for (const [, name, text] of files) writeFileSync(`${ROOT}/${FOLDER}/${name}`, text as string);
  return files.map(([, name]) => name as string);
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(`${ROOT}/node_modules/.bin/${command}`, args, { cwd: ROOT, encoding: "utf8" });
}

beforeAll(() => {
  writeFiles();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(`${ROOT}/${FOLDER}`, { recursive: true, force: true });
});

const places = (page: Page) =>
  page.evaluate(() => {
    const room = globalThis.__TICKROOM__?.rooms[0] as RoomClient<GameShape> | undefined;
    const dots = [...(room?.view.all("dot") ?? [])] as unknown as { own: boolean; body: { x: number } }[];
    return {
      own: dots.find(({ own }) => own)?.body.x,
      others: dots.filter(({ own }) => !own).map(({ body }) => body.x),
    };
  });

describe("the README's first room", () => {
  it("has the five files that it promises", () => {
    expect(writeFiles()).toEqual(["game.ts", "worker.ts", "wrangler.toml", "page.ts", "index.html"]);
  });

  it("passes the strictest type check as it stands", () => {
    const config = {
      extends: "../tsconfig.base.json",
      compilerOptions: {
        composite: false,
        emitDeclarationOnly: false,
        noEmit: true,
        rootDir: "..",
        lib: ["ES2023", "DOM", "DOM.Iterable"],
        types: ["@cloudflare/workers-types", "node"],
        noImplicitOverride: false,
      },
      files: ["worker.ts", "page.ts"],
    };
    writeFileSync(`${ROOT}/${FOLDER}/tsconfig.json`, JSON.stringify(config));
    expect(run("tsc", ["-p", FOLDER])).toBe("");
  });

  it("is played by two pages in a real browser", async () => {
    run("vite", ["build", FOLDER, "--logLevel", "error"]);
    server = await DevServer.start(["--config", `${FOLDER}/wrangler.toml`]);
    browser = await launchBrowser();
    const [first, second] = [await browser.newPage(), await browser.newPage()];
    for (const page of [first, second]) await page.goto(server.url);
    await expect.poll(async () => (await places(first)).others.length, { timeout: 20_000 }).toBe(1);
    await first.bringToFront();
    await first.keyboard.down("ArrowRight");
    await expect.poll(async () => (await places(first)).own, { timeout: 20_000 }).toBeGreaterThan(400);
    await first.keyboard.up("ArrowRight");
    await expect.poll(async () => (await places(second)).others[0], { timeout: 20_000 }).toBeGreaterThan(400);
    expect((await places(second)).own).toBeCloseTo(320, 0);
  });
});
