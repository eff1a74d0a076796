import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unstable_startWorker as startWorker } from "wrangler";
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
    const response = await this.#worker.fetch(`http://faults/${seed}`);
    const text = await response.text();
    if (!response.ok) throw new Error(`seed ${seed}: ${response.status} ${text}`);
    return JSON.parse(text) as Verdict;
  }

  async dispose(): Promise<void> {
    await this.#worker.dispose();
    rmSync(this.#stateDir, { recursive: true, force: true });
  }
}
