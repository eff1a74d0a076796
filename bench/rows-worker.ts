import { arena } from "../demo/game.ts";
import { Room, type RoomHooks } from "../room/index.ts";
import type { ShapeOf } from "../sim/index.ts";
import { createWorker, type RoomNamespace } from "../worker/index.ts";

/** No bots and no receipts: what is left are the rows that a window costs by itself. */
const hooks: RoomHooks<ShapeOf<typeof arena>> = {
  onJoin(seat) {
    seat.spawn("player");
  },
};

export class EveryWindow extends Room(arena, hooks) {}
export class EveryFourth extends Room(arena, hooks, { commitEvery: 4 }) {}

interface Env {
  EVERY: RoomNamespace;
  FOURTH: RoomNamespace;
}

const worker = createWorker<Env>({ rooms: { every: (env) => env.EVERY, fourth: (env) => env.FOURTH } });
// biome-ignore lint/style/noDefaultExport: workerd looks for the Worker under this name
export default worker;
