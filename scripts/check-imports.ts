/**
 * Runs dependency-cruiser over the import rule in .dependency-cruiser.cjs and then checks the check: a cruise that
 * sees no modules or no imports (a TypeScript it can't read, a renamed folder) finds no violations and looks green.
 */
import { cruise, type ICruiseResult, type IModule } from "dependency-cruiser";
import extractOptions from "dependency-cruiser/config-utl/extract-depcruise-options";

const FOLDERS = [
  "sim",
  "protocol",
  "room",
  "worker",
  "client-sdk",
  "demo",
  "examples",
  "test",
  "bench",
  "scripts",
];

async function cruiseAll(): Promise<ICruiseResult> {
  const options = await extractOptions("./.dependency-cruiser.cjs");
  const { output } = await cruise(FOLDERS, { ...options, validate: true });
  if (typeof output === "string") throw new Error("dependency-cruiser answered with text");
  return output;
}

function violations({ summary }: ICruiseResult): string[] {
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
}

/** The demo and the examples are users' games: they must reach the package by its name, as a user does. */
const USERS = /^(demo|examples\/[^/]+)\//;

function relativeReaches(modules: readonly IModule[]): string[] {
  return modules.flatMap(({ source, dependencies }) => {
    const folder = USERS.exec(source)?.[0];
    if (folder === undefined) return [];
    return dependencies
      .filter(({ module, resolved }) => module.startsWith(".") && !resolved.startsWith(folder))
      .map(({ module }) => `games-use-the-package-name: ${source} → ${module}`);
  });
}

function blindSpots(modules: readonly IModule[]): string[] {
  return FOLDERS.filter(
    (folder) => !modules.some(({ source }) => source.startsWith(`${folder}/`) && source.endsWith(".ts")),
  ).map((folder) => `saw no modules in ${folder}/: this check is blind there`);
}

const result = await cruiseAll();
const imports = result.summary.totalDependenciesCruised ?? 0;
const problems = [...violations(result), ...relativeReaches(result.modules), ...blindSpots(result.modules)];
if (imports === 0) problems.push("saw no imports at all: this check is blind");

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${result.modules.length} modules, ${imports} imports, none against the rule`);
