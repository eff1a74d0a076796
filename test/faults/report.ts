import type { Verdict } from "./verdict.ts";

/** What `npm run faults` prints. */
export interface Report {
  readonly runs: number;
  readonly seed: number;
  /** Problems of each kind, over all runs. */
  readonly lost: number;
  readonly doubled: number;
  readonly divergent: number;
  /** Each of them fails alone with `--seed n --runs 1`. */
  readonly failingSeeds: readonly number[];
}

/** A run with its seed and what was found, of many. */
export interface RunResult {
  readonly seed: number;
  readonly verdict: Verdict;
}

function isClean({ lost, doubled, divergent }: Verdict): boolean {
  return lost.length + doubled.length + divergent.length === 0;
}

export function reportOf(seed: number, results: readonly RunResult[]): Report {
  const count = (of: keyof Verdict) => results.reduce((sum, { verdict }) => sum + verdict[of].length, 0);
  return {
    runs: results.length,
    seed,
    lost: count("lost"),
    doubled: count("doubled"),
    divergent: count("divergent"),
    failingSeeds: results.filter(({ verdict }) => !isClean(verdict)).map((result) => result.seed),
  };
}
