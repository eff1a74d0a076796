/**
 * The import rule. Imports point one way: sim ← protocol ← client-sdk, room ← worker; the demo and the tests stand
 * outside. Each folder's index.ts is its only door. `scripts/check-imports.ts` runs this and checks that it saw the code.
 */

/** What each folder may use: other folders (by their door) and packages. Everything else is an error. */
const MAY_USE = {
  sim: { folders: [], packages: [] },
  protocol: { folders: ["sim"], packages: [] },
  "client-sdk": { folders: ["sim", "protocol"], packages: ["idb-keyval", "uplot"] },
  room: {
    folders: ["sim", "protocol"],
    packages: ["partyserver"],
    platform: "^(cloudflare:|(node:)?crypto$)",
  },
  worker: { folders: ["room", "protocol"], packages: ["hono", "partyserver"], platform: "^cloudflare:" },
  demo: {
    folders: ["sim", "room", "worker", "client-sdk"],
    packages: ["vite", "@dimforge/rapier2d-deterministic"],
    files: ["client-sdk/debug/index\\.ts"],
    platform: "^(cloudflare:|(node:)?url$)",
  },
  examples: {
    folders: ["sim", "room", "worker", "client-sdk"],
    packages: ["vitest"],
    files: ["test/harness/index\\.ts"],
    platform: "^cloudflare:",
  },
  bench: {
    folders: ["sim", "protocol", "room", "worker", "client-sdk"],
    packages: ["vite", "wrangler", "workerd", "playwright-core", "partyserver"],
    // The game that it plays, a room's door that opens outside Workers, and the package's harness.
    files: [
      "demo/(yard/)?(game|rules|gun|ballistics|rapier|events)\\.ts",
      "demo/rapier-glue\\.ts",
      "room/(cost|replay)\\.ts",
      // What it weighs is what a page's build makes of the sources.
      "scripts/page-build/index\\.ts",
      "test/harness/index\\.ts",
    ],
    platform: "^(cloudflare:|(node:)?[a-z_/]+$)",
  },
  inspect: { folders: ["room"], packages: ["uplot"] },
  scripts: {
    folders: [],
    packages: ["dependency-cruiser", "typescript", "vite"],
    files: ["demo/vite\\.config\\.ts"],
    platform: "^(node:)?[a-z_/]+$",
  },
};

const allowedPaths = (folder, { folders, packages, files = [], platform }) => [
  `^${folder}/`,
  ...folders.map((other) => `^${other}/index\\.ts$`),
  ...packages.map((name) => `^node_modules/${name}/`),
  ...files.map((file) => `^${file}$`),
  ...(platform === undefined ? [] : [platform]),
];

module.exports = {
  forbidden: [
    ...Object.entries(MAY_USE).map(([folder, allowed]) => ({
      name: `${folder}-imports`,
      comment: `${folder} may import only ${[...allowed.folders, ...allowed.packages].join(", ") || "itself"}`,
      severity: "error",
      from: { path: `^${folder}/` },
      to: { pathNot: allowedPaths(folder, allowed) },
    })),
    {
      name: "protocol-takes-only-types-of-sim",
      comment: "The wire code must not run the simulation: it takes sim's types and nothing else",
      severity: "error",
      from: { path: "^protocol/" },
      to: { path: "^sim/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "inspect-takes-only-types-of-room",
      comment: "The page must not carry the room's code",
      severity: "error",
      from: { path: "^inspect/" },
      to: { path: "^room/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "room-core-is-pure",
      comment: "The core runs in any process on a given clock: platform and storage come in as arguments",
      severity: "error",
      from: { path: "^room/core/" },
      to: { pathNot: ["^room/core/", "^(sim|protocol)/index\\.ts$"] },
    },
    {
      name: "nothing-imports-tests",
      comment: "Code that ships must not need the tests",
      severity: "error",
      from: { pathNot: "^test/" },
      to: { path: "^test/", pathNot: "^test/harness/index\\.ts$" },
    },
    {
      name: "tests-know-their-own-doors",
      comment: "The harness is part of the package (tickroom/testing): it must not need the tests around it",
      severity: "error",
      from: { path: "^test/harness/[^.]+\\.ts$" },
      to: { path: "^(test/(?!harness/)|demo/|worker/|bench/|scripts/)" },
    },
    {
      name: "no-cycles",
      comment: "Two modules that run each other can't be read, tested or replaced one at a time",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-unresolved",
      comment: "An import that can't be resolved escapes every other rule",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^(cloudflare:|virtual:)" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: {
      path: [
        "^(\\.page|\\.size|\\.tsc|\\.wrangler)/",
        "^examples/[^/]+/(dist|\\.wrangler)/",
        // Other systems, in plain JavaScript: their packages are there only after `npm run bench:install`.
        "^bench/(live|wire)/[^/]+\\.mjs$",
      ],
    },
    // Without it `import type` is invisible, and protocol's types from sim with it.
    tsPreCompilationDeps: true,
    detectJSDocImports: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"],
      mainFields: ["module", "main"],
      extensions: [".ts", ".mts", ".js", ".mjs", ".json"],
    },
  },
};
