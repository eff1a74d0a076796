// Starts the server of each system, and reads its process's CPU and memory from /proc (Linux).
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const CLOCK_TICKS_PER_SECOND = 100;
const START_DEADLINE_MS = 30_000;

// Bare workerd: the proxy of `wrangler dev` costs as much again as the room.
const config = (className) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .room), (name = "storage", disk = (path = "storage", writable = true))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const room :Workerd.Worker = (
  modules = [(name = "room.js", esModule = embed "room.js")],
  compatibilityDate = "2026-10-01",
  compatibilityFlags = ["nodejs_compat"],
  durableObjectNamespaces = [(className = "${className}", uniqueKey = "room", enableSql = true)],
  durableObjectStorage = (localDisk = "storage"),
  bindings = [(name = "Room", durableObjectNamespace = "${className}"), (name = "TICKROOM_DEV_JOIN", text = "on")],
);
`;

function workerd(entry, className, port, dir) {
  const toml = path.join(dir, "wrangler.toml");
  mkdirSync(path.join(dir, "storage"));
  writeFileSync(
    toml,
    `name = "live"\nmain = "${path.join(HERE, entry)}"\ncompatibility_date = "2026-10-01"\ncompatibility_flags = ["nodejs_compat"]
[[durable_objects.bindings]]\nname = "Room"\nclass_name = "${className}"\n[[migrations]]\ntag = "v1"\nnew_sqlite_classes = ["${className}"]\n`,
  );
  const wrangler = path.join(path.dirname(require.resolve("wrangler/package.json")), "bin/wrangler.js");
  const env = {
    ...process.env,
    CI: "1",
    WRANGLER_SEND_METRICS: "false",
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
  };
  const bundle = path.join(dir, "out");
  execFileSync(process.execPath, [wrangler, "deploy", "--dry-run", "--config", toml, "--outdir", bundle], {
    cwd: dir,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const built = entry.replace(/\.\w+$/, ".js");
  writeFileSync(path.join(dir, "room.js"), readFileSync(path.join(bundle, built)));
  writeFileSync(path.join(dir, "room.capnp"), config(className));
  const binary = require("workerd").default;
  return [binary, ["serve", "room.capnp", "--experimental", `--socket-addr=http=127.0.0.1:${port}`]];
}

const RECIPES = {
  ours: (port, dir) => workerd("ours-worker.ts", "OursRoom", port, dir),
  partyserver: (port, dir) => workerd("partyserver.mjs", "Room", port, dir),
  ceiling: (port, dir) => workerd("ceiling.mjs", "Room", port, dir),
  colyseus: (port) => [process.execPath, [path.join(HERE, "colyseus.mjs"), String(port)]],
};
const STATS = {
  ours: "/rooms/live:bench/stats",
  partyserver: "/parties/room/bench",
  ceiling: "/rooms/bench",
  colyseus: "/stats",
};

function usage(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const rssKb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND,
    rssMb: Math.round(rssKb / 1024),
  };
}

export async function startServer(name, port) {
  const dir = mkdtempSync(path.join(tmpdir(), `tickroom-live-${name}-`));
  let child;
  let errors = "";
  const stop = async () => {
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    }
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const [command, args] = RECIPES[name](port, dir);
    child = spawn(command, args, { cwd: dir, stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.on("data", (data) => {
      errors = (errors + data).slice(-4000);
    });
    const url = `http://127.0.0.1:${port}`;
    const stats = async (reset) => {
      const response = await fetch(`${url}${STATS[name]}${reset ? "?reset" : ""}`, {
        signal: AbortSignal.timeout(10_000),
      });
      if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
      return response.json();
    };
    const deadlineMs = performance.now() + START_DEADLINE_MS;
    while (!(await stats(false).catch(() => undefined))) {
      if (performance.now() > deadlineMs || child.exitCode !== null)
        throw new Error(`${name} didn't start: ${errors}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return { url, stats, usage: () => usage(child.pid), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
