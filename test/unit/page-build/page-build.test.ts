import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { build, type Rollup } from "vite";
import { beforeAll, describe, expect, it } from "vitest";
import { arena } from "../../../demo/game.ts";
import { nodesIn } from "../../../scripts/page-build/edits.ts";
import { errorTexts, pageBuild } from "../../../scripts/page-build/index.ts";
import { parse, propertyName, shortNames } from "../../../scripts/page-build/names.ts";
import { savedSession } from "../../contract/session-store.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The fixture as it is built for a page. */
async function builtPage(): Promise<typeof import("./fixtures/page.ts")> {
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    plugins: [pageBuild()],
    build: {
      write: false,
      target: "es2023",
      lib: { entry: join(ROOT, "test/unit/page-build/fixtures/page.ts"), formats: ["es"], fileName: "page" },
    },
  });
  const [{ output }] = [result].flat() as Rollup.RollupOutput[] as [Rollup.RollupOutput];
  return await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}

/** The properties that files name and don't declare: what they use of the engine, and of the platform. */
function propertiesUsed(paths: readonly string[]): string[] {
  const nodes = paths.flatMap((path) => [...nodesIn(parse(path))]);
  const declares = (node: ts.Node) => ts.isTypeElement(node) || ts.isClassElement(node);
  const namesOf = (some: readonly ts.Node[]) => some.flatMap((node) => propertyName(node)?.text ?? []);
  const own = new Set(namesOf(nodes.filter(declares)));
  return namesOf(nodes).filter((name) => !own.has(name));
}

/** The keys of an object and of all that it holds. */
function keysIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysIn)];
}

const names = shortNames();
let page: Awaited<ReturnType<typeof builtPage>>;

beforeAll(async () => {
  page = await builtPage();
});

describe("a page's build", () => {
  it("has the room's fingerprint of a game, whatever its properties are called", () => {
    expect(page.fingerprint).toBe(arena.schema.fingerprint);
  });

  it("renames nothing that the demo's games and pages name", () => {
    const demo = readdirSync(join(ROOT, "demo"), { recursive: true, encoding: "utf8" });
    const sources = demo.filter((name) => name.endsWith(".ts")).map((name) => join(ROOT, "demo", name));
    const used = new Set(propertiesUsed(sources));
    expect(used).toContain("rewind");
    expect([...used].filter((name) => names.has(name))).toEqual([]);
  });

  it("[S3] renames nothing of what a page keeps, which another build of it may read", () => {
    const keys = keysIn(savedSession(1));
    expect(keys).toContain("receipt");
    expect(keys).toContain("baselineId");
    expect(keys.filter((key) => names.has(key))).toEqual([]);
  });

  it("gives each property a name that no game's field can have", () => {
    const short = [...names.values()];
    expect(new Set(short).size).toBe(short.length);
    expect(short.filter((name) => !/^_[a-z0-9]+$/.test(name))).toEqual([]);
  });

  it("says a code in the place of an error's words, and its values as they are", () => {
    const { code } = errorTexts().find(({ text }) => text === 'there is no archetype "…"') ?? { code: "" };
    expect(page.spawnUnknown).toThrow(new TypeError(`${code} nobody`));
    expect(page.readDamaged).toThrow(/^[a-z-]+: #[a-z0-9]{3}$/);
  });

  it("has one code for each text", () => {
    const texts = new Map<string, string>();
    for (const { code, text } of errorTexts())
      expect(texts.set(code, texts.get(code) ?? text).get(code)).toBe(text);
    expect(texts.size).toBeGreaterThan(50);
  });
});
