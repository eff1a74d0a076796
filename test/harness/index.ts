export { HarnessClient } from "./client.ts";
export { differences, type ExactEntity } from "./exact.ts";
export { type ClientRef, createHarness, Harness } from "./harness.ts";
export { type CommitCrash, HarnessStore } from "./harness-store.ts";
export type { ExecutedCommand } from "./history.ts";
export type { Lane } from "./lane.ts";
export type { HarnessOptions, JoinOptions, LaneOptions, LinkOptions } from "./options.ts";
export type { CrashOptions } from "./room-process.ts";
