/**
 * Makes the inspect page one string, with the policy that allows its own script and style and nothing else. Usage:
 * scripts/inspect-page.ts <output file>
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const [, , out = here("../worker/generated/inspect-page.ts")] = process.argv;
const result = await build({
  root: here("../inspect"),
  configFile: false,
  logLevel: "warn",
  build: {
    write: false,
    target: "es2023",
    lib: { entry: here("../inspect/page.ts"), formats: ["es"], fileName: "page" },
    rolldownOptions: {
      output: { minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } } },
    },
  },
});
const [{ output } = { output: [] }] = [result].flat() as { output: { type: string; code: string }[] }[];
const [chunk, ...others] = output.filter(({ type }) => type === "chunk");
if (!chunk || others.length > 0) throw new Error("the page's script must be one file");
// An end of the element inside the script would end it.
const script = `\n${chunk.code.replaceAll("</script", "<\\/script").trim()}\n`;

const page = readFileSync(here("../inspect/page.html"), "utf8");
const [, style] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
if (style === undefined) throw new Error("the page has no style");
const whole = page.replace("</body>", () => `<script type="module">${script}</script>\n</body>`);
const sha = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${sha(script)}`,
  `style-src ${sha(style)}`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

writeFileSync(
  out,
  `// Made from inspect/ by \`npm run gen\`.
export const INSPECT_PAGE = ${JSON.stringify(whole)};

/** Content-Security-Policy of the page. */
export const INSPECT_POLICY = ${JSON.stringify(policy)};
`,
);
