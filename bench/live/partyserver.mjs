// A PartyServer room as its docs write one: hibernate:false, JSON in and out, an alarm every 50 ms that runs 3 fixed steps
// and broadcasts the full state (2 decimals). GET /parties/room/<name>[?reset] reports lateness and counts.
import { routePartykitRequest, Server } from "partyserver";
import { Histogram, IntervalLateness } from "./histogram.mjs";
import { Arena, SNAPSHOT_MS, STEPS_PER_SNAPSHOT } from "./workload.mjs";

const MAX_QUEUE = 12; // inputs waiting per player; older ones are dropped
const RESYNC_MS = 1000; // further behind than this, the schedule starts anew
const round = (v) => Math.round(v * 100) / 100;
const view = (id, b) => ({
  id,
  x: round(b.x),
  y: round(b.y),
  vx: round(b.vx),
  vy: round(b.vy),
  h: round(b.h),
  hp: b.hp,
});

export class Room extends Server {
  static options = { hibernate: false };

  arena = new Arena();
  queues = new Map();
  due = 0;

  onStart() {
    this.resetStats();
  }
  resetStats() {
    this.stats = {
      since: Date.now(),
      late: new Histogram(),
      interval: new IntervalLateness(SNAPSHOT_MS),
      snapshots: 0,
      steps: 0,
      inputs: 0,
      frames: 0,
      resyncs: 0,
    };
  }
  async onConnect(connection) {
    this.arena.join(connection.id);
    this.queues.set(connection.id, []);
    connection.send(JSON.stringify({ type: "welcome", id: connection.id }));
    if (this.due === 0) {
      this.due = Date.now() + SNAPSHOT_MS;
      await this.ctx.storage.setAlarm(this.due);
    }
  }
  onMessage(connection, message) {
    const queue = this.queues.get(connection.id);
    if (queue === undefined) return;
    for (const input of JSON.parse(message).inputs) queue.push(input);
    if (queue.length > MAX_QUEUE) queue.splice(0, queue.length - MAX_QUEUE);
    this.stats.frames++;
  }
  onClose(connection) {
    this.arena.leave(connection.id);
    this.queues.delete(connection.id);
  }
  async onAlarm() {
    const now = Date.now();
    const { stats, arena } = this;
    stats.late.add(now - this.due);
    stats.interval.tick(now);
    for (let step = 0; step < STEPS_PER_SNAPSHOT; step++) {
      for (const [id, player] of arena.players) {
        const input = this.queues.get(id).shift();
        if (input === undefined) continue;
        arena.applyInput(player, input[0], input[1], input[2]);
        stats.inputs++;
      }
      arena.stepProps();
      stats.steps++;
    }
    const players = [];
    for (const [id, player] of arena.players) players.push(view(id, player));
    this.broadcast(
      JSON.stringify({
        type: "state",
        step: arena.step,
        players,
        props: arena.props.map((p, i) => view(i, p)),
      }),
    );
    stats.snapshots++;

    if (arena.players.size === 0) {
      this.due = 0;
      return;
    }
    this.due += SNAPSHOT_MS;
    if (now - this.due > RESYNC_MS) {
      this.due = now;
      stats.resyncs++;
    }
    await this.ctx.storage.setAlarm(this.due);
  }
  onRequest(request) {
    const { late, interval, since, ...counts } = this.stats;
    const report = {
      seconds: (Date.now() - since) / 1000,
      players: this.arena.players.size,
      lateness: late.summary(),
      intervalLateness: interval.histogram.summary(),
      ...counts,
    };
    if (new URL(request.url).searchParams.has("reset")) this.resetStats();
    return Response.json(report);
  }
}

// biome-ignore lint/style/noDefaultExport: workerd looks for the Worker under this name
export default {
  async fetch(request, env) {
    return (await routePartykitRequest(request, env)) ?? new Response("not found", { status: 404 });
  },
};
