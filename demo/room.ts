import { Room } from "tickroom/room";
import { arena } from "./game.ts";
import { rules } from "./rules.ts";

/**
 * The arena's Durable Object. A room of an older arena begins anew rather than refusing everybody: nothing
 * in it is worth more than a game that goes on, and whoever changes the demo would meet a closed door.
 */
export class ArenaRoom extends Room(arena, rules, { onIncompatibleState: "reset" }) {}
