import { Room } from "../../room/index.ts";
import { createWorker, type RoomNamespace } from "../../worker/index.ts";
import { loadGame } from "./ours-game.ts";

/** As a game gets it: a commit at every window, everything on. */
export class OursRoom extends Room(loadGame, {
  onJoin(seat, { world }) {
    const at = (part: number) => ((seat.id * 613 + part * 271) % 2000) + 24;
    seat.spawn("player", { body: { x: at(1), y: at(2), health: 100 } });
    world.spawn("prop", { body: { x: at(3), y: at(4), vx: 120, vy: -80, health: 100 } });
  },
}) {}

interface Env {
  Room: RoomNamespace;
}

const worker = createWorker<Env>({ rooms: { live: (env) => env.Room } });
// biome-ignore lint/style/noDefaultExport: workerd looks for the Worker under this name
export default worker;
