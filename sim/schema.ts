import type { Control } from "./controls.ts";

export type FieldKind = "num" | "int" | "angle" | "flag" | "oneOf" | "ref";
export type FieldInterpolation = "hermite" | "linear" | "shortest" | "step";

/** Cells at the start of every row: id, epoch, owner, presence. */
export const HEADER_CELLS = 4;
export const CELL_ID = 0;
export const CELL_EPOCH = 1;
export const CELL_OWNER = 2;
export const CELL_PRESENCE = 3;
/** Set in the presence cell while a despawn waits for its structural step. Never leaves the world. */
export const DOOMED_BIT = 0x80000000;

/** One field of an archetype, flattened out of its fragment. */
export interface FlatField {
  /** Position in `CompiledArchetype.fields`. */
  readonly index: number;
  /** Position of its fragment in `CompiledArchetype.fragments`, and its bit in a presence mask. */
  readonly fragment: number;
  readonly fragmentName: string;
  readonly name: string;
  /** `fragment.field`, for messages. */
  readonly path: string;
  readonly kind: FieldKind;
  /** Offset of its 32-bit cell in the row. num and angle are float32, the rest int32. */
  readonly cell: number;
  /** Value of one quantum: the declared step, a fraction of a turn in radians, or 1. */
  readonly step: number;
  /** Bounds of the quantised value. */
  readonly lo: number;
  readonly hi: number;
  /** angle: quantised values are modulo 2^bits. Otherwise the bits that lo … hi need. */
  readonly bits: number;
  /** Index of the field that is this one's change per second, or -1. */
  readonly rate: number;
  /** Index of the field whose rate this is, or -1. */
  readonly rateOf: number;
  /** Error that prediction leaves alone, in the field's unit; 0 means exact. */
  readonly tolerance: number;
  readonly interpolation: FieldInterpolation;
  readonly rollback: boolean;
  /** The cell's value in a new entity, as the bits of the cell (uint32). */
  readonly defaultCell: number;
  /** oneOf only. */
  readonly values: readonly string[];
}

export interface CompiledArchetype {
  readonly index: number;
  readonly name: string;
  readonly fields: readonly FlatField[];
  /** Cells per row: header, one per field, tail. */
  readonly stride: number;
  /**
   * Where the row's tail begins: what the engine keeps with an entity besides the game's fields. Its first cell has
   * the number of teleports modulo 256 and above it, where the archetype has islands, the seat whose it is in. The
   * owner's predicted entities have three: slot and count of the action that spawned it (8 bits each, above the
   * teleports), input session, command.
   */
  readonly tail: number;
  /** Names of its fragments, required ones first; bit i of a presence mask is the i-th. */
  readonly fragments: readonly string[];
  /** Presence of a new entity. */
  readonly requiredMask: number;
  readonly optionalMask: number;
  /** The owner's client predicts it. */
  readonly predicted: boolean;
  /** The client predicts it in whose island it is. */
  readonly islands: boolean;
  /** Prediction reads it: a function of the tick, or by its history. */
  readonly external: boolean;
  readonly history: boolean;
  readonly maxExtrapolationTicks: number;
  readonly snapDistance: number;
  /** Fields that make up the place of the entity, for distances. */
  readonly place: readonly FlatField[];
  /** The room keeps its poses for a while, for those who aim at what they see. */
  readonly rewinds: boolean;
}

/** How often an entity was teleported, modulo 256. @param tailWord first cell of its row's tail */
export function jumpsOf(tailWord: number): number {
  return tailWord & 0xff;
}

/** The seat whose client predicts an entity, 0 = nobody's. @param tailWord first cell of its row's tail */
export function predictorOf(archetype: CompiledArchetype, owner: number, tailWord: number): number {
  if (archetype.predicted) return owner;
  return archetype.islands ? tailWord >>> 8 : 0;
}

export interface CompiledControl {
  readonly name: string;
  readonly kind: Control["kind"];
  readonly bits: number;
}

/** An action slot. In a packed command: one bit, and if it is set the parameters. */
export interface CompiledAction {
  readonly slot: number;
  readonly name: string;
  readonly params: readonly CompiledControl[];
  readonly paramBits: number;
  readonly deadlineTicks: number;
  readonly call: boolean;
  /** It carries its caller's view time, after the parameters. */
  readonly rewind: boolean;
}

/** A view time: the tick that the caller's page was showing, and its 256th part. */
const VIEW_TICK_BITS = 32;
export const VIEW_PART_BITS = 8;
export const VIEW_BITS = VIEW_TICK_BITS + VIEW_PART_BITS;

/** A definition in the form that codecs and worlds work with. */
export interface CompiledSchema {
  /** Hash of everything that the wire and the stored state depend on (64 bit). */
  readonly fingerprint: bigint;
  readonly tickRate: number;
  /** How far an action with `rewind` may look back. */
  readonly rewindTicks: number;
  readonly archetypes: readonly CompiledArchetype[];
  readonly controls: readonly CompiledControl[];
  readonly actions: readonly CompiledAction[];
  /** Names of events, in the order of their numbers on the wire. */
  readonly events: readonly string[];
  /** Bits of the controls alone. */
  readonly commandBits: number;
  /** Bytes of a command without actions. */
  readonly commandBytes: number;
  /** Bytes of a command with every action in it. */
  readonly maxCommandBytes: number;
}
