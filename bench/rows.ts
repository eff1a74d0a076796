import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unstable_startWorker as startWorker } from "wrangler";
import { drawFrames } from "./frames.ts";
import { LoadClient } from "./load-client.ts";
import { RoomAddress } from "./room-address.ts";

/** What a room wrote, by the storage's own counter; an alarm counts as one row. */
export interface RowFigures {
  readonly rowsPerCommit: number;
  readonly rowsPerSecond: number;
  readonly commitsPerSecond: number;
  readonly windowsPerSecond: number;
}

export interface RowsReport {
  /** By number of players, with a commit at every window. */
  readonly players: Readonly<Record<string, RowFigures>>;
  /** The same with `commitEvery: 4`. */
  readonly commitEvery4: Readonly<Record<string, RowFigures>>;
}

const CONFIG = fileURLToPath(new URL("./rows.toml", import.meta.url));
const SIZES = [1, 8, 64];
const SECONDS = 6;
const JOIN_DEADLINE_MS = 60_000;

/** Measures rooms of several sizes in a workerd of its own, one after another. */
export async function measureRows(say: (text: string) => void): Promise<RowsReport> {
  // Otherwise it asks the network for a sample `request.cf`.
  process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
  const persist = mkdtempSync(join(tmpdir(), "tickroom-rows-"));
  const worker = await startWorker({
    config: CONFIG,
    dev: { persist, watch: false, inspector: false, logLevel: "error", server: { port: 0 } },
  });
  try {
    const url = (await worker.url).href;
    const report = { players: {}, commitEvery4: {} } as Record<keyof RowsReport, Record<string, RowFigures>>;
    for (const [kind, into] of [
      ["every", report.players],
      ["fourth", report.commitEvery4],
    ] as const) {
      for (const size of SIZES) {
        into[size] = await measureRoom(url, kind, size);
        say(`${kind} ${size}: ${JSON.stringify(into[size])}`);
      }
    }
    return report;
  } finally {
    await worker.dispose();
    rmSync(persist, { recursive: true, force: true });
  }
}

async function measureRoom(url: string, kind: string, size: number): Promise<RowFigures> {
  const room = new RoomAddress(url, `${kind}:rows-${size}`);
  const clients: LoadClient[] = [];
  try {
    for (let i = 0; i < size; i++) {
      clients.push(new LoadClient(await room.join(`player ${i + 1}`), `player ${i + 1}`, i));
    }
    const deadlineMs = performance.now() + JOIN_DEADLINE_MS;
    const allIn = () => clients.every(({ playing }) => playing);
    await drawFrames(clients, () => allIn() || performance.now() > deadlineMs);
    if (!allIn()) throw new Error(`not all of ${size} players came into the room in time`);
    const before = await room.stats();
    const startMs = performance.now();
    await drawFrames(clients, () => performance.now() - startMs >= SECONDS * 1000);
    const seconds = (performance.now() - startMs) / 1000;
    const after = await room.stats();
    const rows = after.rowsWritten - before.rowsWritten;
    const commits = after.commits - before.commits;
    return {
      rowsPerCommit: round(rows / commits),
      rowsPerSecond: round(rows / seconds),
      commitsPerSecond: round(commits / seconds),
      windowsPerSecond: round((after.windows - before.windows) / seconds),
    };
  } finally {
    for (const client of clients) client.leave();
  }
}

const round = (value: number) => Math.round(value * 100) / 100;
