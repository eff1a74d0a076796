import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const NAME = "@dimforge/rapier2d-deterministic";
const fileOf = (name: string) => fileURLToPath(new URL(`../node_modules/${NAME}/${name}`, import.meta.url));

/**
 * Rapier's package imports its .wasm file as a module, which Vite doesn't know, and names no entry for Node. Its glue
 * code alone is enough: the instance comes from `startRapier`.
 */
export function rapierGlue(): Plugin {
  return {
    name: "rapier-glue",
    enforce: "pre",
    resolveId(source, importer) {
      if (source === NAME) return fileOf("rapier.js");
      const isGlue = /rapier_wasm2d(_bg)?(\.js)?$/.test(source);
      return isGlue && (source.startsWith(NAME) || importer?.includes(NAME))
        ? fileOf("rapier_wasm2d_bg.js")
        : undefined;
    },
  };
}
