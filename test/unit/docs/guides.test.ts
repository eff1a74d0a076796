import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const GUIDES = fileURLToPath(new URL("../../../docs/guides/", import.meta.url));
/** Inside the repository, so that `tickroom/…` means this package. */
const SAMPLES = fileURLToPath(new URL("../../../.guide-samples/", import.meta.url));

afterAll(() => rmSync(SAMPLES, { recursive: true, force: true }));

/** Writes a guide's files as they stand there; gives the paths of its tests. */
function extract(guide: string): string[] {
  const text = readFileSync(`${GUIDES}${guide}`, "utf8");
  const folder = `${SAMPLES}${guide.replace(".md", "")}/`;
  mkdirSync(folder, { recursive: true });
  const files = [...text.matchAll(/^```ts file=(\S+)\n(.*?)^```$/gms)];
  for (const [, name, code] of files) writeFileSync(`${folder}${name}`, code as string);
  return files.map(([, name]) => `${folder}${name}`).filter((path) => path.endsWith(".test.ts"));
}

const guides = readdirSync(GUIDES).filter((name) => name.endsWith(".md"));

describe("guides", () => {
  it("has the guides of this stage, with samples in each", () => {
    const written = ["actions-and-receipts.md", "prediction.md", "surviving-crashes.md"];
    expect(guides).toEqual(expect.arrayContaining(written));
  });
});

for (const guide of guides) {
  const tests = extract(guide);
  // One that has only commands and figures in it.
  if (tests.length === 0) continue;
  // The samples' own tests, registered here: a guide whose code no longer works fails by its own words.
  describe(`the samples of ${guide}`, async () => {
    for (const path of tests) await import(/* @vite-ignore */ path);
  });
}
