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
  /** What the load generator took of one core. From about 90 on, the load is what is slow. */
  readonly loadCpuPercent: number;
}

interface Failed {
  readonly failed: string;
}

interface RunLoad {
  runLoad(system: string, clients: number, seconds: number, port: number): Promise<LiveFigures>;
}

type LiveReport = Record<string, Record<string, LiveFigures | Failed | Ratios>>;

/** Our server's CPU as a multiple of another system's, of the same run. */
interface Ratios {
  readonly ofCeiling: number | undefined;
  readonly ofColyseus: number | undefined;
}

const SYSTEMS = ["ours", "ceiling", "colyseus", "partyserver"];
export const ROOM_SIZES = [25, 50, 100, 200, 400];
const SECONDS = 8;
const PORT = 8750;
/** Snapshots per client and second, of 20. */
const KEEPS_UP = 19;

/**
 * The same load for a room of ours, a Colyseus room on Node, a PartyServer room that sends JSON, and an object that only
 * broadcasts 450 bytes: the ceiling of the runtime. A run that loses a client is reported as failed.
 */
export async function measureRoom(
  say: (text: string) => void,
  sizes: readonly number[],
): Promise<LiveReport> {
  const { runLoad } = (await import(new URL("./live/load.mjs", import.meta.url).href).catch((cause) => {
    throw new Error("the other systems aren't installed: npm run bench:install", { cause });
  })) as RunLoad;
  const report: Record<string, Record<string, LiveFigures | Failed>> = {};
  const ratios: Record<string, Ratios> = {};
  for (const size of sizes) {
    for (const system of SYSTEMS) {
      const figures = await runLoad(system, size, SECONDS, PORT).catch(
        (error: unknown): Failed => ({ failed: error instanceof Error ? error.message : String(error) }),
      );
      report[system] = { ...report[system], [size]: figures };
      say(`${system} ${size}: ${JSON.stringify(figures)}`);
    }
    const ofSystem = (system: string) => ratio(report.ours?.[size], report[system]?.[size]);
    ratios[size] = { ofCeiling: ofSystem("ceiling"), ofColyseus: ofSystem("colyseus") };
  }
  return { ...report, ratios };
}

/** None where one of them fell behind: what isn't sent costs nothing, and would flatter whoever failed to. */
function ratio(ours?: LiveFigures | Failed, other?: LiveFigures | Failed): number | undefined {
  if (!ours || !other || "failed" in ours || "failed" in other) return undefined;
  if (Math.min(ours.snapshotsPerClientPerSecond, other.snapshotsPerClientPerSecond) < KEEPS_UP)
    return undefined;
  return Math.round((100 * ours.cpuPercent) / other.cpuPercent) / 100;
}
