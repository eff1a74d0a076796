import { createWorker } from "tickroom/worker";
import type { ArenaRoom } from "./room.ts";

export { ArenaRoom } from "./room.ts";

interface Env {
  readonly ARENA: DurableObjectNamespace<ArenaRoom>;
}

export default createWorker<Env>({ rooms: { arena: (env) => env.ARENA } });
