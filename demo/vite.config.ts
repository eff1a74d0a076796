import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { rapierGlue } from "./rapier-glue.ts";

export default defineConfig({
  root: fileURLToPath(new URL("./page", import.meta.url)),
  logLevel: "warn",
  plugins: [rapierGlue()],
  build: {
    // Outside the folders that `wrangler dev` watches: a build must not set off the next one.
    outDir: "../../.page",
    emptyOutDir: true,
    target: "es2023",
    rollupOptions: {
      input: ["index.html", "yard/index.html"].map((page) =>
        fileURLToPath(new URL(`./page/${page}`, import.meta.url)),
      ),
    },
  },
});
