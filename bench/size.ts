/**
 * What the SDK weighs in a page: bundles the least game as the demo's pages are built (scripts/page-build), lists the
 * chunks, and leaves the files in .size/ for size-limit, which holds the limit (package.json). Not counted: chunks that
 * load only when used.
 *
 *     npm run size [-- --modules]    # with each module's share before minifying
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { pageBuild } from "../scripts/page-build/index.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const OUT = here("../.size/");

interface Chunk {
  readonly type: "chunk";
  readonly fileName: string;
  readonly code: string;
  readonly imports: readonly string[];
  readonly isEntry: boolean;
  readonly modules: Readonly<Record<string, { readonly renderedLength: number }>>;
}

async function bundle(): Promise<Chunk[]> {
  const result = await build({
    root: here(".."),
    configFile: false,
    logLevel: "warn",
    plugins: [pageBuild()],
    build: {
      write: false,
      target: "es2023",
      // As a library, because a page's build adds 0.7 KB of Vite's own for loading chunks.
      lib: { entry: here("../test/unit/page-build/fixtures/least.ts"), formats: ["es"], fileName: "page" },
      rolldownOptions: {
        output: { minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } } },
      },
    },
  });
  const [{ output } = { output: [] }] = [result].flat() as { output: unknown[] }[];
  const chunks = (output as Chunk[]).filter(({ type }) => type === "chunk");
  // A library keeps these notes for the page's bundler, which leaves them out.
  return chunks.map((chunk) => ({ ...chunk, code: chunk.code.replaceAll("/* @__PURE__ */", "") }));
}

/** The entry and what it imports, which a page has to load before it can play. */
function loadedAtOnce(chunks: readonly Chunk[]): Set<Chunk> {
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of loaded) {
    for (const name of imports) loaded.add(chunks.find(({ fileName }) => fileName === name) as Chunk);
  }
  return loaded;
}

const chunks = await bundle();
const atOnce = loadedAtOnce(chunks);
rmSync(OUT, { recursive: true, force: true });
for (const chunk of chunks) {
  const path = `${OUT}${atOnce.has(chunk) ? "page" : "lazy"}/${chunk.fileName}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, chunk.code);
}
console.table(
  chunks.map((chunk) => ({
    chunk: chunk.fileName.replace(/-[\w-]{8}\.js$/, ".js"),
    loads: atOnce.has(chunk) ? "with the page" : "when used",
    bytes: chunk.code.length,
    gzipped: gzipSync(chunk.code, { level: 9 }).length,
  })),
);
if (process.argv.includes("--modules")) {
  const modules = [...atOnce].flatMap((chunk) => Object.entries(chunk.modules));
  const shares = modules.map(([path, { renderedLength }]) => [path.replace(here(".."), ""), renderedLength]);
  console.table(Object.fromEntries(shares.sort(([, a], [, b]) => Number(b) - Number(a))));
}
