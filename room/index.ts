export type {
  BotBrain,
  BotContext,
  JoinRequest,
  RoomApi,
  RoomHooks,
  RoomLogEntry,
  RoomStats,
  Seat,
  SeatKind,
} from "./core/index.ts";
