import module from "@dimforge/rapier2d-deterministic/rapier_wasm2d_bg.wasm";
import { Room } from "tickroom/room";
import { yard } from "./game.ts";
import { startRapier } from "./rapier.ts";
import { rules } from "./rules.ts";

startRapier(module);

/** The yard's Durable Object. A room of an older yard begins anew. */
export class YardRoom extends Room(yard, rules, { onIncompatibleState: "reset" }) {}
