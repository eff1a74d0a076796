import type { CompiledArchetype, CompiledSchema, FlatField, QuantisedState } from "../sim/index.ts";
import { BitReader, Expectation } from "./bits.ts";
import {
  archetypeBits,
  companionOf,
  inWireOrder,
  movedBy,
  predictedTicks,
  rateFactor,
  readChange,
  readPresence,
  readWhole,
  wasMoving,
  wrapped,
} from "./entity-fields.ts";
import { WireError } from "./errors.ts";
import * as LIMITS from "./limits.ts";
import { readMarks } from "./marks.ts";

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
  return new State(tick, Math.max(entities, 8), Math.max(values, 8));
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

/** Merges survivors and newcomers in id order; then the survivors' values, archetype by archetype. */
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
  const groups: Survivors[] = schema.archetypes.map(() => ({ from: [], to: [], presence: [] }));
  let s = 0;
  for (let row = 0; row < base.count; row++) {
    if (gone[row] === 1) continue;
    const id = base.ids[row] as number;
    while (s < spawned.count && (spawned.ids[s] as number) < id) copyRow(spawned, s++, state);
    const { index, fields } = archetypeAt(schema, base, row);
    const change = changes.get(row);
    const presence = change?.presence ?? (base.presence[row] as number);
    const owner = change?.owner ?? (base.owners[row] as number);
    const jumps = change?.jumps ?? (base.jumps[row] as number);
    const group = groups[index] as Survivors;
    group.from.push(base.offsets[row] as number);
    group.presence.push(presence);
    group.to.push(
      state.reserve(id, base.epochs[row] as number, index, owner, presence, fields.length, jumps),
    );
  }
  while (s < spawned.count) copyRow(spawned, s++, state);
  const moving = reader.read(1) === 1;
  for (const { index } of schema.archetypes) {
    readGroup(moving ? reader : undefined, schema, base, state, index, groups[index] as Survivors);
  }
  return state;
}

/** By survivor of an archetype: where its values stand in base and state, and its presence. */
interface Survivors {
  readonly from: number[];
  readonly to: number[];
  readonly presence: number[];
}

/** Without a reader, all are as expected. */
function readGroup(
  reader: BitReader | undefined,
  schema: CompiledSchema,
  { tick, values: before }: QuantisedState,
  { tick: now, values }: QuantisedState,
  archetype: number,
  { from, to, presence }: Survivors,
): void {
  const { fields } = schema.archetypes[archetype] as CompiledArchetype;
  const rows = from.map((_, i) => i);
  const ticks = predictedTicks(tick, now);
  const changed = new Uint8Array(rows.length);
  const marked = fields.map(() => new Uint8Array(rows.length));
  /** Marks for some rows, in those rows' places. */
  const mark = (some: readonly number[], marks: Uint8Array) => {
    if (!reader) return;
    const read = readMarks(reader, some.length);
    for (let i = 0; i < some.length; i++) marks[some[i] as number] = read[i] as number;
  };
  const moving = rows.map((i) => wasMoving(fields, before, from[i] as number));
  mark(
    rows.filter((i) => !moving[i]),
    changed,
  );
  mark(
    rows.filter((i) => moving[i]),
    changed,
  );
  let last: FlatField | undefined;
  for (const field of inWireOrder(fields)) {
    const { index } = field;
    const marks = marked[index] as Uint8Array;
    const bit = 1 << field.fragment;
    const present: number[] = [];
    const besides: number[] = [];
    const companion = companionOf(field, last);
    const beside = companion && marked[companion.index];
    for (let i = 0; i < rows.length; i++) {
      if (changed[i] === 0 || ((presence[i] as number) & bit) === 0) continue;
      if (beside?.[i] === 0) besides.push(i);
      else present.push(i);
    }
    mark(besides, marks);
    mark(present, marks);
    const rate = fields[field.rate];
    const factor = rate ? rateFactor(schema, field, rate, ticks) : 0;
    // Of a rate that has a rate itself, the marks come later.
    const turning = rate && rate.rate < 0 ? marked[rate.index] : undefined;
    const steady = new Expectation();
    const turned = new Expectation();
    for (let i = 0; i < rows.length; i++) {
      if (((presence[i] as number) & bit) === 0) continue;
      const at = from[i] as number;
      const target = to[i] as number;
      let expected = before[at + index] as number;
      if (rate && ticks > 0) {
        const oldRate = before[at + rate.index] as number;
        const newRate = rate.rate < 0 ? (values[target + rate.index] as number) : oldRate;
        expected = movedBy(expected, oldRate + newRate, factor);
      }
      values[target + index] =
        reader && marks[i] === 1
          ? readChange(reader, field, expected, turning?.[i] === 1 ? turned : steady)
          : wrapped(field, expected);
    }
    last = field;
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
