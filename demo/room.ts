import { Room } from "tickroom/room";
import { arena } from "./game.ts";
import { rules } from "./rules.ts";

/** The arena's Durable Object. */
export class ArenaRoom extends Room(arena, rules) {}
