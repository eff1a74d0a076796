import type { ViewEntity } from "tickroom/client";
import { trajectory } from "../ballistics.ts";
import type { Arena } from "../game.ts";
import type { Box } from "../geometry.ts";
import type { Paint } from "./paint.ts";

interface Seen {
  readonly epoch: number;
  readonly cooldown: number;
}

/** Effects are for the own shots. Those of others show in their state: a gun that has just been fired. */
export class OthersShots {
  readonly #paint: Paint;
  #seen = new Map<number, Seen>();
  #count = 0;

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  /** Once a frame. */
  notice(players: readonly ViewEntity<Arena, "player">[], platforms: readonly Box[], nowMs: number): void {
    const seen = new Map<number, Seen>();
    for (const { id, epoch, own, pose, gun, look } of players) {
      const before = this.#seen.get(id);
      seen.set(id, { epoch, cooldown: gun.cooldown });
      if (own || before?.epoch !== epoch || gun.cooldown <= before.cooldown) continue;
      this.#count++;
      this.#paint.shoot(`other ${this.#count}`, trajectory(pose, gun.aim, platforms), look.hue, id, nowMs);
    }
    this.#seen = seen;
  }
}
