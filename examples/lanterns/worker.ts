import { Room } from "tickroom/room";
import { createWorker } from "tickroom/worker";
import { lanterns } from "./game.ts";
import { rules } from "./rules.ts";

export class LanternsRoom extends Room(lanterns, rules) {}

interface Env {
  LANTERNS: DurableObjectNamespace<LanternsRoom>;
}

export default createWorker<Env>({ rooms: { lanterns: (env) => env.LANTERNS } });
