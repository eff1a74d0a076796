import type { GameShape } from "../sim/index.ts";
import type { RoomCoreOptions } from "./core/index.ts";

/** Numbers of a room that a game may choose; each has a default. */
export type RoomSettings = Partial<
  Pick<
    RoomCoreOptions<GameShape>,
    | "windowTicks"
    | "commitEvery"
    | "sessions"
    | "checkpointTicks"
    | "maxCatchUpTicks"
    | "maxFaults"
    | "graceTicks"
    | "migrations"
    | "onIncompatibleState"
  >
>;
