import { arena } from "../../demo/game.ts";
import { ArenaRoom } from "../../demo/room.ts";
import { rules } from "../../demo/rules.ts";
import { Wallet } from "../../demo/wallet.ts";
import { type CallContext, Room } from "../../room/index.ts";
import { createWorker } from "../../worker/index.ts";
import { type Gunner, gunner } from "../unit/room/gunner.ts";

export { ArenaRoom, Wallet };

/** The arena's room with fewer commits than windows. */
export class SparseRoom extends Room(arena, rules, { commitEvery: 4 }) {}

function walletFor({ key, env }: CallContext<Gunner, "buy">) {
  const { WALLET } = env as Cloudflare.Env & { readonly WALLET: DurableObjectNamespace<Wallet> };
  const [room = ""] = key.split("/");
  return WALLET.get(WALLET.idFromName(room));
}

/** Charges a wallet of its own for what players buy. */
export class ShopRoom extends Room(gunner, {
  onJoin: (seat) => void seat.spawn("player"),
  calls: {
    buy: (call) => walletFor(call).charge(call.key, call.capture.amount),
  },
  compensations: {
    buy: (call) => walletFor(call).refund(call.key),
  },
}) {}

interface Env {
  readonly ARENA: DurableObjectNamespace<ArenaRoom>;
  readonly SPARSE: DurableObjectNamespace<SparseRoom>;
  readonly SHOP: DurableObjectNamespace<ShopRoom>;
}

/** The demo's Worker, and rooms of other kinds. */
export default createWorker<Env>({
  rooms: { arena: (env) => env.ARENA, sparse: (env) => env.SPARSE, shop: (env) => env.SHOP },
});
