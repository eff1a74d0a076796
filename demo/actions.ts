import { action, angle, type EntityRef, held, json } from "tickroom/sim";
import type { Trajectory } from "./ballistics.ts";
import type { Point } from "./geometry.ts";
import { BUY_DEADLINE_TICKS } from "./tuning.ts";

/** What a shot remembers of the tick that admitted it. */
export interface ShotCapture extends Trajectory {
  readonly hue: number;
  /** Players in its way as the shooter saw them, the nearest first, and where they stood. */
  readonly targets: readonly {
    readonly ref: EntityRef;
    readonly metres: number;
    readonly x: number;
    readonly y: number;
  }[];
}

export interface ShotResult {
  /** The seat that was hit, 0 for none. */
  readonly hit: number;
  /** Where the paint landed. */
  readonly x: number;
  readonly y: number;
  /** Where the room found the one that was hit when it looked back at what the shooter saw. */
  readonly seen?: Point;
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
    /** `live` judges it by where others are in the room now: what a shot was without lag compensation. */
    params: { aim: angle(), live: held() },
    rewind: true,
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
