import {
  decodeEntities,
  decodeServerFrame,
  encodeClientFrame,
  encodeEntities,
  MotionWriter,
  type PackedSection,
  packSection,
  resolveSnapshot,
  type Snapshot,
  SnapshotWriter,
} from "../../protocol/index.ts";
import {
  angle,
  axis,
  defineGame,
  fragment,
  held,
  int,
  num,
  packCommand,
  QuantisedState,
} from "../../sim/index.ts";
import type { Adapter, Frame, Pose } from "./adapter.ts";
import { quanta, TICK_RATE, WORLD_SIZE, type Workload } from "./workload.ts";

const WINDOW_TICKS = 3;
const FIRST_TICK = 60;

const game = defineGame({
  name: "wire-bench",
  version: 1,
  tickRate: TICK_RATE,
  input: { x: axis(), y: axis(), a: held(), b: held(), c: held(), d: held() },
  fragments: {
    body: fragment({
      x: num({ step: 1 / 32, min: 0, max: WORLD_SIZE, rate: "body.vx" }),
      y: num({ step: 1 / 32, min: 0, max: WORLD_SIZE, rate: "body.vy" }),
      vx: num({ step: 2, min: -256, max: 256 }),
      vy: num({ step: 2, min: -256, max: 256 }),
      heading: angle({ bits: 8 }),
      health: int({ min: 0, max: 100 }),
    }),
  },
  archetypes: { player: { fragments: ["body"] }, prop: { fragments: ["body"] } },
  systems: {},
});
const { schema } = game;
const FIELDS = 6;

/** The room's own way: quantise once, encode once per base, then a frame for each client. */
export function make(work: Workload, clients = work.clients): Adapter & { exactRowBytes(): number } {
  const { entities } = work;
  const writer = new SnapshotWriter();
  const motion = new MotionWriter(schema);
  const poses = Array.from({ length: entities }, () => ({ x: 0, y: 0, vx: 0, vy: 0, heading: 0, health: 0 }));
  let now = 0;
  let base: QuantisedState | undefined;
  let sent: Snapshot | undefined;
  let known: { state: QuantisedState; snapshot: Snapshot } | undefined;
  return {
    write(tick) {
      now = tick;
    },
    encode(frames) {
      const state = quantised(work, now);
      const section = encodeEntities(schema, base ?? QuantisedState.empty(), state, motion);
      const packed: PackedSection = packSection(section);
      const snapshot = progress(state.tick);
      for (let c = 0; c < clients; c++) frames[c] = writer.write(snapshot, sent, packed);
      base = state;
      sent = snapshot;
    },
    decode(frame: Frame) {
      const read = decodeServerFrame(frame as Uint8Array);
      if (read.type !== "snapshot") throw new Error(`a frame of kind ${read.type}`);
      const before = known?.state ?? QuantisedState.empty();
      const state = decodeEntities(schema, before, read.shared, read.tick);
      known = { state, snapshot: resolveSnapshot(schema, read, known?.snapshot) };
      apply(state, poses);
    },
    pose: (entity): Pose => poses[entity] as Pose,
    exactRowBytes: () => exactRows(work),
  };
}

function quantised(work: Workload, tick: number): QuantisedState {
  const { entities } = work;
  const state = new QuantisedState(FIRST_TICK + tick, entities, entities * FIELDS);
  for (let id = 0, at = tick * entities; id < entities; id++, at++) {
    const isPlayer = id < work.clients;
    const to = state.reserve(id + 1, 1, isPlayer ? 0 : 1, isPlayer ? id + 1 : 0, 1, FIELDS);
    const { values } = state;
    values[to] = quanta.place(work.x[at] as number);
    values[to + 1] = quanta.place(work.y[at] as number);
    values[to + 2] = quanta.speed(work.vx[at] as number);
    values[to + 3] = quanta.speed(work.vy[at] as number);
    values[to + 4] = quanta.heading(work.heading[at] as number);
    values[to + 5] = work.health[at] as number;
  }
  return state;
}

/** What a frame says beside the state, of a client that plays without losses. */
function progress(tick: number): Snapshot {
  return {
    tick,
    incarnation: 1,
    inputSession: 17,
    consumed: tick + 1000,
    durable: tick + 1000,
    credit: tick + 1128,
    bufferDepth: 2,
    missed: 40,
    slippedTicks: 0,
    echoMs: 123_456_789 + tick * 17,
    heldMs: 12,
    seatRandom: 0xdead_beef,
    receiptHead: 9,
    requestId: 0,
    own: [],
  };
}

function apply({ values }: QuantisedState, poses: { -readonly [K in keyof Pose]: Pose[K] }[]): void {
  for (let entity = 0, at = 0; entity < poses.length; entity++, at += FIELDS) {
    const pose = poses[entity] as { -readonly [K in keyof Pose]: Pose[K] };
    pose.x = (values[at] as number) / 32;
    pose.y = (values[at + 1] as number) / 32;
    pose.vx = (values[at + 2] as number) * 2;
    pose.vy = (values[at + 3] as number) * 2;
    pose.heading = (values[at + 4] as number) * (Math.PI / 128);
    pose.health = values[at + 5] as number;
  }
}

/** Bytes that the exact row of a player adds to its frames, all in all: no other system sends such a thing. */
function exactRows(work: Workload): number {
  const none = packSection(new Uint8Array(0));
  const writer = new SnapshotWriter();
  let [bare, full]: (Snapshot | undefined)[] = [];
  let bytes = 0;
  for (let tick = 0; tick < work.ticks; tick += WINDOW_TICKS) {
    const at = tick * work.entities;
    const floats = Float32Array.of(work.x[at] ?? 0, work.y[at] ?? 0, work.vx[at] ?? 0, work.vy[at] ?? 0);
    const heading = new Uint32Array(Float32Array.of(work.heading[at] ?? 0).buffer);
    const cells = Uint32Array.of(...new Uint32Array(floats.buffer), ...heading, work.health[at] ?? 0, 0);
    const without = progress(FIRST_TICK + tick);
    const row = { id: 1, epoch: 1, archetype: 0, owner: 1, presence: 1, cells };
    const withRow = { ...without, own: [row] };
    if (tick > 0) {
      bytes += writer.write(withRow, full, none).length - writer.write(without, bare, none).length;
    }
    [bare, full] = [without, withRow];
  }
  return bytes;
}

/** Bytes of a player's input frames, all in all: three commands in each. */
export function upstreamBytes(work: Workload, player: number): number {
  let bytes = 0;
  for (let tick = 1; tick + WINDOW_TICKS <= work.ticks; tick += WINDOW_TICKS) {
    const commands = Array.from({ length: WINDOW_TICKS }, (_, i) => {
      const at = (tick + i) * work.clients + player;
      const bits = work.buttons[at] as number;
      const controls = {
        x: (work.stickX[at] as number) / 127,
        y: (work.stickY[at] as number) / 127,
        ...{ a: (bits & 1) > 0, b: (bits & 2) > 0, c: (bits & 4) > 0, d: (bits & 8) > 0 },
      };
      return { seq: tick + i + 1000, bytes: packCommand(schema, controls) };
    });
    const marks = { inputSession: 17, sentAtMs: 123_456_789 + tick * 17, ackTick: FIRST_TICK + tick - 3 };
    bytes += encodeClientFrame({ type: "input", ...marks, commands }, schema).length;
  }
  return bytes;
}
