import type { CompiledArchetype, CompiledSchema, FlatField, QuantisedState } from "../sim/index.ts";
import { type CodeWriter, Expectation } from "./bits.ts";
import {
  companionOf,
  inWireOrder,
  movedBy,
  predictedTicks,
  rateFactor,
  residualOf,
  wasMoving,
  writeChange,
} from "./entity-fields.ts";
import { writeMarks } from "./marks.ts";

/**
 * What survivors did: by archetype, first which of them aren't as expected, then field by field. So a loop is about one
 * field, and what belongs together in its meaning also does in the stream.
 * @param survivors pairs: row in the base, row in the state
 */
export function writeMotion(
  writer: CodeWriter,
  schema: CompiledSchema,
  base: QuantisedState,
  state: QuantisedState,
  survivors: readonly number[],
): void {
  const ticks = predictedTicks(base.tick, state.tick);
  const groups = schema.archetypes.map((archetype) => new Group(archetype, base, state, survivors));
  let any = false;
  for (const group of groups) if (group.compare(schema, ticks)) any = true;
  writer.write(any ? 1 : 0, 1);
  if (any) for (const group of groups) group.write(writer);
}

/** The survivors of an archetype. */
class Group {
  readonly #archetype: CompiledArchetype;
  readonly #base: QuantisedState;
  readonly #state: QuantisedState;
  /** By survivor: where its values stand in base and state, its presence, and whether anything isn't as expected. */
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  readonly #presence: Int32Array;
  readonly #changed: Uint8Array;
  readonly #count: number;
  /** By field, then by survivor. */
  readonly #residuals: Int32Array;
  readonly #marks: Uint8Array;

  constructor(
    archetype: CompiledArchetype,
    base: QuantisedState,
    state: QuantisedState,
    survivors: readonly number[],
  ) {
    this.#archetype = archetype;
    this.#base = base;
    this.#state = state;
    const most = survivors.length >> 1;
    this.#from = new Int32Array(most);
    this.#to = new Int32Array(most);
    this.#presence = new Int32Array(most);
    let count = 0;
    for (let i = 0; i < survivors.length; i += 2) {
      const row = survivors[i + 1] as number;
      if (state.archetypes[row] !== archetype.index) continue;
      this.#from[count] = base.offsets[survivors[i] as number] as number;
      this.#to[count] = state.offsets[row] as number;
      this.#presence[count++] = state.presence[row] as number;
    }
    this.#count = count;
    this.#changed = new Uint8Array(count);
    this.#marks = new Uint8Array(count);
    this.#residuals = new Int32Array(count * archetype.fields.length);
  }

  /** Whether anything isn't as expected. */
  compare(schema: CompiledSchema, ticks: number): boolean {
    for (const field of this.#archetype.fields) {
      if (field.rate >= 0 && ticks > 0) this.#compareMoved(schema, field, ticks);
      else this.#compareStill(field);
    }
    return this.#changed.includes(1);
  }

  #compareStill(field: FlatField): void {
    const before = this.#base.values;
    const after = this.#state.values;
    const at = field.index * this.#count;
    for (let i = 0; i < this.#count; i++) {
      const was = before[(this.#from[i] as number) + field.index] as number;
      const value = after[(this.#to[i] as number) + field.index] as number;
      if (was !== value) this.#note(field, i, at, value, was);
    }
  }

  #compareMoved(schema: CompiledSchema, field: FlatField, ticks: number): void {
    const before = this.#base.values;
    const after = this.#state.values;
    const rate = this.#archetype.fields[field.rate] as FlatField;
    const factor = rateFactor(schema, field, rate, ticks);
    const at = field.index * this.#count;
    for (let i = 0; i < this.#count; i++) {
      const from = this.#from[i] as number;
      const to = this.#to[i] as number;
      const oldRate = before[from + rate.index] as number;
      const rates = oldRate + (rate.rate < 0 ? (after[to + rate.index] as number) : oldRate);
      const expected = movedBy(before[from + field.index] as number, rates, factor);
      const value = after[to + field.index] as number;
      if (expected !== value) this.#note(field, i, at, value, expected);
    }
  }

  #note(field: FlatField, i: number, at: number, value: number, expected: number): void {
    if (((this.#presence[i] as number) & (1 << field.fragment)) === 0) return;
    const residual = residualOf(field, value, expected);
    if (residual === 0) return;
    this.#residuals[at + i] = residual;
    this.#changed[i] = 1;
  }

  write(writer: CodeWriter): void {
    if (this.#count === 0) return;
    const { fields } = this.#archetype;
    const changed = this.#writeChanged(writer);
    let before: FlatField | undefined;
    for (const field of inWireOrder(fields)) {
      const present = this.#having(changed, field);
      const companion = companionOf(field, before);
      if (companion) {
        this.#writeMarks(writer, field, present, companion, false);
        this.#writeMarks(writer, field, present, companion, true);
      } else this.#writeMarks(writer, field, present);
      this.#writeValues(writer, field, present);
      before = field;
    }
  }

  /** Marks who isn't as expected, those first that were at rest; returns them in id order. */
  #writeChanged(writer: CodeWriter): Int32Array {
    const { fields } = this.#archetype;
    const moving = new Uint8Array(this.#count);
    const changed = new Int32Array(this.#count);
    let many = 0;
    let still = 0;
    for (let i = 0; i < this.#count; i++) {
      if (this.#changed[i] === 1) changed[many++] = i;
      if (wasMoving(fields, this.#base.values, this.#from[i] as number)) moving[i] = 1;
      else this.#marks[still++] = this.#changed[i] as number;
    }
    writeMarks(writer, this.#marks, still);
    let under = 0;
    for (let i = 0; i < this.#count; i++) {
      if (moving[i] === 1) this.#marks[under++] = this.#changed[i] as number;
    }
    writeMarks(writer, this.#marks, under);
    return changed.subarray(0, many);
  }

  #having(changed: Int32Array, field: FlatField): Int32Array {
    const bit = 1 << field.fragment;
    if ((this.#archetype.optionalMask & bit) === 0) return changed;
    return changed.filter((i) => ((this.#presence[i] as number) & bit) !== 0);
  }

  /** Marks who has another value than expected, of those whose companion does, or doesn't. */
  #writeMarks(
    writer: CodeWriter,
    field: FlatField,
    present: Int32Array,
    companion?: FlatField,
    together = false,
  ): void {
    const at = field.index * this.#count;
    const beside = (companion?.index ?? 0) * this.#count;
    let count = 0;
    for (let p = 0; p < present.length; p++) {
      const i = present[p] as number;
      if (companion && (this.#residuals[beside + i] !== 0) !== together) continue;
      this.#marks[count++] = this.#residuals[at + i] === 0 ? 0 : 1;
    }
    writeMarks(writer, this.#marks, count);
  }

  #writeValues(writer: CodeWriter, field: FlatField, present: Int32Array): void {
    const { values } = this.#state;
    const at = field.index * this.#count;
    // Of a rate that has a rate itself, the reader doesn't know yet.
    const known = this.#archetype.fields[field.rate]?.rate === -1;
    const rateAt = field.rate * this.#count;
    const steady = new Expectation();
    const turned = new Expectation();
    for (let p = 0; p < present.length; p++) {
      const i = present[p] as number;
      const residual = this.#residuals[at + i] as number;
      if (residual === 0) continue;
      const expectation = known && this.#residuals[rateAt + i] !== 0 ? turned : steady;
      writeChange(
        writer,
        field,
        values[(this.#to[i] as number) + field.index] as number,
        residual,
        expectation,
      );
    }
  }
}
