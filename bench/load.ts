/**
 * Plays in a running room with bots and real clients, and says what the room made of it.
 *
 *     npm start                                                # in another terminal
 *     npm run load -- --clients 8 --bots 32 --seconds 20 --json
 */
import { parseArgs } from "node:util";
import type { RoomStats } from "../room/index.ts";
import { drawFrames } from "./frames.ts";
import { LoadClient } from "./load-client.ts";
import { RoomAddress } from "./room-address.ts";

const JOIN_DEADLINE_MS = 15_000;

interface LoadOptions {
  readonly url: string;
  readonly clients: number;
  readonly bots: number;
  readonly seconds: number;
  readonly seed: number;
}

/** What a run comes to. Counters are of the measured seconds, without joining. */
interface LoadResult {
  readonly windows: number;
  /** How late windows began; over the room's life, which began with the run. */
  readonly latenessP50Ms: number;
  readonly latenessP99Ms: number;
  readonly slippedTicks: number;
  /** What a client received, frames without WebSocket headers. */
  readonly bytesPerClientPerSecond: number;
  readonly inputsConsumed: number;
  readonly inputsMissing: number;
}

function assertAllHere(clients: readonly LoadClient[], bots: number, stats: RoomStats): void {
  const lost = clients.flatMap(({ lost }, index) => (lost ? [`client ${index + 1} ${lost}`] : []));
  if (lost.length > 0) throw new Error(lost.join("; "));
  if (stats.bots !== bots) throw new Error(`the room has ${stats.bots} bots, not ${bots}`);
  if (stats.connections !== clients.length) {
    throw new Error(`the room has ${stats.connections} connections, not ${clients.length}`);
  }
}

async function run({ url, clients: count, bots, seconds, seed }: LoadOptions): Promise<LoadResult> {
  const room = new RoomAddress(url, `arena:load-${crypto.randomUUID().slice(0, 13)}`);
  await room.create({ bots });
  const clients: LoadClient[] = [];
  try {
    for (let i = 0; i < count; i++) {
      clients.push(new LoadClient(await room.join(`load ${i + 1}`), `load ${i + 1}`, seed + i));
    }
    const deadlineMs = performance.now() + JOIN_DEADLINE_MS;
    await drawFrames(
      clients,
      () => clients.every(({ playing }) => playing) || performance.now() > deadlineMs,
    );
    const before = await room.stats();
    assertAllHere(clients, bots, before);
    const bytesBefore = clients.map(({ bytesIn }) => bytesIn);
    const startMs = performance.now();
    await drawFrames(clients, () => performance.now() - startMs >= seconds * 1000);
    const tookSeconds = (performance.now() - startMs) / 1000;
    const after = await room.stats();
    assertAllHere(clients, bots, after);
    if (after.incarnation !== before.incarnation) throw new Error("the room was restarted during the run");
    const bytes = clients.reduce((sum, { bytesIn }, i) => sum + bytesIn - (bytesBefore[i] ?? 0), 0);
    return {
      windows: after.windows - before.windows,
      latenessP50Ms: after.latenessP50Ms,
      latenessP99Ms: after.latenessP99Ms,
      slippedTicks: after.slippedTicks - before.slippedTicks,
      bytesPerClientPerSecond: Math.round(bytes / count / tookSeconds),
      inputsConsumed: after.inputsConsumed - before.inputsConsumed,
      inputsMissing: after.inputsMissing - before.inputsMissing,
    };
  } finally {
    for (const client of clients) client.leave();
  }
}

/** A whole number within bounds, or an error that names the option. */
function whole(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`--${name} is ${text}; it must be a whole number from ${min} to ${max}`);
}

function readOptions(): LoadOptions & { json: boolean } {
  const { values } = parseArgs({
    options: {
      clients: { type: "string", default: "8" },
      bots: { type: "string", default: "32" },
      seconds: { type: "string", default: "20" },
      url: { type: "string", default: "http://127.0.0.1:8787" },
      seed: { type: "string", default: "1" },
      json: { type: "boolean", default: false },
    },
  });
  return {
    url: values.url,
    clients: whole("clients", values.clients, 1, 100),
    bots: whole("bots", values.bots, 0, 150),
    seconds: whole("seconds", values.seconds, 1, 600),
    seed: whole("seed", values.seed, 0, 0xffff_ffff),
    json: values.json,
  };
}

try {
  const options = readOptions();
  // However the server behaves, this ends.
  setTimeout(
    () => {
      console.error("the run doesn't end by itself; giving up");
      process.exit(1);
    },
    options.seconds * 1000 + 60_000,
  ).unref();
  const result = await run(options);
  if (options.json) console.log(JSON.stringify(result));
  else for (const [name, value] of Object.entries(result)) console.log(name.padEnd(26), value);
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
