import type { CompiledArchetype, CompiledSchema, FlatField, QuantisedState } from "../sim/index.ts";
import { BitReader } from "./bits.ts";
import {
  archetypeBits,
  fragmentEnd,
  predictedTicks,
  predictField,
  RESIDUAL_CLASSES,
  readChange,
  readPresence,
  readWhole,
  wrapped,
} from "./entity-fields.ts";
import { WireError } from "./errors.ts";
import * as LIMITS from "./limits.ts";

const RICE_BITS = 5;
const MAX_ID = LIMITS.entities;
const MAX_SEAT = 0xffff;

/**
 * The state that a shared section makes of `base`. Anything that doesn't fit the base or the schema is a WireError;
 * memory is taken only for entities whose bits have been read.
 */
export function decodeEntities(
  schema: CompiledSchema,
  base: QuantisedState,
  bytes: Uint8Array,
  tick: number,
): QuantisedState {
  const reader = new BitReader(bytes);
  const gone = readDespawns(reader, base);
  const spawned = readSpawns(reader, schema, base, gone, tick);
  const changes = readOwnership(reader, schema, base, gone);
  const state = readMotion(reader, schema, base, gone, spawned, changes, tick);
  reader.finish();
  return state;
}

/** Protocol depends on sim's types only, so a new state is made through the base's own class. */
function newState(like: QuantisedState, tick: number, entities: number, values: number): QuantisedState {
  const State = like.constructor as new (tick: number, entities: number, values: number) => QuantisedState;
  return new State(tick, Math.max(entities, 8), Math.max(values, 64));
}

function nextId(reader: BitReader, previous: number): number {
  const id = previous + 1 + reader.readGamma();
  if (id > MAX_ID) throw new WireError("bad-value", `entity ${id}`);
  return id;
}

function readDespawns(reader: BitReader, base: QuantisedState): Uint8Array {
  const gone = new Uint8Array(base.count);
  let id = 0;
  for (let left = reader.readGamma(); left > 0; left--) {
    id = nextId(reader, id);
    const row = base.find(id);
    if (row < 0) throw new WireError("wrong-base", `entity ${id} despawns but isn't there`);
    gone[row] = 1;
  }
  return gone;
}

function readSpawns(
  reader: BitReader,
  schema: CompiledSchema,
  base: QuantisedState,
  gone: Uint8Array,
  tick: number,
): QuantisedState {
  const spawned = newState(base, tick, 0, 0);
  const indexBits = archetypeBits(schema);
  let id = 0;
  for (let left = reader.readGamma(); left > 0; left--) {
    id = nextId(reader, id);
    const row = base.find(id);
    if (row >= 0 && gone[row] === 0) throw new WireError("wrong-base", `entity ${id} spawns but is there`);
    const epoch = reader.readSized();
    if (epoch === 0) throw new WireError("bad-value", `entity ${id} has no epoch`);
    const archetype = schema.archetypes[reader.read(indexBits)];
    if (archetype === undefined) throw new WireError("bad-value", `entity ${id} of no archetype`);
    const owner = readOwner(reader);
    const jumps = readJumps(reader);
    const presence = readPresence(reader, archetype);
    const { fields } = archetype;
    const offset = spawned.reserve(id, epoch, archetype.index, owner, presence, fields.length, jumps);
    for (const field of fields) {
      if (presence & (1 << field.fragment)) spawned.values[offset + field.index] = readWhole(reader, field);
    }
  }
  return spawned;
}

function readOwner(reader: BitReader): number {
  const owner = reader.readGamma();
  if (owner > MAX_SEAT) throw new WireError("bad-value", `seat ${owner}`);
  return owner;
}

function readJumps(reader: BitReader): number {
  const jumps = reader.readGamma();
  if (jumps > 0xff) throw new WireError("bad-value", `teleport ${jumps}`);
  return jumps;
}

interface Ownership {
  readonly owner: number;
  readonly jumps: number;
  readonly presence: number;
}

/** By row of the base. */
function readOwnership(
  reader: BitReader,
  schema: CompiledSchema,
  base: QuantisedState,
  gone: Uint8Array,
): ReadonlyMap<number, Ownership> {
  const changes = new Map<number, Ownership>();
  let id = 0;
  for (let left = reader.readGamma(); left > 0; left--) {
    id = nextId(reader, id);
    const row = base.find(id);
    if (row < 0 || gone[row] === 1) throw new WireError("wrong-base", `entity ${id} changes but isn't there`);
    const owner = readOwner(reader);
    const jumps = readJumps(reader);
    changes.set(row, { owner, jumps, presence: readPresence(reader, archetypeAt(schema, base, row)) });
  }
  return changes;
}

/** Merges survivors and newcomers in id order; a survivor's changes are read when its turn comes. */
function readMotion(
  reader: BitReader,
  schema: CompiledSchema,
  base: QuantisedState,
  gone: Uint8Array,
  spawned: QuantisedState,
  changes: ReadonlyMap<number, Ownership>,
  tick: number,
): QuantisedState {
  const state = newState(base, tick, base.count + spawned.count, base.valueCount + spawned.valueCount);
  const ticks = predictedTicks(base.tick, tick);
  const moving = reader.read(1) === 1;
  const parameters: number[] = [];
  for (let i = 0; moving && i < RESIDUAL_CLASSES; i++) parameters.push(reader.read(RICE_BITS));
  let s = 0;
  for (let row = 0; row < base.count; row++) {
    if (gone[row] === 1) continue;
    while (s < spawned.count && (spawned.ids[s] as number) < (base.ids[row] as number))
      copyRow(spawned, s++, state);
    const archetype = archetypeAt(schema, base, row);
    const presence = changes.get(row)?.presence ?? (base.presence[row] as number);
    const owner = changes.get(row)?.owner ?? (base.owners[row] as number);
    const { fields } = archetype;
    const from = base.offsets[row] as number;
    const id = base.ids[row] as number;
    const epoch = base.epochs[row] as number;
    const jumps = changes.get(row)?.jumps ?? (base.jumps[row] as number);
    const to = state.reserve(id, epoch, archetype.index, owner, presence, fields.length, jumps);
    const mask = new Uint8Array(fields.length);
    if (moving && reader.read(1) === 1) readMasks(reader, fields, presence, mask);
    for (let pass = 0; pass < 2; pass++) {
      for (const field of fields) {
        if (field.rate >= 0 !== (pass === 1) || (presence & (1 << field.fragment)) === 0) continue;
        let expected = base.values[from + field.index] as number;
        if (field.rate >= 0) {
          const rate = fields[field.rate] as FlatField;
          const oldRate = base.values[from + field.rate] as number;
          const newRate = state.values[to + field.rate] as number;
          expected = predictField(schema, field, rate, expected, oldRate, newRate, ticks);
        }
        state.values[to + field.index] =
          mask[field.index] === 1
            ? readChange(reader, field, expected, parameters)
            : wrapped(field, expected);
      }
    }
  }
  while (s < spawned.count) copyRow(spawned, s++, state);
  return state;
}

function readMasks(
  reader: BitReader,
  fields: readonly FlatField[],
  presence: number,
  mask: Uint8Array,
): void {
  for (let first = 0; first < fields.length; ) {
    const end = fragmentEnd(fields, first);
    if (presence & (1 << (fields[first] as FlatField).fragment)) {
      const any = end - first === 1 || reader.read(1) === 1;
      for (let i = first; any && i < end; i++) mask[i] = reader.read(1);
    }
    first = end;
  }
}

function copyRow(from: QuantisedState, row: number, to: QuantisedState): void {
  const offset = from.offsets[row] as number;
  const next = row + 1 < from.count ? (from.offsets[row + 1] as number) : from.valueCount;
  to.push(
    from.ids[row] as number,
    from.epochs[row] as number,
    from.archetypes[row] as number,
    from.owners[row] as number,
    from.presence[row] as number,
    from.values,
    offset,
    next - offset,
    from.jumps[row],
  );
}

function archetypeAt(schema: CompiledSchema, state: QuantisedState, row: number): CompiledArchetype {
  return schema.archetypes[state.archetypes[row] as number] as CompiledArchetype;
}
