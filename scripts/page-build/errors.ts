/**
 * The words that errors of production pages say by code.
 *
 *     npm run error [-- <code>]    # of one code; without it, all of them
 */
import { basename } from "node:path";
import { errorTexts } from "./index.ts";

const [asked] = process.argv.slice(2);
const wanted = asked && `#${asked.replace(/^#/, "")}`;
const found = errorTexts().filter(({ code }) => !wanted || code === wanted);
for (const { code, text, path } of found) console.log(`${code}  ${text}  (${basename(path)})`);
if (found.length === 0) {
  console.error(`no error of this version has the code ${wanted}`);
  process.exitCode = 1;
}
