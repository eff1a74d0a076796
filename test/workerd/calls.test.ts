import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { START_COINS } from "../../demo/tuning.ts";
import { afterTicks, type Gunner, gunner, SLOT } from "../unit/room/gunner.ts";
import { freshName, shopOf, walletOf } from "./rooms.ts";
import { SocketClient } from "./socket-client.ts";

async function shopper(purpose: string) {
  const room = freshName(purpose, "shop");
  const ada = new SocketClient<Gunner>(room, 1, gunner);
  await ada.join();
  const buy = (amount: number) => {
    const call = { slot: SLOT.buy, params: { amount: afterTicks(amount) } };
    ada.send(ada.client.input([{ calls: [call] }]));
  };
  const settled = () => ada.client.receipts.filter(({ status }) => status === "settled");
  return { room, ada, buy, settled };
}

async function crash(room: string): Promise<void> {
  await runInDurableObject(shopOf(room), (_, state) => state.abort("crashed by the test")).catch(
    () => undefined,
  );
}

async function leave(ada: SocketClient<Gunner>): Promise<void> {
  ada.send(ada.client.frame({ type: "leave" }));
  await ada.until(() => ada.closed !== undefined);
}

describe("a call to another Durable Object", () => {
  it("[A3] is made once its admission is stored, and settles the action with its answer", async () => {
    const { room, ada, buy, settled } = await shopper("call");
    buy(7);
    await ada.until(() => settled().length > 0);
    expect(settled()[0]?.result).toEqual({ ok: true, balance: START_COINS - 7 });
    expect(await walletOf(room).balance()).toBe(START_COINS - 7);
    await leave(ada);
  });

  it("[A3] is tried again while it fails", async () => {
    const { room, ada, buy, settled } = await shopper("retry");
    let failures = 0;
    await runInDurableObject(shopOf(room), (shop) => {
      const { calls } = shop;
      shop.calls = {
        buy: (context) => {
          if (++failures < 3) throw new Error("the wallet is away");
          return calls.buy?.(context) ?? Promise.reject(new Error("no handler"));
        },
      };
    });
    buy(3);
    await ada.until(() => settled().length > 0);
    expect(failures).toBe(3);
    expect(await walletOf(room).balance()).toBe(START_COINS - 3);
    await leave(ada);
  });

  it("[A3][A8][D3] charges once although the room crashed between the charge and its answer", async () => {
    const { room, ada, buy, settled } = await shopper("crash");
    const keys: string[] = [];
    await runInDurableObject(shopOf(room), (shop) => {
      const { calls } = shop;
      shop.calls = {
        buy: async (context) => {
          keys.push(context.key);
          await calls.buy?.(context);
          // The answer never gets to the room.
          return new Promise(() => undefined);
        },
      };
    });
    buy(5);
    await vi.waitFor(async () => expect(await walletOf(room).balance()).toBe(START_COINS - 5), 10_000);
    await ada.until(() => ada.client.snapshot.receiptHead === 1);
    await crash(room);
    await ada.until(() => ada.closed !== undefined);

    await ada.resume();
    const head = () => Math.max(ada.client.welcome.receiptHead, ada.client.snapshot.receiptHead);
    await ada.until(() => head() >= 2);
    ada.send(ada.client.frame({ type: "fetch", session: 1, from: 1, to: 9 }));
    await ada.until(() => settled().length > 0);
    await ada.until(() => ada.client.snapshots.length > 5);
    expect(new Set(settled().map((receipt) => JSON.stringify(receipt))).size).toBe(1);
    expect(settled()[0]).toMatchObject({
      number: 2,
      session: 1,
      seq: 1,
      result: { ok: true, balance: START_COINS - 5 },
    });
    expect(head()).toBe(2);
    expect(await walletOf(room).balance()).toBe(START_COINS - 5);
    expect(keys).toEqual([`${room}/1/1/${SLOT.buy}`]);
    await leave(ada);
  });
});

describe("a call whose player has left", () => {
  it("[A9] is undone: charged before, and refunded with nobody in the room", async () => {
    const { room, ada, buy } = await shopper("left");
    await runInDurableObject(shopOf(room), (shop) => {
      const { calls } = shop;
      shop.calls = {
        buy: async (context) => {
          await calls.buy?.(context);
          return new Promise(() => undefined);
        },
      };
    });
    buy(5);
    await vi.waitFor(async () => expect(await walletOf(room).balance()).toBe(START_COINS - 5), 10_000);
    await leave(ada);
    await vi.waitFor(async () => expect(await walletOf(room).balance()).toBe(START_COINS), 10_000);
  });

  it("[A9] is refunded before its charge comes, which then does nothing", async () => {
    const { room, ada, buy } = await shopper("early");
    let refunds = 0;
    let answer: unknown;
    await runInDurableObject(shopOf(room), (shop) => {
      const { calls, compensations } = shop;
      shop.compensations = {
        buy: async (context) => {
          await compensations.buy?.(context);
          refunds++;
        },
      };
      shop.calls = {
        buy: async (context) => {
          while (refunds === 0) await scheduler.wait(5);
          answer = await calls.buy?.(context);
          return answer;
        },
      };
    });
    buy(5);
    await ada.until(() => ada.client.snapshot.receiptHead === 1);
    await leave(ada);
    await vi.waitFor(() => expect(answer).toEqual({ ok: false, balance: START_COINS }), 10_000);
    expect(await walletOf(room).balance()).toBe(START_COINS);
  });

  it("[A9][D3] is refunded after a crash that came before the refund, though nobody comes back", async () => {
    const { room, ada, buy } = await shopper("crash");
    let tries = 0;
    await runInDurableObject(shopOf(room), (shop) => {
      const { calls } = shop;
      shop.calls = {
        buy: async (context) => {
          await calls.buy?.(context);
          return new Promise(() => undefined);
        },
      };
      shop.compensations = {
        buy: () => {
          tries++;
          return Promise.reject(new Error("the wallet is away"));
        },
      };
    });
    buy(5);
    await vi.waitFor(async () => expect(await walletOf(room).balance()).toBe(START_COINS - 5), 10_000);
    await leave(ada);
    // Asked for once, so the debt is in a commit.
    await vi.waitFor(() => expect(tries).toBeGreaterThan(0), 10_000);
    await runInDurableObject(shopOf(room), (_, { storage }) => storage.sync());
    await crash(room);
    // Nobody calls it: the alarm that it had set does.
    expect(await walletOf(room).balance()).toBe(START_COINS - 5);
    await vi.waitFor(async () => expect(await walletOf(room).balance()).toBe(START_COINS), 20_000);
  }, 30_000);
});
