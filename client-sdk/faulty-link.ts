import { Conditioner } from "./conditioner.ts";
import type { ConditionerOptions } from "./types.ts";

export interface FaultyLinkOptions {
  readonly now: () => number;
  readonly random: () => number;
  readonly deliver: (direction: "in" | "out", bytes: Uint8Array, nowMs: number) => void;
}

/** Both directions of a page's link under the same faults, with a timer for what is due between its frames. */
export class FaultyLink {
  readonly #options: FaultyLinkOptions;
  readonly #lanes: { readonly in: Conditioner; readonly out: Conditioner };
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param faults read for every message, so they may be changed at any time */
  constructor(faults: ConditionerOptions, options: FaultyLinkOptions) {
    this.#options = options;
    const lane = () => new Conditioner(faults, options.random() * 2 ** 32);
    this.#lanes = { in: lane(), out: lane() };
  }

  push(direction: "in" | "out", bytes: Uint8Array, atMs: number): void {
    this.#lanes[direction].push(bytes, atMs);
    this.pump();
  }

  /** Moves on what is due in both directions. */
  pump(): void {
    const { now, deliver } = this.#options;
    const nowMs = now();
    for (const direction of ["out", "in"] as const) {
      for (const bytes of this.#lanes[direction].drain(nowMs)) deliver(direction, bytes, nowMs);
    }
    const nextMs = Math.min(this.#lanes.in.nextMs, this.#lanes.out.nextMs);
    clearTimeout(this.#timer);
    if (Number.isFinite(nextMs)) this.#timer = setTimeout(() => this.pump(), Math.max(0, nextMs - now()));
  }

  /** What is in flight dies with its connection. */
  clear(): void {
    this.#lanes.in.clear();
    this.#lanes.out.clear();
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
