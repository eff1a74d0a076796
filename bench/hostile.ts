/** Runs the hostile suite and prints what its bystander had of each attack. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** As the suite leaves it with each test. */
interface Calm {
  readonly attack: string;
  readonly commands: number;
  readonly acknowledged: number;
  readonly actions: number;
  readonly receipts: number;
  readonly widestTicks: number;
  readonly slippedTicks: number;
  readonly meanLateMs: number;
  readonly latestMs: number | null;
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly status: string;
      readonly meta?: { readonly bystander?: Calm };
    }[];
  }[];
}

const folder = mkdtempSync(join(tmpdir(), "tickroom-hostile-"));
const file = join(folder, "report.json");
const run = ["vitest", "run", "--project", "workerd", "test/workerd/hostile"];
const { status } = spawnSync("npx", [...run, "--reporter=json", `--outputFile=${file}`], {
  stdio: ["ignore", "ignore", "inherit"],
});
const report = JSON.parse(readFileSync(file, "utf8")) as Report;
rmSync(folder, { recursive: true });

console.log(
  "| attack | | commands acknowledged | receipts | widest gap, ticks | slipped ticks | late on average, ms | at most, ms |",
);
console.log("|---|---|---|---|---|---|---|---|");
for (const { status: passed, meta } of report.testResults.flatMap(
  ({ assertionResults }) => assertionResults,
)) {
  const it = meta?.bystander;
  if (!it) continue;
  const cells = [
    it.attack,
    passed === "passed" ? "ok" : "FAILED",
    `${it.acknowledged} of ${it.commands}`,
    `${it.receipts} of ${it.actions}`,
    it.widestTicks,
    it.slippedTicks,
    it.meanLateMs.toFixed(1),
    it.latestMs ?? "over 1000",
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
process.exitCode = status ?? 1;
