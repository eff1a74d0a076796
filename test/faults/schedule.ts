import { BOUNDARIES, type Boundary, type LinkOptions, randomFor } from "../harness/index.ts";

/** Something that goes wrong, by the name of a client where it is a client's. */
export type Fault =
  | { readonly what: "crash"; at: "now" | "any" | Boundary; skip: number; downMs: number }
  | { readonly what: "repeat-alarm" }
  | { readonly what: "late-alarm"; ms: number }
  | { readonly what: "stall"; ms: number }
  | { readonly what: "fail-commits"; count: number }
  /** The game's code throws at the n-th place from now where it can; twice, and it is laid to somebody's charge. */
  | { readonly what: "throw"; skip: number; times: number }
  /** Somebody comes, asks for `actions` and goes for good, perhaps before their answers. */
  | { readonly what: "guest"; staysMs: number; actions: readonly ("fire" | "buy")[] }
  | { readonly what: "drop"; client: number; roomNotices: boolean }
  | { readonly what: "reload"; client: number; store: "kept" | "lost" }
  | { readonly what: "withhold"; client: number; lane: "up" | "down"; ms: number }
  | { readonly what: "lose"; client: number; lane: "up" | "down"; count: number }
  | { readonly what: "link"; client: number; link: LinkOptions }
  | { readonly what: "pause"; client: number; clock: "runs" | "stops"; ms: number };

export interface Controls {
  readonly client: number;
  readonly moveX: number;
  readonly moveY: number;
  readonly brace: boolean;
  /** Actions asked for, in this order, with `spreadMs` between them. */
  readonly actions: readonly ("fire" | "wave" | "buy")[];
  readonly aim: number;
}

export interface Step {
  readonly forMs: number;
  readonly controls: readonly Controls[];
  readonly faults: readonly Fault[];
}

/** How the outside answers a call: when it is charged, and when the answer arrives, each of them. */
export interface CallFate {
  readonly chargeMs: number;
  readonly answersMs: readonly number[];
}

/** All that is random about a run. */
export interface Schedule {
  readonly seed: number;
  readonly clients: number;
  readonly commitEvery: number;
  readonly windowTicks: number;
  /** Number of each session's first command. */
  readonly firstSeq: number;
  readonly links: readonly LinkOptions[];
  readonly steps: readonly Step[];
}

const WRAPS = [2 ** 16 - 120, 2 ** 31 - 120, 2 ** 32 - 1 - 400];

/** A run's schedule, made from its seed and nothing else. */
export function scheduleOf(seed: number): Schedule {
  const dice = new Dice(seed, "schedule");
  const clients = dice.int(1, 3);
  const lossy = dice.chance(0.4);
  return {
    seed,
    clients,
    commitEvery: dice.chance(0.5) ? 1 : 4,
    windowTicks: dice.chance(0.8) ? 3 : dice.int(1, 4),
    firstSeq: dice.chance(0.7) ? 1 : (dice.pick(WRAPS) ?? 1),
    links: Array.from({ length: clients }, () => linkOf(dice, lossy)),
    steps: Array.from({ length: dice.int(5, 12) }, () => stepOf(dice, clients, lossy)),
  };
}

/** What becomes of the n-th call of a key: the same in every run of a seed, whatever else happens. */
export function fateOf(seed: number, key: string, repeats: number): CallFate {
  const dice = new Dice(seed, `call ${key} ${repeats}`);
  const chargeMs = dice.int(0, 200);
  const soonMs = () => chargeMs + dice.int(0, 300);
  const kind = dice.int(0, 9);
  // Too late for the deadline; lost; doubled; in time.
  if (kind === 0) return { chargeMs, answersMs: [chargeMs + dice.int(2_300, 3_000)] };
  if (kind === 1) return { chargeMs, answersMs: [] };
  if (kind <= 3) return { chargeMs, answersMs: [soonMs(), soonMs() + dice.int(0, 400)] };
  return { chargeMs, answersMs: [soonMs()] };
}

/** When the n-th request to undo a key is obeyed, and when its confirmations arrive. */
export function undoFateOf(seed: number, key: string, repeats: number): CallFate {
  const dice = new Dice(seed, `undo ${key} ${repeats}`);
  const chargeMs = dice.int(0, 200);
  const answersMs = Array.from({ length: dice.int(1, 2) }, () => chargeMs + dice.int(0, 400));
  return { chargeMs, answersMs };
}

function linkOf(dice: Dice, lossy: boolean): LinkOptions {
  const steady = { latencyMs: dice.int(0, 120), jitterMs: dice.int(0, 60) };
  if (!lossy) return { ...steady, burstShare: dice.chance(0.3) ? 0.02 : 0, burstMs: dice.int(0, 300) };
  return {
    ...steady,
    ordered: false,
    duplicateShare: dice.int(0, 30) / 100,
    reorderShare: dice.int(0, 30) / 100,
  };
}

function stepOf(dice: Dice, clients: number, lossy: boolean): Step {
  const controls = Array.from({ length: clients }, (_, client) => ({
    client,
    moveX: dice.int(-100, 100) / 100,
    moveY: dice.int(-100, 100) / 100,
    brace: dice.chance(0.3),
    aim: dice.int(0, 628) / 100,
    actions: Array.from({ length: dice.int(0, 3) }, () =>
      dice.pick(["fire", "fire", "buy", "wave"] as const),
    ),
  }));
  const faults = Array.from({ length: dice.pick([0, 1, 1, 1, 2, 3]) }, () => faultOf(dice, clients, lossy));
  return { forMs: dice.int(30, 700), controls, faults };
}

function faultOf(dice: Dice, clients: number, lossy: boolean): Fault {
  const client = dice.int(0, clients - 1);
  const lane = dice.pick(["up", "down"] as const);
  const kind = dice.int(0, 99);
  if (kind < 40) {
    const at = dice.pick(["now", "any", "any", ...BOUNDARIES] as const);
    return {
      what: "crash",
      at,
      skip: dice.int(0, at === "any" ? 60 : 4),
      downMs: dice.pick([0, 0, 30, 400, 1200]),
    };
  }
  if (kind < 46) return { what: "repeat-alarm" };
  if (kind < 52) return { what: "late-alarm", ms: dice.int(20, 900) };
  if (kind < 55) return { what: "stall", ms: dice.int(50, 900) };
  if (kind < 60) return { what: "fail-commits", count: dice.int(1, 3) };
  if (kind < 64) return { what: "throw", skip: dice.int(0, 12), times: dice.int(1, 2) };
  if (kind < 72) return { what: "drop", client, roomNotices: dice.chance(0.5) };
  if (kind < 80) return { what: "reload", client, store: dice.chance(0.75) ? "kept" : "lost" };
  if (kind < 83) {
    const actions = Array.from({ length: dice.int(0, 3) }, () => dice.pick(["buy", "buy", "fire"] as const));
    return { what: "guest", staysMs: dice.int(50, 1500), actions };
  }
  if (kind < 88) return { what: "withhold", client, lane, ms: dice.int(30, 900) };
  if (kind < 92) return { what: "lose", client, lane, count: dice.int(1, 6) };
  if (kind < 97) return { what: "link", client, link: linkOf(dice, lossy) };
  return { what: "pause", client, clock: dice.pick(["runs", "stops"] as const), ms: dice.int(50, 1500) };
}

/** Draws from a stream of its own. */
class Dice {
  readonly #random: () => number;

  constructor(seed: number, purpose: string) {
    this.#random = randomFor(seed, purpose);
  }

  int(min: number, max: number): number {
    return min + Math.floor(this.#random() * (max - min + 1));
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  pick<const T>(from: readonly T[]): T {
    return from[this.int(0, from.length - 1)] as T;
  }
}
