import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { START_COINS } from "../../demo/tuning.ts";
import type { Wallet } from "../../demo/wallet.ts";

const { WALLET } = env as unknown as { readonly WALLET: DurableObjectNamespace<Wallet> };

function freshName(): string {
  return `wallet-${crypto.randomUUID()}`;
}

function open(name: string): DurableObjectStub<Wallet> {
  return WALLET.get(WALLET.idFromName(name));
}

describe("a wallet", () => {
  it("begins with some coins and gives them for charges", async () => {
    const wallet = open(freshName());
    expect(await wallet.balance()).toBe(START_COINS);
    expect(await wallet.charge("a", 5)).toEqual({ ok: true, balance: START_COINS - 5 });
    expect(await wallet.charge("b", 2)).toEqual({ ok: true, balance: START_COINS - 7 });
    expect(await wallet.balance()).toBe(START_COINS - 7);
  });

  it("[A3] charges a key once, whoever asks how often, and repeats its first answer", async () => {
    const wallet = open(freshName());
    const first = await wallet.charge("a", 5);
    await wallet.charge("b", 5);
    const again = await Promise.all(Array.from({ length: 20 }, () => wallet.charge("a", 5)));
    for (const answer of again) expect(answer).toEqual(first);
    // Not even for another amount: the key is what names a purchase.
    expect(await wallet.charge("a", 1)).toEqual(first);
    expect(await wallet.balance()).toBe(START_COINS - 10);
  });

  it("refuses what it doesn't hold, and stays with that for the key", async () => {
    const wallet = open(freshName());
    const refused = await wallet.charge("too-much", START_COINS + 1);
    expect(refused).toEqual({ ok: false, balance: START_COINS });
    expect(await wallet.charge("all", START_COINS)).toEqual({ ok: true, balance: 0 });
    expect(await wallet.charge("too-much", START_COINS + 1)).toEqual(refused);
  });

  it("[A3] remembers its answers when its process dies", async () => {
    const name = freshName();
    const first = await open(name).charge("a", 5);
    await runInDurableObject(open(name), (_, state) => state.abort("crashed by the test")).catch(
      () => undefined,
    );
    expect(await open(name).charge("a", 5)).toEqual(first);
    expect(await open(name).balance()).toBe(START_COINS - 5);
  });

  it("[A9] gives back what was charged, and charges that key never again", async () => {
    const wallet = open(freshName());
    await wallet.charge("a", 5);
    await wallet.charge("b", 3);
    expect(await wallet.refund("a")).toEqual({ balance: START_COINS - 3 });
    expect(await wallet.refund("a")).toEqual({ balance: START_COINS - 3 });
    expect(await wallet.charge("a", 5)).toEqual({ ok: false, balance: START_COINS - 3 });
    expect(await wallet.balance()).toBe(START_COINS - 3);
  });

  it("[A9] doesn't charge what it was asked to refund before", async () => {
    const wallet = open(freshName());
    expect(await wallet.refund("a")).toEqual({ balance: START_COINS });
    expect(await wallet.charge("a", 5)).toEqual({ ok: false, balance: START_COINS });
    expect(await wallet.balance()).toBe(START_COINS);
  });

  it("charges no nonsense", async () => {
    for (const amount of [0, -5, 1.5, Number.NaN]) {
      await expect(
        runInDurableObject(open(freshName()), (wallet) => wallet.charge("a", amount)),
      ).rejects.toThrow("can't charge");
    }
  });
});
