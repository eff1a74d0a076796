export type {
  ActionCalls,
  ActionHandle,
  ActionIdentity,
  ActionOutcome,
  ActionReceipt,
  ActionStatus,
  Effect,
  EffectHandlers,
  Effects,
  Receipts,
} from "./action-types.ts";
export { ClientCore, type ClientCoreOptions } from "./client-core.ts";
export { Conditioner } from "./conditioner.ts";
export { type JoinOptions, join } from "./join.ts";
export { JoinError, type JoinFailure } from "./join-error.ts";
export { type LinkPreset, linkPresets } from "./link-presets.ts";
export { NO_FAULTS } from "./no-faults.ts";
export { type PredictedState, predictedAfter } from "./predicted-state.ts";
export type { DevHook } from "./room-client.ts";
export type { ResumedSession } from "./session.ts";
export { MemorySessionStore, type SavedSession, type SessionStore } from "./session-store.ts";
export type {
  ClientEvents,
  ConditionerOptions,
  Input,
  Listen,
  Off,
  OwnArchetype,
  PressName,
  RoomClient,
  RoomEvents,
  SeatInfo,
  Stats,
  Status,
  View,
  ViewEntity,
  ViewEntityBase,
  ViewFragments,
} from "./types.ts";
export type { Link, Transport } from "./uplink.ts";
