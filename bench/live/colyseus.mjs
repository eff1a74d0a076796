// A Colyseus 0.18 room: 60 Hz setSimulationInterval, patchRate 50 ms, quantized schema fields, and 0.18's input API.
// GET /stats[?reset] reports lateness, CPU and memory.

import { Room, Server } from "@colyseus/core";
import { Encoder, schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { IntervalLateness } from "./histogram.mjs";
import { Arena, SNAPSHOT_MS, STEP_HZ } from "./workload.mjs";

Encoder.BUFFER_SIZE = 512 * 1024; // the default 8 KiB is regrown (with a warning) as soon as a full state outgrows it

const position = () => t.quantized({ min: 0, max: 2048, bits: 16 });
const velocity = () => t.quantized({ min: -256, max: 256, bits: 8 });
const Body = schema(
  { x: position(), y: position(), vx: velocity(), vy: velocity(), h: t.angle({ bits: 8 }), hp: t.uint8() },
  "Body",
);
const State = schema({ players: t.map(Body), props: t.array(Body) }, "State");
const Input = schema({ mx: t.int8(), my: t.int8(), buttons: t.uint8() }, "Input");

const stats = {
  tick: new IntervalLateness(1000 / STEP_HZ),
  window: new IntervalLateness(SNAPSHOT_MS),
  inputs: 0,
  snapshots: 0,
  players: 0,
  steps: 0,
  reset() {
    this.tick.reset();
    this.window.reset();
    this.inputs = this.snapshots = this.steps = 0;
    this.since = performance.now();
    this.cpu = process.cpuUsage();
  },
};
stats.reset();

function publish(from, to) {
  to.x = from.x;
  to.y = from.y;
  to.vx = from.vx;
  to.vy = from.vy;
  to.h = from.h;
  to.hp = from.hp;
}

class ArenaRoom extends Room {
  inputs = this.defineInput(Input);
  state = new State();
  arena = new Arena();

  onCreate() {
    this.patchRate = SNAPSHOT_MS;
    this.setSimulationInterval(() => this.simulate(), 1000 / STEP_HZ);
  }
  onJoin(client) {
    this.state.players.set(client.sessionId, new Body());
    this.state.props.push(new Body());
    this.arena.join(client.sessionId);
    stats.players = this.arena.players.size;
  }
  onLeave(client) {
    this.state.players.delete(client.sessionId);
    this.state.props.pop();
    this.arena.leave(client.sessionId);
    stats.players = this.arena.players.size;
  }
  simulate() {
    stats.tick.tick(performance.now());
    stats.steps++;
    for (const [id, player] of this.arena.players) {
      for (const input of this.inputs.get(id)) {
        this.arena.applyInput(player, input.mx, input.my, input.buttons);
        stats.inputs++;
      }
      publish(player, this.state.players.get(id));
    }
    this.arena.stepProps();
    for (const [i, prop] of this.arena.props.entries()) publish(prop, this.state.props[i]);
  }
  onBeforePatch() {
    stats.window.tick(performance.now());
    stats.snapshots++;
  }
}

const server = new Server({
  greet: false,
  transport: new WebSocketTransport({ perMessageDeflate: false }),
  express(app) {
    app.get("/stats", (req, res) => {
      const cpu = process.cpuUsage(stats.cpu);
      const seconds = (performance.now() - stats.since) / 1000;
      res.json({
        seconds,
        players: stats.players,
        inputs: stats.inputs,
        snapshots: stats.snapshots,
        steps: stats.steps,
        lateness: stats.window.histogram.summary(),
        tickLateness: stats.tick.histogram.summary(),
        cpuPercent: (cpu.user + cpu.system) / 1e4 / seconds,
        rssMB: process.memoryUsage.rss() / 2 ** 20,
      });
      if ("reset" in req.query) stats.reset();
    });
  },
});
server.define("arena", ArenaRoom);
await server.listen(Number(process.argv[2] ?? 2567), "127.0.0.1");
console.log("ready");
