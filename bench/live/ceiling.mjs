// The ceiling: a bare Durable Object with accept()ed sockets that sends one fixed 450-byte frame to everybody 20 times/s
// and only counts what comes in. No simulation, no parsing, no encoding. /rooms/<name>?clock=alarm|timer picks what
// drives it; GET /rooms/<name>[?reset] reports lateness and counts.
import { DurableObject } from "cloudflare:workers";
import { Histogram, IntervalLateness } from "./histogram.mjs";
import { SNAPSHOT_MS } from "./workload.mjs";

const FRAME = new Uint8Array(450).fill(7);
const RESYNC_MS = 1000;

export class Room extends DurableObject {
  sockets = new Set();
  due = 0;

  constructor(ctx, env) {
    super(ctx, env);
    this.resetStats();
  }
  resetStats() {
    this.stats = {
      since: Date.now(),
      late: new Histogram(),
      interval: new IntervalLateness(SNAPSHOT_MS),
      snapshots: 0,
      frames: 0,
      resyncs: 0,
    };
  }
  async fetch(request) {
    const query = new URL(request.url).searchParams;
    if (request.headers.get("upgrade") !== "websocket") {
      const { late, interval, since, ...counts } = this.stats;
      const report = {
        seconds: (Date.now() - since) / 1000,
        players: this.sockets.size,
        lateness: late.summary(),
        intervalLateness: interval.histogram.summary(),
        ...counts,
      };
      if (query.has("reset")) this.resetStats();
      return Response.json(report);
    }
    const [client, server] = Object.values(new globalThis.WebSocketPair());
    server.accept();
    server.addEventListener("message", () => {
      this.stats.frames++;
    });
    server.addEventListener("close", () => {
      this.sockets.delete(server);
      server.close();
    });
    this.sockets.add(server);
    if (this.due === 0) {
      this.clock = query.get("clock") ?? "alarm";
      this.due = Date.now() + SNAPSHOT_MS;
      await this.schedule();
    }
    return new Response(null, { status: 101, webSocket: client });
  }
  schedule() {
    if (this.clock === "alarm") return this.ctx.storage.setAlarm(this.due);
    setTimeout(() => this.window(), Math.max(0, this.due - Date.now()));
  }
  alarm() {
    return this.window();
  }
  window() {
    const now = Date.now();
    const { stats } = this;
    stats.late.add(now - this.due);
    stats.interval.tick(now);
    for (const socket of this.sockets) socket.send(FRAME);
    stats.snapshots++;

    if (this.sockets.size === 0) {
      this.due = 0;
      return;
    }
    this.due += SNAPSHOT_MS;
    if (now - this.due > RESYNC_MS) {
      this.due = now;
      stats.resyncs++;
    }
    return this.schedule();
  }
}

// biome-ignore lint/style/noDefaultExport: workerd looks for the Worker under this name
export default {
  fetch(request, env) {
    const [, kind, name] = new URL(request.url).pathname.split("/");
    if (kind !== "rooms") return new Response("not found", { status: 404 });
    return env.Room.getByName(name).fetch(request);
  },
};
