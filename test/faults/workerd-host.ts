import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unstable_startWorker as startWorker } from "wrangler";
import type { ReplayReport } from "../../room/core/index.ts";
import type { Verdict } from "./verdict.ts";

const CONFIG = fileURLToPath(new URL("../workerd/faults.toml", import.meta.url));

type Worker = Awaited<ReturnType<typeof startWorker>>;

/** Plays seeds in workerd, each in a Durable Object of its own, on that object's SQLite. */
export class WorkerdHost {
  readonly #worker: Worker;
  readonly #stateDir: string;

  private constructor(worker: Worker, stateDir: string) {
    this.#worker = worker;
    this.#stateDir = stateDir;
  }

  static async start(): Promise<WorkerdHost> {
    // Otherwise it asks the network for a sample `request.cf`.
    process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
    const stateDir = mkdtempSync(join(tmpdir(), "tickroom-faults-"));
    const worker = await startWorker({
      config: CONFIG,
      dev: { persist: stateDir, watch: false, inspector: false, logLevel: "error", server: { port: 0 } },
    });
    await worker.ready;
    return new WorkerdHost(worker, stateDir);
  }

  async run(seed: number): Promise<Verdict> {
    return (await this.#ask(`seed ${seed}`, `/${seed}`)) as Verdict;
  }

  /** Replays an arena's records, as `encodeExport` makes them. */
  async replay(records: Uint8Array): Promise<ReplayReport> {
    return (await this.#ask("replay", "/replay", { method: "POST", body: records.slice() })) as ReplayReport;
  }

  async #ask(what: string, path: string, init: { method?: string; body?: Uint8Array<ArrayBuffer> } = {}) {
    const response = await this.#worker.fetch(`http://faults${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${what}: ${response.status} ${text}`);
    return JSON.parse(text) as unknown;
  }

  async dispose(): Promise<void> {
    await this.#worker.dispose();
    rmSync(this.#stateDir, { recursive: true, force: true });
  }
}
