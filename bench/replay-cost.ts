/**
 * What a correction costs a page: 64 ticks of the arena's player with its externals, and of the yard's with Rapier, computed
 * again in real Chromium. Bounds: 2 ms and 8 ms.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build } from "vite";
import { rapierGlue } from "../demo/rapier-glue.ts";
import type { ReplayCosts } from "./replay-cost/page.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const WASM = "../node_modules/@dimforge/rapier2d-deterministic/rapier_wasm2d_bg.wasm";

export async function measureReplayCost(progress: (text: string) => void): Promise<ReplayCosts> {
  progress("bundling");
  const code = await bundle();
  progress("replaying in Chromium");
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ content: code });
    const costs = await page.evaluate(
      (rapier) => {
        const { measureReplays } = (
          globalThis as unknown as { bench: typeof import("./replay-cost/page.ts") }
        ).bench;
        return measureReplays(rapier);
      },
      [...readFileSync(here(WASM))],
    );
    return costs;
  } finally {
    await browser.close();
  }
}

async function bundle(): Promise<string> {
  const result = await build({
    root: here(".."),
    configFile: false,
    logLevel: "warn",
    plugins: [rapierGlue()],
    build: {
      write: false,
      target: "es2023",
      lib: { entry: here("./replay-cost/page.ts"), formats: ["iife"], name: "bench", fileName: "bench" },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [{ output } = { output: [] }] = [result].flat() as { output: { readonly code?: string }[] }[];
  return output.find(({ code }) => code !== undefined)?.code ?? "";
}
