import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "./poll.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Building the page and starting workerd takes a few seconds, many on a busy machine. */
const START_WITHIN_MS = 90_000;

/** A port that nobody listens on now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

/** `wrangler dev` with the demo, its state in a directory of its own. */
export class DevServer {
  readonly port: number;
  readonly url: string;
  readonly #args: readonly string[];
  readonly #stateDir = mkdtempSync(join(tmpdir(), "tickroom-browser-"));
  #process: ChildProcess | undefined;
  #output = "";

  private constructor(port: number, args: readonly string[]) {
    this.port = port;
    // wrangler listens on localhost, which may be ::1 only.
    this.url = `http://localhost:${port}`;
    this.#args = args;
  }

  /** @param args further arguments for `wrangler dev` */
  static async start(args: readonly string[] = []): Promise<DevServer> {
    const server = new DevServer(await freePort(), args);
    server.spawn();
    await server.answers();
    return server;
  }

  /** Where its Durable Objects' databases are. */
  get stateDir(): string {
    return this.#stateDir;
  }

  /** Starts the process, also again after a kill: same port, same state. */
  spawn(): void {
    // A process group of its own, so that all of wrangler's processes can be ended together.
    const child = spawn(
      "scripts/dev",
      ["--persist-to", this.#stateDir, "--inspector-port", "0", ...this.#args],
      {
        cwd: ROOT,
        env: { ...process.env, PORT: String(this.port) },
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        this.#output += String(chunk);
      });
    }
    this.#process = child;
  }

  /** Waits until it answers. */
  async answers(): Promise<void> {
    await until(
      "the server to answer",
      async () => {
        if (this.#process?.exitCode !== null) throw new Error(`the server has ended:\n${this.#output}`);
        const response = await fetch(`${this.url}/health`).catch(() => undefined);
        return response?.ok === true;
      },
      { withinMs: START_WITHIN_MS },
    ).catch((error) => {
      throw new Error(`${error.message}\n${this.#output}`, { cause: error });
    });
  }

  /** Ends it without any chance to tidy up, as a crash would. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    process.kill(-child.pid, "SIGKILL");
    await ended;
    // Its children hold the port for a moment longer.
    await until("the port to be free", async () => {
      const response = await fetch(`${this.url}/health`).catch(() => undefined);
      return response === undefined;
    });
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#stateDir, { recursive: true, force: true });
  }

  async createRoom(room: string, options: unknown): Promise<void> {
    const response = await fetch(`${this.url}/rooms/${room}`, {
      method: "POST",
      body: JSON.stringify(options),
    });
    if (!response.ok) throw new Error(`the room was not made: ${response.status} ${await response.text()}`);
  }
}
