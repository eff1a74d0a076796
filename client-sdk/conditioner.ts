import type { ConditionerOptions } from "./types.ts";

interface InFlight {
  readonly dueMs: number;
  readonly order: number;
  readonly bytes: Uint8Array;
}

/** How long a sender takes to notice a loss beyond the round trip. */
const LATER_MS = 20;

/**
 * One direction of a bad link, on a clock and a seed of its caller. It sits between a socket and the
 * client, and between the parts of the test harness, so that tests and sliders mean the same faults.
 */
export class Conditioner {
  /** Read for every message: may be changed at any time, and shared by the two directions of a link. */
  options: ConditionerOptions;
  readonly #random: () => number;
  #flying: InFlight[] = [];
  #order = 0;
  #stalledUntilMs = Number.NEGATIVE_INFINITY;
  #lastDueMs = Number.NEGATIVE_INFINITY;
  /** When all that was sent so far has gone through the narrowest place. */
  #clearMs = Number.NEGATIVE_INFINITY;

  constructor(options: ConditionerOptions, seed: number) {
    this.options = options;
    this.#random = seededRandom(seed);
  }

  /** When the next message is due, infinity without one. */
  get nextMs(): number {
    const [first] = this.#flying;
    return first ? Math.max(first.dueMs, this.options.frozenUntilMs) : Number.POSITIVE_INFINITY;
  }

  push(bytes: Uint8Array, nowMs: number): void {
    const { burstShare, burstMs, duplicateShare, lossShare, latencyMs, jitterMs } = this.options;
    if (nowMs >= this.#stalledUntilMs && this.#chance(burstShare)) this.#stalledUntilMs = nowMs + burstMs;
    if (this.#chance(lossShare)) {
      const againMs = nowMs + 2 * (latencyMs + jitterMs) + LATER_MS + latencyMs;
      this.#stalledUntilMs = Math.max(this.#stalledUntilMs, againMs);
    }
    this.#launch(bytes, nowMs);
    if (this.#chance(duplicateShare)) this.#launch(bytes, nowMs);
  }

  /** Messages that have arrived by now, in order of arrival. */
  drain(nowMs: number): Uint8Array[] {
    if (nowMs < this.options.frozenUntilMs) return [];
    let arrived = 0;
    while (arrived < this.#flying.length && (this.#flying[arrived] as InFlight).dueMs <= nowMs) arrived++;
    return this.#flying.splice(0, arrived).map((message) => message.bytes);
  }

  /** What is in flight dies with its connection. */
  clear(): void {
    this.#flying = [];
    this.#stalledUntilMs = Number.NEGATIVE_INFINITY;
    this.#lastDueMs = Number.NEGATIVE_INFINITY;
    this.#clearMs = Number.NEGATIVE_INFINITY;
  }

  #launch(bytes: Uint8Array, nowMs: number): void {
    const { latencyMs, jitterMs, reorderShare, ordered, bytesPerSecond } = this.options;
    if (bytesPerSecond > 0) {
      this.#clearMs = Math.max(this.#clearMs, nowMs) + (bytes.length / bytesPerSecond) * 1000;
    }
    const sentMs = bytesPerSecond > 0 ? this.#clearMs : nowMs;
    let dueMs = Math.max(sentMs + latencyMs + this.#random() * jitterMs, this.#stalledUntilMs);
    if (ordered) {
      dueMs = Math.max(dueMs, this.#lastDueMs);
      this.#lastDueMs = dueMs;
    } else if (this.#chance(reorderShare)) {
      dueMs += this.#random() * (latencyMs + jitterMs + 50);
    }
    const message = { dueMs, order: this.#order++, bytes };
    let at = this.#flying.length;
    while (at > 0 && (this.#flying[at - 1] as InFlight).dueMs > dueMs) at--;
    this.#flying.splice(at, 0, message);
  }

  #chance(share: number): boolean {
    return share > 0 && this.#random() < share;
  }
}

/** A number in [0, 1) per call (Weyl sequence with mulberry32's mix). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
