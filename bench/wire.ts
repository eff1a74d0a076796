import type { Adapter, Frame, Pose } from "./wire/adapter.ts";
import { make as makeOurs, upstreamBytes } from "./wire/ours.ts";
import { makeWorkload, TICK_RATE, type Workload } from "./wire/workload.ts";

/** A room of so many clients, 20 snapshots a second, what goes around them included. */
export interface WireFigures {
  bytesPerClientPerSecond: number;
  /** Of one snapshot for all clients. */
  encodeUs: number;
  /** The same with a view of its own for each client. */
  encodePerViewUs?: number;
  /** Decoded and applied by one client. */
  decodeUs: number;
  keyframeBytes: number;
  upstreamBytesPerSecond: number;
  /** Ours alone: encoding for 10 clients instead, and what the exact rows add that prediction begins from. */
  encodeFor10Us?: number;
  exactRowsBytesPerSecond?: number;
}

export type WireReport = Record<string, Record<string, WireFigures | Record<string, number>>>;

const SIZES = [8, 32, 100];
const WINDOW_TICKS = 3;
const ROUNDS = 5;
const SECONDS = 10;
/** How far what a client knows may be from the truth: half a quantum, and what floats lose. */
const NEAR: Pose = { x: 0.04, y: 0.04, vx: 1.1, vy: 1.1, heading: 0.02, health: 0 };

interface Peer {
  readonly name: string;
  readonly make: () => Adapter;
  readonly view?: () => Adapter;
}

/** Measures all systems with the same workload, one after the other in each round. */
export async function measureWire(say: (text: string) => void): Promise<WireReport> {
  const report: WireReport = {};
  for (const size of SIZES) {
    const work = makeWorkload(size);
    const peers = await peersFor(work);
    const samples = new Map(peers.map(({ name }) => [name, [] as WireFigures[]]));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const { name, make, view } of peers) {
        const figures = measure(work, make());
        if (view) figures.encodePerViewUs = measure(work, view()).encodeUs;
        if (name === "ours")
          figures.encodeFor10Us = measure(work, makeOurs(work, Math.min(10, size))).encodeUs;
        // The first round warms up.
        if (round > 0) samples.get(name)?.push(figures);
      }
    }
    const medians = Object.fromEntries([...samples].map(([name, rounds]) => [name, medianOf(rounds)]));
    const ours = medians.ours as WireFigures;
    ours.upstreamBytesPerSecond = Math.round((upstreamBytes(work, 0) + upstreamBytes(work, 1)) / 2 / SECONDS);
    ours.exactRowsBytesPerSecond = Math.round(makeOurs(work).exactRowBytes() / SECONDS);
    report[size] = { ...medians, ratios: ratiosOf(ours, medians.colyseus as WireFigures) };
    say(`${size} clients measured`);
  }
  return report;
}

async function peersFor(work: Workload): Promise<Peer[]> {
  type Module = { make(work: Workload, options: { views: boolean }): Adapter };
  const load = async (name: string) => {
    try {
      return (await import(new URL(`./wire/${name}.mjs`, import.meta.url).href)) as Module;
    } catch (error) {
      throw new Error("the peers aren't installed: npm ci --prefix bench", { cause: error });
    }
  };
  const [json, msgpackr, colyseus] = [await load("json"), await load("msgpackr"), await load("colyseus")];
  const plain = { views: false };
  return [
    // All see the same, so a view of its own has nothing of its own: it is encoded once, too.
    { name: "ours", make: () => makeOurs(work), view: () => makeOurs(work) },
    { name: "json", make: () => json.make(work, plain) },
    { name: "msgpackr", make: () => msgpackr.make(work, plain) },
    {
      name: "colyseus",
      make: () => colyseus.make(work, plain),
      view: () => colyseus.make(work, { views: true }),
    },
  ];
}

function measure(work: Workload, adapter: Adapter): WireFigures {
  const frames: Frame[] = new Array(work.clients);
  const reader = work.clients >> 1;
  let [bytes, keyframeBytes, encodeMs, decodeMs, snapshots] = [0, 0, 0, 0, 0];
  for (let tick = 0; tick < work.ticks; tick++) {
    adapter.write(tick);
    if (tick % WINDOW_TICKS !== 0) continue;
    const began = performance.now();
    adapter.encode(frames);
    const encoded = performance.now();
    // Those of fewer clients are all alike.
    const frame = received(frames[reader] ?? (frames[0] as Frame));
    const ready = performance.now();
    adapter.decode(frame);
    const decoded = performance.now();
    if (tick === 0) keyframeBytes = frame.length;
    else {
      bytes += frame.length;
      encodeMs += encoded - began;
      decodeMs += decoded - ready;
      snapshots++;
    }
    if (snapshots % 20 === 0) check(work, adapter, tick);
  }
  const upstream = adapter.upstream?.bind(adapter);
  let sent = 0;
  for (let tick = 1; upstream && tick < work.ticks; tick++) sent += upstream(0, tick) + upstream(1, tick);
  return {
    bytesPerClientPerSecond: Math.round((bytes * TICK_RATE) / (work.ticks - 1)),
    encodeUs: (encodeMs / snapshots) * 1000,
    decodeUs: (decodeMs / snapshots) * 1000,
    keyframeBytes,
    upstreamBytesPerSecond: Math.round(sent / 2 / SECONDS),
  };
}

/** A browser hands each message over in a buffer of its own. */
function received(frame: Frame): Frame {
  return typeof frame === "string" ? frame : Uint8Array.from(frame);
}

function check(work: Workload, adapter: Adapter, tick: number): void {
  for (let entity = 0; entity < work.entities; entity++) {
    const known = adapter.pose(entity);
    const at = tick * work.entities + entity;
    for (const name of Object.keys(NEAR) as (keyof Pose)[]) {
      const distance = Math.abs(known[name] - (work[name][at] as number));
      const off = name === "heading" ? Math.min(distance, Math.PI * 2 - distance) : distance;
      if (!(off <= NEAR[name])) throw new Error(`${name} of ${entity} is off by ${off} at tick ${tick}`);
    }
  }
}

function medianOf(rounds: readonly WireFigures[]): WireFigures {
  const names = Object.keys(rounds[0] as WireFigures) as (keyof WireFigures)[];
  const middle = (name: keyof WireFigures) => {
    const sorted = rounds.map((figures) => figures[name] as number).sort((a, b) => a - b);
    return Math.round((sorted[sorted.length >> 1] as number) * 10) / 10;
  };
  return Object.fromEntries(names.map((name) => [name, middle(name)])) as unknown as WireFigures;
}

function ratiosOf(ours: WireFigures, peer: WireFigures): Record<string, number> {
  const names = [
    "bytesPerClientPerSecond",
    "encodeUs",
    "encodePerViewUs",
    "decodeUs",
    "keyframeBytes",
  ] as const;
  return Object.fromEntries(
    names.map((name) => [name, Math.round(((ours[name] ?? 0) / (peer[name] ?? 1)) * 1000) / 1000]),
  );
}
