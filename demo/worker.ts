import { createWorker } from "tickroom/worker";

export { ArenaRoom } from "./room.ts";
export { Wallet } from "./wallet.ts";

export default createWorker<Cloudflare.Env>({ rooms: { arena: (env) => env.ARENA } });
