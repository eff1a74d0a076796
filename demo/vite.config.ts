import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL("./page", import.meta.url)),
  logLevel: "warn",
  build: {
    // Outside the folders that `wrangler dev` watches: a build must not set off the next one.
    outDir: "../../.page",
    emptyOutDir: true,
    target: "es2023",
  },
});
