import * as detMath from "./math.ts";

export type {
  Action,
  ActionCall,
  ActionName,
  ActionRules,
  Actions,
  Admission,
  AdmitContext,
  CallName,
  CaptureOf,
  ParamsOf,
  ResultOf,
  SettleContext,
  TypeToken,
} from "./actions.ts";
export { action, json } from "./actions.ts";
export { type AdmissionResult, type StepOptions, steered } from "./admissions.ts";
export {
  type CallInput,
  commandDigest,
  isPackedCommand,
  missingCommand,
  neutralCommand,
  packCommand,
  quantiseCommand,
  quantiseView,
  unpackCalls,
  unpackCommand,
} from "./commands.ts";
export type { Command, Control, Controls } from "./controls.ts";
export { axis, held, press, trigger } from "./controls.ts";
export { defineGame, type Shape } from "./define-game.ts";
export type {
  Archetype,
  ArchetypeName,
  Archetypes,
  CommandOf,
  Driven,
  Entity,
  EntityBase,
  EntityInit,
  Externals,
  Fragments,
  Game,
  GameShape,
  GameSpec,
  IslandMember,
  MissingInputRule,
  Phase,
  ShapeOf,
  System,
  SystemContext,
  Systems,
} from "./definition.ts";
export { DefinitionError } from "./definition-error.ts";
export type { EmittedEvent, EventAudience, EventData, EventName, Events } from "./events.ts";
export { SystemFault } from "./fault.ts";
export type { Field, Fields, Fragment, FragmentState } from "./fields.ts";
export { angle, flag, fragment, int, num, oneOf, ref } from "./fields.ts";
export { EntityHistory, Histories, lifeKey, type Sample } from "./history.ts";
export type { EntityRef, NetId, SeatId, Tick } from "./ids.ts";
export { entityRef, NO_ENTITY, refEpochLow, refId } from "./ids.ts";
export {
  angleDifference,
  type InterpolationTimes,
  interpolate,
  isReal,
  newPose,
  type Pose,
  shownValue,
  valueAt,
} from "./interpolate.ts";
export { dequantise, quantise } from "./quantise.ts";
export { QuantisedState } from "./quantised.ts";
export type { RoomSeed } from "./random.ts";
export type { RowPose, RowVisitor } from "./raw-rows.ts";
export { type PastEntity, type Rewind, rewindTo } from "./rewind.ts";
export { RoomWorld } from "./room-world.ts";
export type {
  CompiledAction,
  CompiledArchetype,
  CompiledControl,
  CompiledSchema,
  FlatField,
} from "./schema.ts";
export {
  CELL_EPOCH,
  CELL_ID,
  CELL_OWNER,
  CELL_PRESENCE,
  HEADER_CELLS,
  jumpsOf,
  predictorOf,
} from "./schema.ts";
export type { EventIdentity } from "./structure.ts";
export type { EntityRow } from "./table.ts";
export { World } from "./world.ts";
export { detMath };
