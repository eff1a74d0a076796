import type { CompiledArchetype, CompiledSchema, FlatField, QuantisedState } from "../sim/index.ts";
import { CodeWriter, zigzag } from "./bits.ts";
import {
  archetypeBits,
  fragmentEnd,
  predictedTicks,
  predictField,
  RESIDUAL_CLASSES,
  residualClass,
  residualOf,
  sameEntity,
  writeChange,
  writePresence,
  writeWhole,
} from "./entity-fields.ts";

/** Largest useful Rice parameter: quanta above 2^24 are as well written plainly. */
const MAX_RICE = 24;
const RICE_BITS = 5;
/** What an escaped value costs (see CodeWriter.writeRice). */
const ESCAPE_BITS = 48;

/** Bits of the unary part of a value whose length exceeds the parameter by the index; past the table it escapes. */
const UNARY_BITS = [1, 2, 4, 7, 13] as const;

/** How rows of the base and of the new state belong together. */
interface Match {
  readonly despawned: number[];
  readonly spawned: number[];
  /** Pairs: row in the base, row in the state. */
  readonly survivors: number[];
}

/**
 * The shared section: everything that turns `base` into `state`, structure first. Against an empty base it is a
 * keyframe. Lossless for quantised values; the base must be exactly what the reader has.
 */
export function encodeEntities(
  schema: CompiledSchema,
  base: QuantisedState,
  state: QuantisedState,
): Uint8Array<ArrayBuffer> {
  const match = matchRows(base, state);
  const writer = new CodeWriter(64 + match.survivors.length * 4 + match.spawned.length * 32);
  writeDespawns(writer, base, match.despawned);
  writeSpawns(writer, schema, state, match.spawned);
  writeOwnership(writer, schema, base, state, match.survivors);
  writeMotion(writer, schema, base, state, match.survivors);
  return writer.finish();
}

function matchRows(base: QuantisedState, state: QuantisedState): Match {
  const match: Match = { despawned: [], spawned: [], survivors: [] };
  let b = 0;
  let s = 0;
  while (b < base.count || s < state.count) {
    const baseId = b < base.count ? (base.ids[b] as number) : Number.POSITIVE_INFINITY;
    const id = s < state.count ? (state.ids[s] as number) : Number.POSITIVE_INFINITY;
    if (baseId === id && sameEntity(base, b, state, s)) {
      match.survivors.push(b++, s++);
    } else {
      if (baseId <= id) match.despawned.push(b++);
      if (id <= baseId) match.spawned.push(s++);
    }
  }
  return match;
}

function writeDespawns(writer: CodeWriter, base: QuantisedState, rows: readonly number[]): void {
  writer.writeGamma(rows.length);
  let previous = 0;
  for (const row of rows) {
    const id = base.ids[row] as number;
    writer.writeGamma(id - previous - 1);
    previous = id;
  }
}

function writeSpawns(
  writer: CodeWriter,
  schema: CompiledSchema,
  state: QuantisedState,
  rows: readonly number[],
): void {
  writer.writeGamma(rows.length);
  const indexBits = archetypeBits(schema);
  let previous = 0;
  for (const row of rows) {
    const id = state.ids[row] as number;
    const archetype = archetypeAt(schema, state, row);
    const presence = state.presence[row] as number;
    const offset = state.offsets[row] as number;
    writer.writeGamma(id - previous - 1);
    writer.writeSized(state.epochs[row] as number);
    writer.write(archetype.index, indexBits);
    writer.writeGamma(state.owners[row] as number);
    writer.writeGamma(state.jumps[row] as number);
    writePresence(writer, archetype, presence);
    for (const field of archetype.fields) {
      if (presence & (1 << field.fragment))
        writeWhole(writer, field, state.values[offset + field.index] as number);
    }
    previous = id;
  }
}

/** New owners, teleports, and fragments that came or went. A new fragment's values follow with the motion, as changes from 0. */
function writeOwnership(
  writer: CodeWriter,
  schema: CompiledSchema,
  base: QuantisedState,
  state: QuantisedState,
  survivors: readonly number[],
): void {
  const changed: number[] = [];
  for (let i = 0; i < survivors.length; i += 2) {
    const b = survivors[i] as number;
    const s = survivors[i + 1] as number;
    const same =
      base.owners[b] === state.owners[s] &&
      base.presence[b] === state.presence[s] &&
      base.jumps[b] === state.jumps[s];
    if (!same) changed.push(s);
  }
  writer.writeGamma(changed.length);
  let previous = 0;
  for (const row of changed) {
    const id = state.ids[row] as number;
    writer.writeGamma(id - previous - 1);
    writer.writeGamma(state.owners[row] as number);
    writer.writeGamma(state.jumps[row] as number);
    writePresence(writer, archetypeAt(schema, state, row), state.presence[row] as number);
    previous = id;
  }
}

function writeMotion(
  writer: CodeWriter,
  schema: CompiledSchema,
  base: QuantisedState,
  state: QuantisedState,
  survivors: readonly number[],
): void {
  const residuals = new Int32Array(state.valueCount);
  const changed = new Uint8Array(survivors.length / 2);
  const parameters = computeResiduals(schema, base, state, survivors, residuals, changed);
  writer.write(parameters === undefined ? 0 : 1, 1);
  if (parameters === undefined) return;
  for (const parameter of parameters) writer.write(parameter, RICE_BITS);
  for (let i = 0; i < changed.length; i++) {
    writer.write(changed[i] as number, 1);
    if (changed[i] === 0) continue;
    const row = survivors[i * 2 + 1] as number;
    writeChanges(writer, archetypeAt(schema, state, row), state, row, residuals, parameters);
  }
}

/** One entity: which fragments and fields changed, then the changes, fields with a rate last. */
function writeChanges(
  writer: CodeWriter,
  archetype: CompiledArchetype,
  state: QuantisedState,
  row: number,
  residuals: Int32Array,
  parameters: readonly number[],
): void {
  const offset = state.offsets[row] as number;
  const presence = state.presence[row] as number;
  const { fields } = archetype;
  for (let first = 0; first < fields.length; ) {
    const end = fragmentEnd(fields, first);
    if (presence & (1 << (fields[first] as FlatField).fragment)) {
      writeMask(writer, residuals, offset + first, offset + end);
    }
    first = end;
  }
  for (let pass = 0; pass < 2; pass++) {
    for (const field of fields) {
      const at = offset + field.index;
      if (residuals[at] === 0 || field.rate >= 0 !== (pass === 1)) continue;
      writeChange(writer, field, state.values[at] as number, residuals[at] as number, parameters);
    }
  }
}

/** A fragment's fields: one bit if none changed, else a bit each. A single field needs only its own. */
function writeMask(writer: CodeWriter, residuals: Int32Array, from: number, to: number): void {
  let any = 0;
  for (let at = from; at < to; at++) any |= residuals[at] as number;
  if (to - from > 1) writer.write(any === 0 ? 0 : 1, 1);
  if (any === 0 && to - from > 1) return;
  for (let at = from; at < to; at++) writer.write(residuals[at] === 0 ? 0 : 1, 1);
}

/** Fills in residuals and changed entities; returns the cheapest Rice parameters, undefined if nothing changed. */
function computeResiduals(
  schema: CompiledSchema,
  base: QuantisedState,
  state: QuantisedState,
  survivors: readonly number[],
  residuals: Int32Array,
  changed: Uint8Array,
): number[] | undefined {
  const ticks = predictedTicks(base.tick, state.tick);
  const lengths = new Uint32Array(RESIDUAL_CLASSES * 33);
  let any = 0;
  for (let i = 0; i < changed.length; i++) {
    const b = base.offsets[survivors[i * 2] as number] as number;
    const row = survivors[i * 2 + 1] as number;
    const s = state.offsets[row] as number;
    const presence = state.presence[row] as number;
    const { fields } = archetypeAt(schema, state, row);
    let different = 0;
    for (const field of fields) {
      if ((presence & (1 << field.fragment)) === 0) continue;
      const before = base.values[b + field.index] as number;
      const value = state.values[s + field.index] as number;
      let expected = before;
      if (field.rate >= 0) {
        const rate = fields[field.rate] as FlatField;
        const oldRate = base.values[b + field.rate] as number;
        const newRate = state.values[s + field.rate] as number;
        expected = predictField(schema, field, rate, before, oldRate, newRate, ticks);
      }
      const residual = residualOf(field, value, expected);
      if (residual === 0) continue;
      residuals[s + field.index] = residual;
      different = 1;
      const kind = residualClass(field);
      if (kind >= 0) {
        const slot = kind * 33 + 32 - Math.clz32(zigzag(residual) - 1);
        lengths[slot] = (lengths[slot] as number) + 1;
      }
    }
    changed[i] = different;
    any |= different;
  }
  return any === 0 ? undefined : cheapestParameters(lengths);
}

/** The Rice parameter per class, from how many residuals have how many bits. */
function cheapestParameters(lengths: Uint32Array): number[] {
  const parameters: number[] = [];
  for (let kind = 0; kind < RESIDUAL_CLASSES; kind++) {
    let best = 0;
    let bestCost = Number.POSITIVE_INFINITY;
    for (let k = 0; k <= MAX_RICE; k++) {
      let cost = 0;
      for (let length = 0; length <= 32; length++) {
        const count = lengths[kind * 33 + length] as number;
        if (count > 0) cost += count * riceCost(length, k);
      }
      if (cost < bestCost) {
        best = k;
        bestCost = cost;
      }
    }
    parameters.push(best);
  }
  return parameters;
}

/** Bits of a typical value of `length` bits: three quarters of the way to the next power of two. */
function riceCost(length: number, k: number): number {
  const unary = UNARY_BITS[Math.max(0, length - k)];
  return unary === undefined ? ESCAPE_BITS : unary + k;
}

function archetypeAt(schema: CompiledSchema, state: QuantisedState, row: number): CompiledArchetype {
  return schema.archetypes[state.archetypes[row] as number] as CompiledArchetype;
}
