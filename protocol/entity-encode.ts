import type { CompiledArchetype, CompiledSchema, QuantisedState } from "../sim/index.ts";
import { CodeWriter } from "./bits.ts";
import { archetypeBits, sameEntity, writePresence, writeWhole } from "./entity-fields.ts";
import { MotionWriter } from "./entity-motion.ts";

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
 * @param motion one of the schema's own, to be used again and again
 */
export function encodeEntities(
  schema: CompiledSchema,
  base: QuantisedState,
  state: QuantisedState,
  motion: MotionWriter = new MotionWriter(schema),
): Uint8Array<ArrayBuffer> {
  const match = matchRows(base, state);
  const writer = new CodeWriter(64 + match.survivors.length * 4 + match.spawned.length * 32);
  writeDespawns(writer, base, match.despawned);
  writeSpawns(writer, schema, state, match.spawned);
  writeOwnership(writer, schema, base, state, match.survivors);
  motion.write(writer, base, state, match.survivors);
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

function archetypeAt(schema: CompiledSchema, state: QuantisedState, row: number): CompiledArchetype {
  return schema.archetypes[state.archetypes[row] as number] as CompiledArchetype;
}
