/**
 * Runs a room's exported records again, anywhere: unlike `tickroom/room`, this needs no Workers runtime.
 */
export {
  type ReplayDifference,
  type ReplayReport,
  type ReplayRequest,
  type RoomHooks,
  replay,
} from "./core/index.ts";
