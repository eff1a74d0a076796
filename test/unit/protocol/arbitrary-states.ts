import fc from "fast-check";
import {
  angle,
  axis,
  type CompiledSchema,
  defineGame,
  type Field,
  type FlatField,
  flag,
  fragment,
  int,
  num,
  oneOf,
  QuantisedState,
  ref,
} from "../../../sim/index.ts";

const INT_MIN = -(2 ** 31);
const INT_MAX = 2 ** 31 - 1;

/** A field of any kind. One with the rate "r" gets a rate field of its own beside it. */
const anyField: fc.Arbitrary<Field> = fc.oneof(
  fc
    .record({ step: fc.constantFrom(1, 0.25, 1 / 256, 0.1), rated: fc.boolean() })
    .map(({ step, rated }) => num(rated ? { step, rate: "r" } : { step })),
  fc.integer({ min: 0, max: 60_000 }).map((max) => num({ step: 0.5, min: -3, max })),
  fc.constant(int({ min: INT_MIN, max: INT_MAX })),
  fc
    .tuple(fc.integer({ min: INT_MIN, max: INT_MAX }), fc.integer({ min: INT_MIN, max: INT_MAX }))
    .map(([a, b]) => int({ min: Math.min(a, b), max: Math.max(a, b), default: a })),
  fc
    .record({ bits: fc.integer({ min: 1, max: 16 }), rated: fc.boolean() })
    .map(({ bits, rated }) => angle(rated ? { bits, rate: "r" } : { bits })),
  fc.constant(flag()),
  fc.integer({ min: 1, max: 9 }).map((count) => oneOf(Array.from({ length: count }, (_, i) => `v${i}`))),
  fc.constant(ref()),
);

/** Some rates have a rate themselves, declared before or after what they are the rate of. */
const anyFragment = fc
  .record({ fields: fc.array(anyField, { maxLength: 4 }), chained: fc.boolean(), before: fc.boolean() })
  .map(({ fields, chained, before }) => {
    const record: Record<string, Field> = { only: flag() };
    for (const [i, field] of fields.entries()) {
      if (!("rate" in field) || field.rate === undefined) {
        record[`f${i}`] = field;
        continue;
      }
      const rate = num(chained ? { step: 0.125, rate: `a${i}` } : { step: 1 / 64 });
      if (before) record[`r${i}`] = rate;
      record[`f${i}`] = { ...field, rate: `r${i}` };
      if (!before) record[`r${i}`] = rate;
      if (chained) record[`a${i}`] = num({ step: 1 });
    }
    return fragment(record);
  });

/** A definition with random fragments, some of them optional, and one to four archetypes. */
const anySchema: fc.Arbitrary<CompiledSchema> = fc
  .record({
    fragments: fc.array(anyFragment, { minLength: 1, maxLength: 4 }),
    optional: fc.array(fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), {
      minLength: 1,
      maxLength: 4,
    }),
    tickRate: fc.constantFrom(20, 30, 60),
  })
  .map(({ fragments, optional, tickRate }) => {
    const named = fragments.map((fields, i) => [`g${i}`, fields] as const);
    const archetypes = optional.map((flags, i) => {
      const names = named.map(([name]) => name);
      const archetype = {
        fragments: names.filter((_, j) => !flags[j]),
        optional: names.filter((_, j) => flags[j]),
      };
      return [`a${i}`, archetype] as const;
    });
    return defineGame({
      name: "random",
      version: 1,
      tickRate,
      input: { x: axis() },
      fragments: Object.fromEntries(named),
      archetypes: Object.fromEntries(archetypes),
      systems: {},
    }).schema;
  });

/** Deterministic numbers for filling states: fast-check shrinks the seed's neighbours, not each value. */
function generator(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9) >>> 0;
    return Math.floor(((state ^ (state >>> 13)) >>> 0) * (below / 2 ** 32));
  };
}

function randomValue(field: FlatField, below: (n: number) => number): number {
  const span = field.hi - field.lo;
  switch (below(4)) {
    case 0:
      return field.lo + below(2) * span;
    case 1:
      return Math.min(field.hi, field.lo + below(5));
    case 2:
      return Math.min(field.hi, Math.max(field.lo, below(200) - 100));
    default:
      return field.lo + Math.floor((below(2 ** 32) / 2 ** 32) * (span + 1));
  }
}

export interface StatePair {
  readonly schema: CompiledSchema;
  readonly base: QuantisedState;
  readonly state: QuantisedState;
}

/** Two states of one schema that share some entities: unchanged, moved, changed in structure, replaced. */
export function makePair(schema: CompiledSchema, seed: number, entities: number, ticks: number): StatePair {
  const below = generator(seed);
  const base = new QuantisedState(1000);
  const state = new QuantisedState(1000 + ticks);
  let id = 0;
  for (let i = 0; i < entities && id < 65_000; i++) {
    id += 1 + below(below(4) === 0 ? 500 : 3);
    const archetype = below(schema.archetypes.length);
    const epoch = below(3) === 0 ? 0xffff_ffff : 1 + below(9);
    const row = randomRow(schema, archetype, below);
    const fate = below(8);
    if (fate !== 0)
      base.push(id, epoch, archetype, row.owner, row.presence, row.values, 0, row.values.length, row.jumps);
    if (fate === 1) continue;
    if (fate === 2) {
      const next = randomRow(schema, archetype, below);
      state.push(
        id,
        epoch === 1 ? 2 : 1,
        archetype,
        next.owner,
        next.presence,
        next.values,
        0,
        next.values.length,
        next.jumps,
      );
      continue;
    }
    const next =
      fate === 3 ? randomRow(schema, archetype, below) : moved(schema, archetype, row, ticks, below);
    state.push(
      id,
      epoch,
      archetype,
      next.owner,
      next.presence,
      next.values,
      0,
      next.values.length,
      next.jumps,
    );
  }
  return { schema, base, state };
}

interface Row {
  readonly owner: number;
  readonly jumps: number;
  readonly presence: number;
  readonly values: number[];
}

function randomRow(schema: CompiledSchema, index: number, below: (n: number) => number): Row {
  const archetype = schema.archetypes[index] as CompiledSchema["archetypes"][number];
  const presence = archetype.requiredMask | (archetype.optionalMask & below(256));
  const values = archetype.fields.map((f) => (presence & (1 << f.fragment) ? randomValue(f, below) : 0));
  return { owner: below(3) * below(40_000), jumps: below(2) * below(256), presence, values };
}

/** The same entity a little later: most fields untouched, some a step on, some anywhere. */
function moved(
  schema: CompiledSchema,
  index: number,
  row: Row,
  ticks: number,
  below: (n: number) => number,
): Row {
  const archetype = schema.archetypes[index] as CompiledSchema["archetypes"][number];
  const values = row.values.map((value, i) => {
    const field = archetype.fields[i] as FlatField;
    if ((row.presence & (1 << field.fragment)) === 0) return 0;
    const choice = below(4);
    if (choice === 0) return value;
    if (choice === 1) return randomValue(field, below);
    const rate = field.rate < 0 ? 1 : (row.values[field.rate] as number);
    return Math.min(field.hi, Math.max(field.lo, value + Math.round((rate * ticks) / 60)));
  });
  return { ...row, values, jumps: below(8) === 0 ? (row.jumps + 1) & 0xff : row.jumps };
}

export const anyPair: fc.Arbitrary<StatePair> = fc
  .record({
    schema: anySchema,
    seed: fc.integer(),
    entities: fc.integer({ min: 0, max: 40 }),
    ticks: fc.constantFrom(1, 3, 3, 3, 60, 255, 256, 5000),
  })
  .map(({ schema, seed, entities, ticks }) => makePair(schema, seed, entities, ticks));

export interface RowContent {
  readonly id: number;
  readonly epoch: number;
  readonly archetype: number;
  readonly owner: number;
  readonly jumps: number;
  readonly presence: number;
  readonly values: readonly number[];
}

/** A state's content without its spare capacity. */
export function contents(state: QuantisedState): { tick: number; rows: RowContent[] } {
  const rows: RowContent[] = [];
  for (let row = 0; row < state.count; row++) {
    const from = state.offsets[row] as number;
    const to = row + 1 < state.count ? state.offsets[row + 1] : state.valueCount;
    rows.push({
      id: state.ids[row] as number,
      epoch: state.epochs[row] as number,
      archetype: state.archetypes[row] as number,
      owner: state.owners[row] as number,
      jumps: state.jumps[row] as number,
      presence: state.presence[row] as number,
      values: [...state.values.subarray(from, to)],
    });
  }
  return { tick: state.tick, rows };
}
