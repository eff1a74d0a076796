import type { ActionCall } from "./actions.ts";
import type { Command } from "./controls.ts";
import type { CommandOf, Game, GameShape } from "./definition.ts";
import { fnv32 } from "./hash.ts";
import { type CompiledControl, type CompiledSchema, VIEW_BITS, VIEW_PART_BITS } from "./schema.ts";

const TURN = 2 * Math.PI;

function toQuanta(control: CompiledControl, value: number | boolean | undefined): number {
  switch (control.kind) {
    case "held":
    case "press":
      return value ? 1 : 0;
    case "axis":
      // Two's complement in 8 bits; -128 is never produced, so that both directions reach equally far.
      return Math.round(clamp(Number(value ?? 0), -1, 1) * 127) & 0xff;
    case "trigger":
      return Math.round(clamp(Number(value ?? 0), 0, 1) * 255);
    case "angle": {
      const turns = Number(value ?? 0) / TURN;
      const fraction = Number.isFinite(turns) ? turns - Math.floor(turns) : 0;
      return Math.round(fraction * 2 ** control.bits) & (2 ** control.bits - 1);
    }
  }
}

function fromQuanta(control: CompiledControl, quanta: number): number | boolean {
  switch (control.kind) {
    case "held":
    case "press":
      return quanta === 1;
    case "axis":
      return Math.max(-127, (quanta << 24) >> 24) / 127;
    case "trigger":
      return quanta / 255;
    case "angle":
      return (quanta * TURN) / 2 ** control.bits;
  }
}

/** A value that is no number at all counts as 0, so that NaN from a page's arithmetic moves nobody. */
function clamp(value: number, min: number, max: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(value, min), max);
}

/** What a command carries of an action when it is packed. */
export interface CallInput {
  readonly slot: number;
  readonly params?: { readonly [name: string]: number | boolean | undefined };
  /** The moment that its caller saw of others, in ticks; for an action with `rewind`. */
  readonly viewTick?: number;
}

type Values = { readonly [name: string]: number | boolean | undefined };

/**
 * A command in its wire form: each control's quanta in declaration order, then for each action a bit and,
 * if it is set, the quanta of its parameters; least significant bit first, in as many bytes as needed.
 * Values out of range are clamped: they can't be expressed.
 */
export function packCommand(
  schema: CompiledSchema,
  command: Values,
  calls: readonly CallInput[] = [],
): Uint8Array {
  const bytes = new Uint8Array(schema.maxCommandBytes);
  let bit = writeControls(bytes, 0, schema.controls, command);
  for (const action of schema.actions) {
    const call = calls.find(({ slot }) => slot === action.slot);
    if (call) bytes[bit >> 3] = (bytes[bit >> 3] as number) | (1 << (bit & 7));
    bit++;
    if (call) bit = writeControls(bytes, bit, action.params, call.params ?? {});
    if (call && action.rewind) bit = writeView(bytes, bit, call.viewTick ?? 0);
  }
  return bytes.slice(0, Math.ceil(bit / 8));
}

/** The controls of a packed command. Bits that are missing count as 0. */
export function unpackCommand<S extends GameShape>(schema: CompiledSchema, bytes: Uint8Array): CommandOf<S> {
  return readControls(bytes, 0, schema.controls) as Command as CommandOf<S>;
}

/** The action slots that a packed command carries. */
export function unpackCalls(schema: CompiledSchema, bytes: Uint8Array, seq: number): ActionCall[] {
  const calls: ActionCall[] = [];
  let bit = schema.commandBits;
  for (const { slot, params, paramBits, rewind } of schema.actions) {
    const called = bitAt(bytes, bit++);
    if (!called) continue;
    const values = readControls(bytes, bit, params);
    bit += paramBits;
    calls.push({ slot, seq, params: values, viewTick: rewind ? readView(bytes, bit - VIEW_BITS) : 0 });
  }
  return calls;
}

/** Whether bytes are exactly one packed command. */
export function isPackedCommand(schema: CompiledSchema, bytes: Uint8Array): boolean {
  let bit = schema.commandBits;
  for (const { paramBits } of schema.actions) bit += 1 + (bitAt(bytes, bit) ? paramBits : 0);
  if (bytes.length !== Math.ceil(bit / 8)) return false;
  // Bits beyond the last would give one command two digests.
  return bit % 8 === 0 || (bytes[bytes.length - 1] as number) >> (bit % 8) === 0;
}

function bitAt(bytes: Uint8Array, bit: number): number {
  return ((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1;
}

const VIEW_PARTS = 2 ** VIEW_PART_BITS;

/** A moment as it can be said on the wire: a tick and a fraction of 256. */
export function quantiseView(tick: number): number {
  // Not a number, or before all time: nothing was seen.
  return tick > 0 ? Math.min(Math.floor(tick * VIEW_PARTS) / VIEW_PARTS, 0xffff_ffff) : 0;
}

function writeView(bytes: Uint8Array, at: number, tick: number): number {
  const view = quantiseView(tick);
  const whole = Math.floor(view);
  return writeBits(bytes, writeBits(bytes, at, whole, 32), (view - whole) * VIEW_PARTS, VIEW_PART_BITS);
}

function readView(bytes: Uint8Array, at: number): number {
  return (readBits(bytes, at, 32) >>> 0) + readBits(bytes, at + 32, VIEW_PART_BITS) / VIEW_PARTS;
}

function writeBits(bytes: Uint8Array, at: number, value: number, count: number): number {
  for (let i = 0; i < count; i++) {
    const bit = at + i;
    if ((value >>> i) & 1) bytes[bit >> 3] = (bytes[bit >> 3] as number) | (1 << (bit & 7));
  }
  return at + count;
}

function readBits(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i++) value |= bitAt(bytes, at + i) << i;
  return value;
}

function writeControls(
  bytes: Uint8Array,
  at: number,
  controls: readonly CompiledControl[],
  values: Values,
): number {
  let bit = at;
  for (const control of controls) {
    bit = writeBits(bytes, bit, toQuanta(control, values[control.name]), control.bits);
  }
  return bit;
}

function readControls(bytes: Uint8Array, at: number, controls: readonly CompiledControl[]) {
  const values: Record<string, number | boolean> = {};
  let bit = at;
  for (const control of controls) {
    values[control.name] = fromQuanta(control, readBits(bytes, bit, control.bits));
    bit += control.bits;
  }
  return values;
}

/** What the server will see of a command: the same after rounding to the wire's steps. */
export function quantiseCommand<S extends GameShape>(
  schema: CompiledSchema,
  command: Partial<CommandOf<S>>,
): CommandOf<S> {
  return unpackCommand<S>(schema, packCommand(schema, command));
}

/** Digest of a command's packed bytes: tells a repeat from different content under the same number. */
export function commandDigest(bytes: Uint8Array): number {
  return fnv32(bytes);
}

/** The command of somebody who touches nothing. */
export function neutralCommand<S extends GameShape>(schema: CompiledSchema): CommandOf<S> {
  return unpackCommand<S>(schema, new Uint8Array(0));
}

/**
 * The command that stands in for a missing one, by the game's rule; server and client use the same.
 * @param last the last executed command, if any
 * @param missedTicks how many ticks in a row lack a command, this one included (from 1)
 */
export function missingCommand<S extends GameShape>(
  game: Game<S>,
  last: CommandOf<S> | undefined,
  missedTicks: number,
): CommandOf<S> {
  const { schema, missingInput } = game;
  if (last === undefined || missingInput.rule === "neutral" || missedTicks > missingInput.maxTicks) {
    return neutralCommand<S>(schema);
  }
  const held: Record<string, number | boolean> = { ...(last as Command) };
  for (const control of schema.controls) if (control.kind === "press") held[control.name] = false;
  return held as Command as CommandOf<S>;
}
