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
 * Writes what survivors did: by archetype, first which of them aren't as expected, then field by field. So a loop is
 * about one field, and what belongs together in its meaning also does in the stream. Keeps its memory: taking it anew
 * for every snapshot would cost more than the coding.
 */
export class MotionWriter {
  readonly #schema: CompiledSchema;
  readonly #groups: readonly Group[];

  constructor(schema: CompiledSchema) {
    this.#schema = schema;
    this.#groups = schema.archetypes.map((archetype) => new Group(archetype));
  }

  /** @param survivors pairs: row in the base, row in the state */
  write(writer: CodeWriter, base: QuantisedState, state: QuantisedState, survivors: readonly number[]): void {
    const ticks = predictedTicks(base.tick, state.tick);
    for (const group of this.#groups) group.take(base, state, survivors.length >> 1);
    for (let i = 0; i < survivors.length; i += 2) {
      const row = survivors[i + 1] as number;
      this.#groups[state.archetypes[row] as number]?.add(survivors[i] as number, row);
    }
    let any = false;
    for (const group of this.#groups) if (group.compare(this.#schema, ticks)) any = true;
    writer.write(any ? 1 : 0, 1);
    if (any) for (const group of this.#groups) group.write(writer);
  }
}

/** The survivors of an archetype. */
class Group {
  readonly #archetype: CompiledArchetype;
  readonly #order: readonly FlatField[];
  #base = {} as QuantisedState;
  #state = {} as QuantisedState;
  /** By survivor: where its values stand in base and state, its presence, and whether anything isn't as expected. */
  #from = new Int32Array(0);
  #to = new Int32Array(0);
  #presence = new Int32Array(0);
  #changed = new Uint8Array(0);
  #moving = new Uint8Array(0);
  #list = new Int32Array(0);
  #count = 0;
  /** By field, then by survivor. */
  #residuals = new Int32Array(0);
  #marks = new Uint8Array(0);

  constructor(archetype: CompiledArchetype) {
    this.#archetype = archetype;
    this.#order = inWireOrder(archetype.fields);
  }

  /** Begins anew, with room for so many. */
  take(base: QuantisedState, state: QuantisedState, most: number): void {
    this.#base = base;
    this.#state = state;
    this.#count = 0;
    if (most <= this.#from.length) return;
    const size = most * 2;
    this.#from = new Int32Array(size);
    this.#to = new Int32Array(size);
    this.#presence = new Int32Array(size);
    this.#list = new Int32Array(size);
    this.#changed = new Uint8Array(size);
    this.#moving = new Uint8Array(size);
    this.#marks = new Uint8Array(size);
    this.#residuals = new Int32Array(size * this.#archetype.fields.length);
  }

  add(baseRow: number, row: number): void {
    const at = this.#count++;
    this.#from[at] = this.#base.offsets[baseRow] as number;
    this.#to[at] = this.#state.offsets[row] as number;
    this.#presence[at] = this.#state.presence[row] as number;
  }

  /** Whether anything isn't as expected. */
  compare(schema: CompiledSchema, ticks: number): boolean {
    const count = this.#count;
    this.#changed.fill(0, 0, count);
    this.#residuals.fill(0, 0, count * this.#archetype.fields.length);
    for (const field of this.#archetype.fields) {
      if (field.rate >= 0 && ticks > 0) this.#compareMoved(schema, field, ticks);
      else this.#compareStill(field);
    }
    for (let i = 0; i < count; i++) if (this.#changed[i] === 1) return true;
    return false;
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
    const changed = this.#writeChanged(writer);
    let before: FlatField | undefined;
    for (const field of this.#order) {
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
    const moving = this.#moving;
    const changed = this.#list;
    let many = 0;
    let still = 0;
    for (let i = 0; i < this.#count; i++) {
      if (this.#changed[i] === 1) changed[many++] = i;
      moving[i] = wasMoving(fields, this.#base.values, this.#from[i] as number) ? 1 : 0;
      if (moving[i] === 0) this.#marks[still++] = this.#changed[i] as number;
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
