import type { CompiledArchetype, CompiledSchema, FlatField } from "../../sim/index.ts";
import type { RowContent } from "../unit/protocol/arbitrary-states.ts";

// Written from docs/WIRE.md alone, without a line of protocol/, and for clearness instead of speed: if the two
// disagree, the page has drifted from the code.

class Bits {
  #at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  plain(bits: number): number {
    let value = 0;
    for (let i = 0; i < bits; i++, this.#at++) {
      const byte = this.#bytes[this.#at >> 3];
      if (byte === undefined) throw new Error("the stream ends early");
      value += ((byte >> (this.#at & 7)) & 1) * 2 ** i;
    }
    return value;
  }

  gamma(): number {
    let length = 1;
    while (this.plain(1) === 0) length++;
    return 2 ** (length - 1) + this.plain(length - 1) - 1;
  }

  sized(): number {
    const length = this.plain(6);
    return length <= 1 ? length : 2 ** (length - 1) + this.plain(length - 1);
  }

  /** Adaptive Rice: the parameter comes from the mean, in eighths, of what came before. */
  rice(mean: { eighths: number }): number {
    let k = 0;
    while (2 ** k <= Math.floor((mean.eighths * 3) / 32)) k++;
    let quotient = 0;
    while (quotient < 8 && this.plain(1) === 1) quotient++;
    let value: number;
    if (quotient === 8) {
      const below = this.plain(5);
      value = 2 ** below + this.plain(below);
    } else value = quotient * 2 ** k + this.plain(k);
    mean.eighths += Math.min(value, 2 ** 24 - 1) - Math.floor(mean.eighths / 8);
    return value;
  }

  marks(count: number): number[] {
    const form = count < 3 ? 2 : this.plain(2);
    if (form === 2) return Array.from({ length: count }, () => this.plain(1));
    if (form < 2) return new Array(count).fill(form);
    const common = this.plain(1);
    const mean = { eighths: 32 };
    const marks: number[] = [];
    while (marks.length < count) {
      for (let run = this.rice(mean); run > 0; run--) marks.push(common);
      if (marks.length < count) marks.push(1 - common);
    }
    return marks;
  }

  /** Ids that ascend, each with what follows it. */
  list(read: (id: number) => void): void {
    let id = 0;
    for (let left = this.gamma(); left > 0; left--) {
      id += this.gamma() + 1;
      read(id);
    }
  }
}

function unzigzag(code: number): number {
  return code % 2 === 0 ? code / 2 : -(code + 1) / 2;
}

const isPresent = (presence: number, fragment: number) => Math.floor(presence / 2 ** fragment) % 2 === 1;

function readPresence(bits: Bits, archetype: CompiledArchetype): number {
  let presence = 0;
  for (let i = 0; i < archetype.fragments.length; i++) {
    if (!isPresent(archetype.optionalMask, i) || bits.plain(1) === 1) presence += 2 ** i;
  }
  return presence;
}

function readNewField(bits: Bits, field: FlatField): number {
  if (field.kind === "ref") return bits.sized() | 0;
  if (field.kind === "angle" || field.bits <= 12) return field.lo + bits.plain(field.bits);
  return unzigzag(bits.sized());
}

function readChange(bits: Bits, field: FlatField, expected: number, mean: { eighths: number }): number {
  if (field.kind === "flag") return 1 - expected;
  if (field.kind === "oneOf") return field.lo + bits.plain(field.bits);
  if (field.kind === "ref") return bits.sized() | 0;
  return expected + unzigzag(bits.rice(mean) + 1);
}

/** An entity that goes on, while its values are read. */
interface Going {
  readonly row: RowContent;
  readonly marked: Set<FlatField>;
  readonly values: number[];
}

/** Changes of the survivors of an archetype; without a stream all are as expected. */
function readArchetype(
  bits: Bits | undefined,
  schema: CompiledSchema,
  fields: readonly FlatField[],
  all: readonly Going[],
  ticks: number,
): void {
  const marked = (some: readonly Going[]) => {
    const marks = bits?.marks(some.length) ?? [];
    return some.filter((_, i) => marks[i] === 1);
  };
  const isMoving = ({ row }: Going) => fields.some((f) => f.rateOf >= 0 && row.values[f.index] !== 0);
  const changed = new Set([
    ...marked(all.filter((one) => !isMoving(one))),
    ...marked(all.filter((one) => isMoving(one))),
  ]);
  const ordered = [...fields.filter((f) => f.rate < 0), ...fields.filter((f) => f.rate >= 0)];
  for (const [place, field] of ordered.entries()) {
    const present = all.filter(({ row }) => isPresent(row.presence, field.fragment));
    const candidates = present.filter((one) => changed.has(one));
    const before = ordered[place - 1];
    const companion = before?.fragment === field.fragment && before.rate < 0 === field.rate < 0;
    const groups = companion
      ? [
          candidates.filter((one) => !one.marked.has(before)),
          candidates.filter((one) => one.marked.has(before)),
        ]
      : [candidates];
    for (const group of groups) for (const one of marked(group)) one.marked.add(field);
    const rate = fields[field.rate];
    const [steady, turned] = [{ eighths: 32 }, { eighths: 32 }];
    for (const one of present) {
      let expected = one.row.values[field.index] as number;
      if (rate && ticks > 0) {
        const old = one.row.values[rate.index] as number;
        const r = old + (rate.rate >= 0 ? old : (one.values[rate.index] as number));
        expected += Math.floor(r * ((rate.step * ticks) / (2 * schema.tickRate * field.step)) + 0.5);
      }
      expected |= 0;
      const mean = rate && rate.rate < 0 && one.marked.has(rate) ? turned : steady;
      const value = (bits && one.marked.has(field) ? readChange(bits, field, expected, mean) : expected) | 0;
      one.values[field.index] = field.kind === "angle" ? value & (2 ** field.bits - 1) : value;
    }
  }
}

/** The entities that a section makes of a base's. */
export function decodeSection(
  schema: CompiledSchema,
  base: { tick: number; rows: readonly RowContent[] },
  bytes: Uint8Array,
  tick: number,
): RowContent[] {
  const bits = new Bits(bytes);
  const archetypeOf = (index: number) => schema.archetypes[index] as CompiledArchetype;
  const survivors = new Map(base.rows.map((row) => [row.id, row]));
  const all: RowContent[] = [];

  bits.list((id) => survivors.delete(id));

  const indexBits = schema.archetypes.length === 1 ? 0 : (schema.archetypes.length - 1).toString(2).length;
  bits.list((id) => {
    const epoch = bits.sized();
    const archetype = bits.plain(indexBits);
    const owner = bits.gamma();
    const jumps = bits.gamma();
    const presence = readPresence(bits, archetypeOf(archetype));
    const values = archetypeOf(archetype).fields.map((field) =>
      isPresent(presence, field.fragment) ? readNewField(bits, field) : 0,
    );
    all.push({ id, epoch, archetype, owner, jumps, presence, values });
  });

  bits.list((id) => {
    const row = survivors.get(id);
    if (!row) throw new Error(`${id} isn't there`);
    const owner = bits.gamma();
    const jumps = bits.gamma();
    survivors.set(id, { ...row, owner, jumps, presence: readPresence(bits, archetypeOf(row.archetype)) });
  });

  const moving = bits.plain(1) === 1;
  const ticks = tick - base.tick >= 1 && tick - base.tick <= 255 ? tick - base.tick : 0;
  for (const { index, fields } of schema.archetypes) {
    const group = [...survivors.values()]
      .filter(({ archetype }) => archetype === index)
      .map((row) => ({ row, marked: new Set<FlatField>(), values: fields.map(() => 0) }));
    readArchetype(moving ? bits : undefined, schema, fields, group, ticks);
    for (const { row, values } of group) all.push({ ...row, values });
  }
  return all.sort((a, b) => a.id - b.id);
}

/** The commands of a batch: full number and, as bits, what a command is packed as, before it is padded. */
export function decodeBatch(schema: CompiledSchema, bytes: Uint8Array, reference: number) {
  const bits = new Bits(bytes);
  const several = (count: number) => Array.from({ length: count }, () => bits.plain(1));
  let previous = reference;
  let controls = Array.from({ length: schema.commandBits }, () => 0);
  return Array.from({ length: bits.plain(8) }, () => {
    const low = bits.plain(1) === 1 ? (previous + 1) % 65_536 : bits.plain(16);
    const ahead = (((low - reference) % 65_536) + 65_536) % 65_536;
    if (ahead === 32_768) throw new Error("not unique");
    previous = reference + ahead - (ahead > 32_768 ? 65_536 : 0);
    if (bits.plain(1) === 0) controls = several(schema.commandBits);
    const acts = schema.actions.length > 0 && bits.plain(1) === 1;
    const actions = schema.actions.flatMap(({ paramBits }) => {
      const called = acts && bits.plain(1) === 1;
      return called ? [1, ...several(paramBits)] : [0];
    });
    return { seq: previous, command: [...controls, ...actions] };
  });
}
