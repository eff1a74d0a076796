import type { CallContext, CallHandler, Compensation } from "tickroom/room";
import type { ActionRules } from "tickroom/sim";
import type { PurchaseResult } from "./actions.ts";
import { distance, type Point } from "./geometry.ts";
import { KIOSK } from "./level.ts";
import type { Arena } from "./shape.ts";
import { BUY_PAUSE_TICKS, CAN, CAN_PRICE, KIOSK_RADIUS, MOST_PAINT } from "./tuning.ts";

export function isAtKiosk(place: Point): boolean {
  return distance(place, KIOSK) <= KIOSK_RADIUS;
}

export const buy: ActionRules<Arena, "buy"> = {
  admit({ entity }) {
    if (entity.archetype !== "player") return { reject: "no-purse" };
    const { pose, gun, till } = entity;
    if (!isAtKiosk(pose)) return { reject: "not-at-kiosk" };
    if (till.pause > 0) return { reject: "one-at-a-time" };
    // Before it is paid: nobody pays for paint that doesn't fit.
    if (gun.paint + CAN > MOST_PAINT) return { reject: "tank-full" };
    till.pause = BUY_PAUSE_TICKS;
    return { admit: { price: CAN_PRICE } };
  },

  settle({ answer, entity }) {
    if (answer === undefined) return undefined;
    const { ok, balance } = answer as PurchaseResult;
    if (entity?.archetype === "player") {
      const { gun, purse } = entity;
      purse.coins = balance;
      if (ok) {
        purse.cans++;
        gun.paint = Math.min(MOST_PAINT, gun.paint + CAN);
      }
    }
    return { ok, balance };
  },
};

function walletOf({ key, seat, env }: CallContext<Arena, "buy">) {
  const room = key.slice(0, key.indexOf("/"));
  return env.WALLET.get(env.WALLET.idFromName(`${room}/${seat}`));
}

/** Asks the player's wallet. The key is the purchase's own, however often the room has to ask. */
export const chargeWallet: CallHandler<Arena, "buy"> = async (call) => {
  const { ok, balance } = await walletOf(call).charge(call.key, call.capture.price);
  return { ok, balance };
};

/** Nobody pays for a can that came too late, or for one whose buyer has left. */
export const refundWallet: Compensation<Arena, "buy"> = (call) => walletOf(call).refund(call.key);
