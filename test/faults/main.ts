/**
 * Plays rooms through random schedules of crashes, drops, reloads and late alarms, and holds what is left against
 * what was promised.
 *
 *     npm run faults -- --runs 1000 --json              # SQLite in workerd
 *     npm run faults -- --runs 1 --seed 17 --show       # one seed alone, with its schedule
 *     npm run faults -- --runs 1000 --store memory      # in this process, faster
 */
import { parseArgs } from "node:util";
import { type Report, type RunResult, reportOf } from "./report.ts";
import { runSeed } from "./run.ts";
import { scheduleOf } from "./schedule.ts";
import type { Verdict } from "./verdict.ts";

/** A seed takes a second or two; one that takes this long never ends. */
const SEED_WITHIN_MS = 120_000;

/** Plays seeds somewhere. */
interface Host {
  run(seed: number): Promise<Verdict>;
  dispose(): Promise<void>;
}

const MEMORY: Host = { run: (seed) => runSeed(seed), dispose: () => Promise.resolve() };

async function hostFor(store: "sqlite" | "memory"): Promise<Host> {
  if (store === "memory") return MEMORY;
  const { WorkerdHost } = await import("./workerd-host.ts");
  return WorkerdHost.start();
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function whole(name: string, text: string, min: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= 0xffff_ffff) return value;
  throw new Error(`--${name} is ${text}; it must be a whole number from ${min}`);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: "1000" },
      seed: { type: "string", default: "1" },
      store: { type: "string", default: "sqlite" },
      json: { type: "boolean", default: false },
      show: { type: "boolean", default: false },
    },
  });
  if (values.store !== "sqlite" && values.store !== "memory") {
    throw new Error(`--store is ${values.store}; it must be sqlite or memory`);
  }
  const { json, show } = values;
  const store: "sqlite" | "memory" = values.store;
  return { runs: whole("runs", values.runs, 1), seed: whole("seed", values.seed, 0), store, json, show };
}

async function within(host: Host, seed: number): Promise<Verdict> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Verdict>((resolve) => {
    const divergent = [`the run took longer than ${SEED_WITHIN_MS / 1000} s`];
    timer = setTimeout(() => resolve({ lost: [], doubled: [], divergent }), SEED_WITHIN_MS);
  });
  try {
    return await Promise.race([host.run(seed), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function runAll(host: Host, { seed, runs, show }: ReturnType<typeof readOptions>): Promise<Report> {
  const results: RunResult[] = [];
  const startMs = performance.now();
  for (let at = seed; at < seed + runs; at++) {
    if (show) say(JSON.stringify(scheduleOf(at), undefined, 1));
    const verdict = await within(host, at);
    results.push({ seed: at, verdict });
    for (const [kind, problems] of Object.entries(verdict) as [string, readonly string[]][]) {
      for (const problem of problems.slice(0, 5)) say(`seed ${at}: ${kind}: ${problem}`);
      if (problems.length > 5) say(`seed ${at}: ${kind}: and ${problems.length - 5} more`);
    }
    const done = results.length;
    if (done % 100 === 0 || done === runs) {
      const perSecond = (done * 1000) / (performance.now() - startMs);
      say(`${done} runs, ${perSecond.toFixed(2)} runs/s`);
    }
  }
  return reportOf(seed, results);
}

try {
  const options = readOptions();
  const host = await hostFor(options.store);
  try {
    const report = await runAll(host, options);
    if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`);
    else
      for (const [name, value] of Object.entries(report))
        process.stdout.write(`${name.padEnd(14)}${value}\n`);
    process.exitCode = report.failingSeeds.length === 0 ? 0 : 1;
  } finally {
    await host.dispose();
  }
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
