import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

it("[X2] the guide's table of attacks is the hostile suite's, name by name and answer by answer", () => {
  const suite = [...read("test/workerd/hostile/table.ts").matchAll(/^ {2}"(.+)": "(.+)",$/gm)];
  const [, rest = ""] = read("docs/guides/limits-and-security.md").split("<!-- attacks: begin -->\n");
  const [table = ""] = rest.split("<!-- attacks: end -->");
  const rows = suite.map(([, name, answer]) => `| ${name} | ${answer} |\n`);
  expect(rows.length).toBeGreaterThanOrEqual(25);
  expect(table).toBe(`| attack | answer |\n| --- | --- |\n${rows.join("")}`);
});
