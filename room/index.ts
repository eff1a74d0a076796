export type {
  BotBrain,
  BotContext,
  CallContext,
  CallHandler,
  CallHandlers,
  Compensation,
  CompensationContext,
  CompensationReason,
  Compensations,
  EntityView,
  JoinRequest,
  Migration,
  RoomApi,
  RoomHooks,
  RoomReport,
  RoomStats,
  RoomView,
  Seat,
  SeatKind,
  SeatView,
} from "./core/index.ts";
export { migration } from "./core/index.ts";
export { Room, type RoomClass } from "./room-class.ts";
export type { RoomServer } from "./room-server.ts";
export type { RoomSettings } from "./settings.ts";
