// One system with so many real clients for some seconds.
import { JOIN } from "./clients.mjs";
import { startServer } from "./servers.mjs";
import { InputStream } from "./workload.mjs";

const FRAME_MS = 1000 / 60;
const WARM_UP_MS = 3000;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const round = (value) => Math.round(value * 10) / 10;

/** Calls every client 60 times a second, each at a moment of its own, until it is stopped. */
function play(clients) {
  const startMs = performance.now();
  for (const [index, client] of clients.entries()) {
    client.dueMs = startMs + (FRAME_MS * index) / clients.length;
    client.input = new InputStream(index);
  }
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const client of clients) {
      while (client.dueMs <= nowMs && !client.lost) {
        client.frame(client.input.next());
        client.dueMs += FRAME_MS;
      }
    }
  }, 4);
  return () => clearInterval(timer);
}

export async function runLoad(system, count, seconds, port) {
  const server = await startServer(system, port);
  const clients = [];
  let stop = () => undefined;
  try {
    for (let i = 0; i < count; i++) clients.push(await JOIN[system](server.url, i));
    stop = play(clients);
    await sleep(WARM_UP_MS);
    const stats = await server.stats(true);
    const before = server.usage();
    const ownBefore = process.cpuUsage();
    const marks = clients.map(({ bytes, snapshots }) => ({ bytes, snapshots }));
    const startMs = performance.now();
    await sleep(seconds * 1000);
    const took = (performance.now() - startMs) / 1000;
    const after = server.usage();
    const own = process.cpuUsage(ownBefore);
    const sum = (key) => clients.reduce((total, client, i) => total + client[key] - marks[i][key], 0);
    const [bytes, snapshots] = [sum("bytes"), sum("snapshots")];
    const report = await server.stats(false);
    const lost = clients.filter((client) => client.lost);
    // What nobody plays costs nothing: such figures would flatter.
    if (lost.length > 0)
      throw new Error(`${lost.length} of ${count} clients were sent away: ${lost[0].lost}`);
    if (snapshots === 0) throw new Error("nobody was sent anything");
    return {
      cpuPercent: round((100 * (after.cpuSeconds - before.cpuSeconds)) / took),
      latenessP99Ms: report.latenessP99Ms ?? report.lateness?.p99 ?? null,
      slippedTicks: report.slippedTicks === undefined ? null : report.slippedTicks - stats.slippedTicks,
      snapshotsPerClientPerSecond: round(snapshots / count / took),
      bytesPerClientPerSecond: Math.round(bytes / count / took),
      rssMb: after.rssMb,
      loadCpuPercent: round((own.user + own.system) / 1e4 / took),
    };
  } finally {
    stop();
    for (const client of clients) client.leave();
    await server.stop();
  }
}
