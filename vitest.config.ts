import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { rapierGlue } from "./demo/rapier-glue.ts";
import { testOfPageBuild } from "./scripts/page-build/index.ts";

/**
 * Long runs of whole rooms, properties with many runs, and tests that start other programs or replace globals: part of
 * `npm test`, but not of the loop that runs after every change.
 */
const SCENARIOS = [
  "test/{contract,fuzz}/**/*.test.ts",
  "test/unit/{harness,faults}/**/*.test.ts",
  "test/unit/docs/guides.test.ts",
  "test/unit/room/{random-walk,arrival-orders,receipts,joining,replay,durability}.test.ts",
  "test/unit/client-sdk/{in-a-room,worked-cases,join,join-kept,reload,returning-socket}.test.ts",
  "test/unit/yard/*.test.ts",
  "test/unit/demo/{gun,kiosk,room,random-walks,shots,sparks-and-bots}.test.ts",
  "test/unit/prediction/{spawns,walks}.test.ts",
  "test/unit/protocol/stored-rows.test.ts",
];

/** Node can't load Rapier's package by itself: its imports have no extensions. */
const RAPIER = { deps: { inline: [/rapier2d-deterministic/] } };

/**
 * Five projects because there are three runtimes and two paces: Node for everything pure, workerd for the Durable Object,
 * and Node again, slowly and one file at a time, for Chromium against a real `wrangler dev`. What pages load is tested
 * once more with the short names that their build gives it.
 */
export default defineConfig({
  test: {
    // What a page's build makes of a file depends on all the others' names: kept from an earlier run, two could disagree.
    fsModuleCache: false,
    projects: [
      {
        plugins: [rapierGlue()],
        test: {
          name: "unit",
          server: RAPIER,
          include: ["test/{unit,types}/**/*.test.ts"],
          exclude: SCENARIOS,
          environment: "node",
          // Nothing under test keeps state at module level, so files can share a process: a third of the time.
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        plugins: [rapierGlue()],
        test: {
          name: "scenarios",
          server: RAPIER,
          include: SCENARIOS,
          environment: "node",
          testTimeout: 60_000,
        },
      },
      {
        plugins: [rapierGlue(), testOfPageBuild()],
        test: {
          name: "page-build",
          server: RAPIER,
          include: ["test/unit/{client-sdk,prediction,protocol,sim}/**/*.test.ts"],
          environment: "node",
          testTimeout: 60_000,
        },
      },
      {
        plugins: [rapierGlue(), cloudflareTest({ wrangler: { configPath: "./test/workerd/wrangler.toml" } })],
        test: {
          name: "workerd",
          include: ["test/workerd/**/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          environment: "node",
          // One server and one browser at a time: two would fight over the cores and fail on timing.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
