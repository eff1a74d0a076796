import { describe, expect, it } from "vitest";
import { MemorySessionStore } from "../../client-sdk/index.ts";
import { STORE_CHECKS } from "./session-store.ts";

describe("MemorySessionStore", () => {
  it.each(STORE_CHECKS)("[S3] $title", async ({ run }) => {
    expect(await run(() => new MemorySessionStore())).toBeUndefined();
  });
});
