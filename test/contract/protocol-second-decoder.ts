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

  rice(k: number): number {
    let quotient = 0;
    while (quotient < 16 && this.plain(1) === 1) quotient++;
    return quotient === 16 ? this.plain(32) : quotient * 2 ** k + this.plain(k);
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

const classOf = (field: FlatField) => (field.rate >= 0 ? 0 : ["num", "int", "angle"].indexOf(field.kind) + 1);

function readChange(bits: Bits, field: FlatField, expected: number, k: number): number {
  if (field.kind === "flag") return 1 - expected;
  if (field.kind === "oneOf") return field.lo + bits.plain(field.bits);
  if (field.kind === "ref") return bits.sized() | 0;
  return expected + unzigzag(bits.rice(k) + 1);
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
  const parameters = [0, 1, 2, 3].map(() => (moving ? bits.plain(5) : 0));
  const ticks = tick - base.tick >= 1 && tick - base.tick <= 255 ? tick - base.tick : 0;

  for (const row of survivors.values()) {
    const { fields } = archetypeOf(row.archetype);
    const present = fields.filter((field) => isPresent(row.presence, field.fragment));
    const marked = new Set<FlatField>();
    if (moving && bits.plain(1) === 1) {
      for (const fragment of new Set(present.map((field) => field.fragment))) {
        const own = present.filter((field) => field.fragment === fragment);
        if (own.length > 1 && bits.plain(1) === 0) continue;
        for (const field of own) if (bits.plain(1) === 1) marked.add(field);
      }
    }
    const values = fields.map(() => 0);
    const ordered = [...present.filter((f) => f.rate < 0), ...present.filter((f) => f.rate >= 0)];
    for (const field of ordered) {
      let expected = row.values[field.index] as number;
      if (field.rate >= 0 && ticks > 0) {
        const rate = fields[field.rate] as FlatField;
        const before = row.values[field.rate] as number;
        const r = before + (rate.rate >= 0 ? before : (values[field.rate] as number));
        expected += Math.floor((r * rate.step * ticks) / (2 * schema.tickRate * field.step) + 0.5);
      }
      expected |= 0;
      const k = parameters[classOf(field)] as number;
      const value = (marked.has(field) ? readChange(bits, field, expected, k) : expected) | 0;
      values[field.index] = field.kind === "angle" ? value & (2 ** field.bits - 1) : value;
    }
    all.push({ ...row, values });
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
