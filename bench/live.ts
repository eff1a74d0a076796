/** What one run of one system came to, with as many clients as its key says. */
interface LiveFigures {
  /** Of one core, the server's process alone. */
  readonly cpuPercent: number;
  /** How late windows began, by the system's own clock. */
  readonly latenessP99Ms: number | null;
  /** Ours only. */
  readonly slippedTicks: number | null;
  readonly snapshotsPerClientPerSecond: number;
  /** Messages, without WebSocket headers. */
  readonly bytesPerClientPerSecond: number;
  readonly rssMb: number;
  /** What the load generator took of one core: ours plays with whole clients, the others don't decode. */
  readonly loadCpuPercent: number;
}

interface Failed {
  readonly failed: string;
}

interface RunLoad {
  runLoad(system: string, clients: number, seconds: number, port: number): Promise<LiveFigures>;
}

type LiveReport = Record<string, Record<string, LiveFigures | Failed>>;

const SYSTEMS = ["ours", "ceiling", "colyseus", "partyserver"];
const SIZES = [25, 50, 100, 200];
const SECONDS = 8;
const PORT = 8750;

/**
 * The same load for a room of ours, a Colyseus room on Node, a PartyServer room that sends JSON, and an object that only
 * broadcasts 450 bytes: the ceiling of the runtime. A run that loses a client is reported as failed.
 */
export async function measureRoom(say: (text: string) => void): Promise<LiveReport> {
  const { runLoad } = (await import(new URL("./live/load.mjs", import.meta.url).href).catch((cause) => {
    throw new Error("the other systems aren't installed: npm run bench:install", { cause });
  })) as RunLoad;
  const report: LiveReport = {};
  for (const size of SIZES) {
    for (const system of SYSTEMS) {
      const figures = await runLoad(system, size, SECONDS, PORT).catch(
        (error: unknown): Failed => ({ failed: error instanceof Error ? error.message : String(error) }),
      );
      report[system] = { ...report[system], [size]: figures };
      say(`${system} ${size}: ${JSON.stringify(figures)}`);
    }
  }
  return report;
}
