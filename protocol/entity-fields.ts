import type { CompiledArchetype, CompiledSchema, FlatField, QuantisedState } from "../sim/index.ts";
import { type BitReader, type CodeWriter, type Expectation, unzigzag, zigzag } from "./bits.ts";
import { WireError } from "./errors.ts";

/** Ticks between two snapshots past which a rate says nothing about the position any more. */
const MAX_PREDICTED_TICKS = 255;
/** Bits up to which a new entity's number is written plainly, counted from its lower bound. */
const MAX_PLAIN_BITS = 12;

/** Ticks over which rates are applied between a base and its successor; 0 = not at all. */
export function predictedTicks(baseTick: number, tick: number): number {
  const ticks = tick - baseTick;
  return ticks > 0 && ticks <= MAX_PREDICTED_TICKS ? ticks : 0;
}

/** Fields in the order in which their changes travel: those with a rate last, when the new rates are known. */
export function inWireOrder(fields: readonly FlatField[]): FlatField[] {
  return [...fields.filter(({ rate }) => rate < 0), ...fields.filter(({ rate }) => rate >= 0)];
}

/** The field before it in that order, if it is of the same fragment and both have rates or neither: they change together. */
export function companionOf(field: FlatField, before: FlatField | undefined): FlatField | undefined {
  const alike = before?.fragment === field.fragment && before.rate >= 0 === field.rate >= 0;
  return alike ? before : undefined;
}

/** Quanta that a field moves by in so many ticks for each quantum of two rates: the one before and the one after. */
export function rateFactor(schema: CompiledSchema, field: FlatField, rate: FlatField, ticks: number): number {
  return (rate.step * ticks) / (2 * schema.tickRate * field.step);
}

/**
 * Where a field with a rate is expected: moved on by the mean of the rate before and after. Both sides must get the
 * same integer, so these double operations are part of the format.
 * @param rates the sum of both rates; twice the first if the rate has a rate itself, and so isn't known yet
 */
export function movedBy(value: number, rates: number, factor: number): number {
  return (value + Math.floor(rates * factor + 0.5)) | 0;
}

/** Whether an entity was under way in the base. */
export function wasMoving(fields: readonly FlatField[], values: Int32Array, offset: number): boolean {
  for (const field of fields) if (field.rateOf >= 0 && values[offset + field.index] !== 0) return true;
  return false;
}

/** What must be added to `expected` to get `value`, modulo the field's range; 0 = as expected. */
export function residualOf(field: FlatField, value: number, expected: number): number {
  const difference = (value - expected) | 0;
  if (field.kind !== "angle") return difference;
  const unused = 32 - field.bits;
  return (difference << unused) >> unused;
}

/** Writes a field that isn't as expected. */
export function writeChange(
  writer: CodeWriter,
  field: FlatField,
  value: number,
  residual: number,
  expectation: Expectation,
): void {
  switch (field.kind) {
    case "flag":
      return;
    case "oneOf":
      writer.write(value - field.lo, field.bits);
      return;
    case "ref":
      writer.writeSized(value >>> 0);
      return;
    default:
      // 0 was ruled out by the marks, so the codes start at 1.
      writer.writeExpected(zigzag(residual) - 1, expectation);
  }
}

/** Undoes `writeChange`, and checks that the result is in the field's range. */
export function readChange(
  reader: BitReader,
  field: FlatField,
  expected: number,
  expectation: Expectation,
): number {
  switch (field.kind) {
    case "flag":
      return expected ^ 1;
    case "oneOf":
      return inRange(field, field.lo + reader.read(field.bits));
    case "ref":
      return reader.readSized() | 0;
    default:
      return wrapped(field, (expected + unzigzag((reader.readExpected(expectation) + 1) >>> 0)) | 0);
  }
}

/** A value after prediction or a difference: an angle turns round, everything else must be in range. */
export function wrapped(field: FlatField, value: number): number {
  if (field.kind === "angle") return value & field.hi;
  return inRange(field, value);
}

/** Writes a field of a new entity, which has nothing to differ from. */
export function writeWhole(writer: CodeWriter, field: FlatField, value: number): void {
  if (field.kind === "ref") writer.writeSized(value >>> 0);
  else if (field.kind === "angle" || field.bits <= MAX_PLAIN_BITS) writer.write(value - field.lo, field.bits);
  else writer.writeSized(zigzag(value));
}

export function readWhole(reader: BitReader, field: FlatField): number {
  if (field.kind === "ref") return reader.readSized() | 0;
  if (field.kind === "angle" || field.bits <= MAX_PLAIN_BITS) {
    return inRange(field, field.lo + reader.read(field.bits));
  }
  return inRange(field, unzigzag(reader.readSized()));
}

function inRange(field: FlatField, value: number): number {
  if (value < field.lo || value > field.hi) {
    throw new WireError("bad-value", `${field.path} = ${value} is out of ${field.lo} … ${field.hi}`);
  }
  return value;
}

/** Whether an entity is the same one, with the same fields, in both states. */
export function sameEntity(
  base: QuantisedState,
  baseRow: number,
  state: QuantisedState,
  row: number,
): boolean {
  return base.epochs[baseRow] === state.epochs[row] && base.archetypes[baseRow] === state.archetypes[row];
}

/** Writes which optional fragments are there: one bit each, in order. The others always are. */
export function writePresence(writer: CodeWriter, archetype: CompiledArchetype, presence: number): void {
  if ((presence & ~archetype.optionalMask) >>> 0 !== archetype.requiredMask) {
    throw new RangeError(`${archetype.name} can't have presence ${presence}`);
  }
  for (let rest = archetype.optionalMask; rest !== 0; rest &= rest - 1) {
    writer.write((presence & rest & -rest) === 0 ? 0 : 1, 1);
  }
}

export function readPresence(reader: BitReader, archetype: CompiledArchetype): number {
  let presence = archetype.requiredMask;
  for (let rest = archetype.optionalMask; rest !== 0; rest &= rest - 1) {
    if (reader.read(1) === 1) presence |= rest & -rest;
  }
  return presence >>> 0;
}

/** Bits of an archetype's index. */
export function archetypeBits(schema: CompiledSchema): number {
  return 32 - Math.clz32(schema.archetypes.length - 1);
}
