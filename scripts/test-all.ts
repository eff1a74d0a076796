/**
 * `npm test`: every check, then every test. Nothing stops at the first failure, so one run tells everything. The last
 * line is `N passed, N failed`; it counts tests, and each failed check as one failure, so that it never says
 * "0 failed" beside a failing exit code.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const RESULTS = ".test-results";
const STEP_LIMIT_MS = 15 * 60_000;

const CHECKS: readonly (readonly [title: string, command: string])[] = [
  ["system tools", "scripts/ensure-system-tools"],
  ["format and lint", "npm run -s lint"],
  ["types", "npm run -s types"],
  ["import rule", "npm run -s rules"],
  ["unused code", "npm run -s unused"],
  ["generated code", "npm run -s gen:check"],
  ["deployable", "npm run -s deploy:dry"],
  ["weight of the SDK", "npm run -s size"],
];

/** Every step gets these: a test run must not ask the network for news of its tools. */
const ENV = { ...process.env, WRANGLER_HIDE_BANNER: "true", CLOUDFLARE_CF_FETCH_ENABLED: "false" };

/** Slowest last: a broken rule shows before a browser starts. */
const PROJECTS = ["unit", "scenarios", "page-build", "workerd", "browser"];

function run(title: string, command: string): boolean {
  console.log(`\n── ${title} ──`);
  const startedMs = Date.now();
  const { status } = spawnSync(command, {
    shell: "/bin/bash",
    stdio: "inherit",
    env: ENV,
    timeout: STEP_LIMIT_MS,
  });
  const ok = status === 0;
  console.log(`── ${title}: ${ok ? "ok" : "FAILED"} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`);
  return ok;
}

function check(title: string, command: string): Counts {
  return { passed: 0, failed: run(title, command) ? 0 : 1, skipped: 0 };
}

function test(project: string): Counts {
  const file = `${RESULTS}/${project}.json`;
  const ok = run(
    `tests: ${project}`,
    `vitest run --project ${project} --reporter=default --reporter=json --outputFile.json=${file}`,
  );
  const counts = readCounts(file);
  // A file that doesn't load, an unhandled error or a project without tests fails the run but no test.
  if (counts.failed === 0 && (!ok || counts.passed === 0)) counts.failed = 1;
  return counts;
}

function readCounts(file: string): Counts {
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

// Emptied first: the counts of an earlier run must not pass for this one's.
rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS);

const total: Counts = { passed: 0, failed: 0, skipped: 0 };
const steps = [
  ...CHECKS.map(
    ([title, command]) =>
      () =>
        check(title, command),
  ),
  ...PROJECTS.map((project) => () => test(project)),
];
for (const step of steps) {
  const { passed, failed, skipped } = step();
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}

console.log(
  `\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`,
);
process.exitCode = total.failed === 0 ? 0 : 1;
