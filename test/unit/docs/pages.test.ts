import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const GUIDES = readdirSync(`${ROOT}docs/guides`).filter((name) => name.endsWith(".md"));
const PAGES = [
  "README.md",
  ...readdirSync(`${ROOT}docs`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  ...GUIDES.map((name) => `docs/guides/${name}`),
];

const read = (path: string) => readFileSync(`${ROOT}${path}`, "utf8");

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const withoutCode = (text: string) => text.replaceAll(/^```.*?^```$/gms, "");

function anchors(path: string): string[] {
  return [...withoutCode(read(path)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    anchorOf(heading as string),
  );
}

/** A bench that is documented where benches are chosen. */
const isBench = (name: string) => name !== "" && read("bench/main.ts").includes(`npm run bench -- ${name} `);

/** The links of a page that lead nowhere: to no file, or to no heading of one. */
function broken(page: string): string[] {
  const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to]) => to as string);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : join(dirname(page), path);
    if (!existsSync(`${ROOT}${target}`)) return true;
    return anchor !== undefined && target.endsWith(".md") && !anchors(target).includes(anchor);
  });
}

describe("README and docs", () => {
  for (const page of PAGES) {
    it(`lead nowhere wrong from ${page}`, () => {
      expect(broken(page)).toEqual([]);
    });
  }

  it("name only files that there are", () => {
    const folders = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const names = folders.map(({ name }) => name).join("|");
    const path = new RegExp(`\`((?:${names})/[\\w./-]+\\.(?:ts|md|capnp|toml))\``, "g");
    const missing = PAGES.flatMap((page) =>
      [...read(page).matchAll(path)]
        .filter(([, file]) => !existsSync(`${ROOT}${file}`))
        .map(([, file]) => `${page}: ${file}`),
    );
    expect(missing).toEqual([]);
  });

  it("say of each dependency why it is there", () => {
    const architecture = read("docs/ARCHITECTURE.md");
    const { dependencies, devDependencies } = JSON.parse(read("package.json"));
    const unexplained = Object.keys({ ...dependencies, ...devDependencies }).filter(
      (name) => !architecture.includes(`\`${name}\``),
    );
    expect(unexplained).toEqual([]);
  });

  it("name only commands that there are", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const unknown = PAGES.flatMap((page) =>
      [...read(page).matchAll(/npm run (?:-s )?([\w:-]+)(?: -- (\w+))?/g)]
        .filter(
          ([, script = "", bench = ""]) => !(script in scripts) || (script === "bench" && !isBench(bench)),
        )
        .map(([command]) => `${page}: ${command}`),
    );
    expect(unknown).toEqual([]);
  });

  it("name every guide in the guides' index", () => {
    const index = read("docs/guides/README.md");
    const missing = GUIDES.filter((name) => name !== "README.md" && !index.includes(`(${name})`));
    expect(missing).toEqual([]);
  });

  it("show the files of examples/lanterns as they stand there", () => {
    const blocks = [...read("docs/guides/first-room.md").matchAll(/^```\w+ file=(\S+)\n(.*?)^```$/gms)];
    // The example takes its compiler options from the repository.
    const shown = new Map(blocks.map(([, name, text]) => [name as string, text as string]));
    shown.delete("tsconfig.json");
    const files = readdirSync(`${ROOT}examples/lanterns`).filter((name) => /\.(ts|html|toml)$/.test(name));
    expect([...shown.keys()].sort()).toEqual(files.sort());
    for (const [name, text] of shown) expect(text).toBe(read(`examples/lanterns/${name}`));
  });
});
