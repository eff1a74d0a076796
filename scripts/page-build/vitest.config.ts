import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { testOfPageBuild } from "./index.ts";

/** Tests of what pages load, over the short names of a page's build. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  plugins: [testOfPageBuild()],
  test: {
    include: ["test/unit/{client-sdk,prediction,protocol,sim}/**/*.test.ts"],
    environment: "node",
    testTimeout: 60_000,
  },
});
