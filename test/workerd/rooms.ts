import { env } from "cloudflare:workers";
import type { ArenaRoom } from "../../demo/room.ts";
import type { Wallet } from "../../demo/wallet.ts";
import type { ShopRoom } from "./worker.ts";

/** The bindings of test/workerd/wrangler.toml. */
const bindings = env as unknown as {
  readonly ARENA: DurableObjectNamespace<ArenaRoom>;
  readonly SPARSE: DurableObjectNamespace<ArenaRoom>;
  readonly SHOP: DurableObjectNamespace<ShopRoom>;
  readonly WALLET: DurableObjectNamespace<Wallet>;
};

/** A room name that no other test has: storage and alarms outlive a test. */
export function freshName(purpose: string, kind: "arena" | "sparse" | "shop" = "arena"): string {
  return `${kind}:${purpose}-${crypto.randomUUID().slice(0, 8)}`;
}

export function stubOf(room: string): DurableObjectStub<ArenaRoom> {
  const namespace = room.startsWith("sparse:") ? bindings.SPARSE : bindings.ARENA;
  return namespace.get(namespace.idFromName(room));
}

export function freshStub(purpose: string): DurableObjectStub<ArenaRoom> {
  return stubOf(freshName(purpose));
}

export function shopOf(room: string): DurableObjectStub<ShopRoom> {
  return bindings.SHOP.get(bindings.SHOP.idFromName(room));
}

/** The wallet that a shop charges. */
export function walletOf(room: string): DurableObjectStub<Wallet> {
  return bindings.WALLET.get(bindings.WALLET.idFromName(room));
}
