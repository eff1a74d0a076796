import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

/**
 * Long runs of whole rooms, properties with many runs, and tests that start other programs or replace globals: part of
 * `npm test`, but not of the loop that runs after every change.
 */
const SCENARIOS = [
  "test/{contract,fuzz}/**/*.test.ts",
  "test/unit/{harness,faults,docs}/**/*.test.ts",
  "test/unit/room/{random-walk,arrival-orders,receipts,joining,replay,durability}.test.ts",
  "test/unit/client-sdk/{in-a-room,worked-cases,join,join-kept,reload,returning-socket}.test.ts",
  "test/unit/demo/{gun,kiosk,room,random-walks,shots,sparks-and-bots}.test.ts",
  "test/unit/prediction/{spawns,walks}.test.ts",
  "test/unit/protocol/stored-rows.test.ts",
];

/**
 * Four projects because there are three runtimes and two paces: Node for everything pure, workerd for the Durable Object,
 * and Node again, slowly and one file at a time, for Chromium against a real `wrangler dev`.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/{unit,types}/**/*.test.ts"],
          exclude: SCENARIOS,
          environment: "node",
          // Nothing under test keeps state at module level, so files can share a process: a third of the time.
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "scenarios",
          include: SCENARIOS,
          environment: "node",
          testTimeout: 60_000,
        },
      },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: "./test/workerd/wrangler.toml" } })],
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
