import { action, angle, type EntityRef, json } from "tickroom/sim";
import type { Trajectory } from "./ballistics.ts";
import { BUY_DEADLINE_TICKS } from "./tuning.ts";

/** What a shot remembers of the tick that admitted it. */
export interface ShotCapture extends Trajectory {
  readonly hue: number;
  /** Players in its way as they stood then, the nearest first. */
  readonly targets: readonly { readonly ref: EntityRef; readonly metres: number }[];
}

export interface ShotResult {
  /** The seat that was hit, 0 for none. */
  readonly hit: number;
  /** Where the paint landed. */
  readonly x: number;
  readonly y: number;
}

export interface PurchaseResult {
  /** False: not enough coins. */
  readonly ok: boolean;
  readonly balance: number;
}

/** What players can ask for besides walking. Each is answered by a receipt. */
export const actions = {
  /** Shoots paint. Settles when it lands. */
  fire: action({
    params: { aim: angle() },
    capture: json<ShotCapture>(),
    result: json<ShotResult>(),
    deadlineTicks: 90,
  }),
  /** Buys a can of paint at the kiosk. The wallet, a Durable Object of its own, has the say. */
  buy: action({
    capture: json<{ readonly price: number }>(),
    result: json<PurchaseResult>(),
    deadlineTicks: BUY_DEADLINE_TICKS,
    call: true,
  }),
} as const;
