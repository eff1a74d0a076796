export type { CallJob } from "./actions/index.ts";
export type { RoomCalls } from "./call-office.ts";
export type { Connection } from "./connection.ts";
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
  JoinRequest,
  RoomApi,
  RoomHooks,
  Seat,
  SeatKind,
} from "./hooks.ts";
export { MemoryStore } from "./memory-store.ts";
export { dataPoint, prometheusText } from "./metrics.ts";
export { type Migration, migration } from "./migrations.ts";
export type { RoomCoreOptions, RoomLogEntry } from "./options.ts";
export { type ReplayDifference, type ReplayReport, type ReplayRequest, replay } from "./replay.ts";
export type { RoomReport } from "./report.ts";
export { RoomCore } from "./room-core.ts";
export type { EntityView, RoomView, SeatView } from "./room-view.ts";
export type { RoomStats } from "./stats.ts";
export type { RoomStore, RoomWrite, StoredRows } from "./store.ts";
export { LEDGER_SLOTS, requireStorable } from "./store.ts";
