import { createWorker } from "tickroom/worker";

export { ArenaRoom } from "./room.ts";
export { Wallet } from "./wallet.ts";
export { YardRoom } from "./yard/room.ts";

export default createWorker<Cloudflare.Env>({
  rooms: { arena: (env) => env.ARENA, yard: (env) => env.YARD },
});
