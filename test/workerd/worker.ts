import { arena } from "../../demo/game.ts";
import { ArenaRoom } from "../../demo/room.ts";
import { rules } from "../../demo/rules.ts";
import { Wallet } from "../../demo/wallet.ts";
import { Room } from "../../room/index.ts";
import { createWorker } from "../../worker/index.ts";

export { ArenaRoom, Wallet };

/** The arena's room with fewer commits than windows. */
export class SparseRoom extends Room(arena, rules, { commitEvery: 4 }) {}

interface Env {
  readonly ARENA: DurableObjectNamespace<ArenaRoom>;
  readonly SPARSE: DurableObjectNamespace<SparseRoom>;
}

/** The demo's Worker, and rooms of another kind that commit more rarely. */
export default createWorker<Env>({ rooms: { arena: (env) => env.ARENA, sparse: (env) => env.SPARSE } });
