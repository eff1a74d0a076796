import type { ActionHandle, ActionIdentity, RoomClient } from "tickroom/client";
import type { ShotSight } from "../events.ts";
import type { Arena } from "../game.ts";
import { wrapAngle } from "../geometry.ts";
import { COOLDOWN_TICKS, TICK_RATE } from "../tuning.ts";
import type { Paint } from "./paint.ts";
import type { ReceiptLog } from "./receipt-log.ts";

const COOLDOWN_MS = (COOLDOWN_TICKS * 1000) / TICK_RATE;

type Room = RoomClient<Arena>;

/** Asks the room for shots and cans, and shows at once what prediction makes of it. */
export class Gunner {
  readonly #paint: Paint;
  readonly #log: ReceiptLog;
  /** Whether to show where the room found others when it judged a shot. */
  showsJudged = false;
  #room: Room | undefined;
  #shot: ActionHandle<Arena, "fire"> | undefined;
  #shotMs = Number.NEGATIVE_INFINITY;
  #nowMs = 0;
  #othersShots = 0;

  constructor(paint: Paint, log: ReceiptLog) {
    this.#paint = paint;
    this.#log = log;
  }

  /** Before the room's own frame, so that a shot goes into the very next command. */
  update(
    room: Room,
    wants: { readonly fire: boolean; readonly aim: number; readonly live: boolean },
    nowMs: number,
  ): void {
    this.#nowMs = nowMs;
    if (room !== this.#room) this.#attach(room);
    if (!wants.fire || !this.#isReady(room, nowMs)) return;
    this.#shotMs = nowMs;
    this.#shot = room.actions.fire({ aim: wrapAngle(wants.aim), live: wants.live });
    this.#log.add(this.#shot);
  }

  buy(room: Room): void {
    this.#log.add(room.actions.buy());
  }

  /** Asking more often would only bring rejections. */
  #isReady({ view }: Room, nowMs: number): boolean {
    const gun = view.own?.gun;
    if (!gun || gun.paint === 0) return false;
    if (this.#shot?.status === "queued" && !this.#shot.identity) return false;
    // The gun as shown is late when prediction is off.
    return gun.cooldown === 0 && nowMs - this.#shotMs > 0.8 * COOLDOWN_MS;
  }

  #attach(room: Room): void {
    this.#room = room;
    this.#shot = undefined;
    const paint = this.#paint;
    room.effects.on<ShotSight>("shot", {
      play: (effect) =>
        paint.shoot(nameOf(effect), effect.data, effect.data.hue, room.view.own?.id ?? 0, this.#nowMs),
      cancel: (effect) => paint.fizzle(nameOf(effect), this.#nowMs),
    });
    room.receipts.on("fire", (receipt) => {
      if (receipt.status !== "settled" || receipt.result.hit === 0) return;
      paint.confirmHit(receipt.result, room.view.own?.look.hue ?? 0, this.#nowMs);
    });
    // Others' shots, when the page shows their tick: effects are for the own ones.
    room.events.on("shot", ({ data }) => {
      paint.shoot(`other ${++this.#othersShots}`, data, data.hue, data.shooter, this.#nowMs);
    });
    room.events.on("hit", ({ data }) => paint.splash(data, data.hue, this.#nowMs));
    room.events.on("judged", ({ data }) => {
      if (this.showsJudged) paint.judged(data, this.#nowMs);
    });
  }
}

function nameOf({ session, seq, slot }: ActionIdentity): string {
  return `${session}/${seq}/${slot}`;
}
