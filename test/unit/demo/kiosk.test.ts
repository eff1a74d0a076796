import { describe, expect, it } from "vitest";
import type { Arena } from "../../../demo/game.ts";
import { chargeWallet } from "../../../demo/kiosk.ts";
import { BUY_PAUSE_TICKS, CAN, CAN_PRICE, MOST_PAINT, START_COINS, TANK } from "../../../demo/tuning.ts";
import type { Harness } from "../../harness/index.ts";
import { LANE_Y, playerOf, range } from "./range.ts";

const AT_KIOSK = { x: 0.4, y: 0.2 };
const TICK_MS = 1000 / 60;

/** A wallet that charges each key once. */
function answerCalls(harness: Harness<Arena>, coins = START_COINS): Map<string, number> {
  const charged = new Map<string, number>();
  harness.calls.auto((call) => {
    const { price } = call.capture as { price: number };
    const left = coins - CAN_PRICE * charged.size;
    const ok = charged.has(call.key) || price <= left;
    if (ok) charged.set(call.key, price);
    harness.after(80, () => call.answer({ ok, balance: coins - CAN_PRICE * charged.size }));
  });
  return charged;
}

describe("the kiosk", () => {
  it("gives a can of paint for the wallet's yes, on top of the tank, and tells the balance", () => {
    const harness = range([AT_KIOSK]);
    const charged = answerCalls(harness);
    const purchase = harness.client(0).actions.buy();
    harness.advance(1000);
    expect(purchase.status).toBe("settled");
    expect(charged.size).toBe(1);
    const { gun, purse } = playerOf(harness, 0);
    expect(gun.paint).toBe(TANK + CAN);
    expect(purse).toMatchObject({ coins: START_COINS - CAN_PRICE, cans: 1 });
    expect(harness.client(0).view.own?.purse.coins).toBe(START_COINS - CAN_PRICE);
  });

  it("gives nothing for the wallet's no", () => {
    const harness = range([AT_KIOSK]);
    answerCalls(harness, CAN_PRICE - 1);
    const purchase = harness.client(0).actions.buy();
    harness.advance(1000);
    expect(purchase.status).toBe("settled");
    expect(playerOf(harness, 0).gun.paint).toBe(TANK);
    expect(playerOf(harness, 0).purse).toMatchObject({ coins: CAN_PRICE - 1, cans: 0 });
  });

  it("[A3] asks under the same key again after a crash, and gives one can for it", () => {
    const harness = range([AT_KIOSK]);
    harness.client(0).actions.buy();
    harness.until(() => harness.calls.open.length === 1);
    const [key] = [...harness.calls.made.keys()];
    const charged = new Map<string, number>();
    // The wallet has charged; the room dies before it hears.
    charged.set(key ?? "", CAN_PRICE);
    harness.crashRoom();
    harness.until(() => harness.calls.open.length === 1);
    const [again] = harness.calls.open;
    expect(again?.key).toBe(key);
    again?.answer({ ok: true, balance: START_COINS - CAN_PRICE });
    harness.advance(1500);
    expect(playerOf(harness, 0).purse.cans).toBe(1);
    expect(harness.client(0).core.receipts.open()).toEqual([]);
  });

  it("serves nobody who isn't there, is too quick, or could carry no more; all of it foreseen by the page", () => {
    const far = range([{ x: -16, y: LANE_Y }]);
    const purchase = far.client(0).actions.buy();
    far.advance(500);
    expect(purchase).toMatchObject({
      status: "rejected",
      predicted: { admitted: false, reason: "not-at-kiosk" },
    });

    const near = range([AT_KIOSK]);
    const charged = answerCalls(near);
    const first = near.client(0).actions.buy();
    near.advance(5 * TICK_MS);
    const second = near.client(0).actions.buy();
    near.advance(1000);
    expect([first.status, second.status]).toEqual(["settled", "rejected"]);
    expect(second.predicted).toEqual({ admitted: false, reason: "one-at-a-time" });
    for (let cans = 1; TANK + (cans + 1) * CAN <= MOST_PAINT; cans++) {
      near.client(0).actions.buy();
      near.advance(BUY_PAUSE_TICKS * TICK_MS + 1000);
    }
    const paid = charged.size;
    const tooMuch = near.client(0).actions.buy();
    near.advance(1000);
    expect(tooMuch).toMatchObject({
      status: "rejected",
      predicted: { admitted: false, reason: "tank-full" },
    });
    expect(charged.size).toBe(paid);
  });

  it("charges the wallet of the player's seat in its room, under the purchase's key", async () => {
    const asked: unknown[] = [];
    const WALLET = {
      idFromName: (name: string) => name,
      get: (name: string) => ({
        charge: (key: string, amount: number) => {
          asked.push({ name, key, amount });
          return Promise.resolve({ ok: true, balance: 3, more: "that the room must not store" });
        },
      }),
    };
    const context = {
      key: "arena:lobby/7/123/1",
      seat: 4,
      params: {},
      capture: { price: 5 },
      env: { WALLET },
    };
    const answer = await chargeWallet(context as unknown as Parameters<typeof chargeWallet>[0]);
    expect(answer).toEqual({ ok: true, balance: 3 });
    expect(asked).toEqual([{ name: "arena:lobby/4", key: "arena:lobby/7/123/1", amount: 5 }]);
  });
});
