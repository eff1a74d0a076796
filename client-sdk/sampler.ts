import type { CallInput, CompiledSchema } from "../sim/index.ts";
import { packCommand } from "../sim/index.ts";
import type { ActionRecord } from "./action-record.ts";

export type CallParams = CallInput["params"];

/** What one tick's command carries. */
export interface Sampled {
  readonly bytes: Uint8Array;
  /** The calls that are in it. */
  readonly calls: readonly ActionRecord[];
}

interface WaitingCall {
  readonly record: ActionRecord;
  readonly params: CallParams;
  readonly viewTick: number;
}

/**
 * Turns what the page says about its controls into one command per tick [I1]. Frames and ticks come at
 * different rates: held controls simply keep their last value, but a press is an edge, and an edge read as
 * a level would be lost between two ticks or doubled when a frame spans several. So edges are counted, and
 * each command takes one of each. Calls of actions wait in the same way, a queue for each action slot.
 */
export class Sampler {
  readonly #schema: CompiledSchema;
  readonly #values: Record<string, number | boolean> = {};
  /** Press edges not yet given to a command. */
  readonly #edges = new Map<string, number>();
  readonly #taken: Record<string, number | boolean> = {};
  /** Calls not yet given to a command, by slot. */
  readonly #calls: readonly WaitingCall[][];

  constructor(schema: CompiledSchema) {
    this.#schema = schema;
    this.#calls = schema.actions.map(() => []);
    for (const control of schema.controls) {
      const button = control.kind === "press" || control.kind === "held";
      this.#values[control.name] = button ? false : 0;
      if (control.kind === "press") this.#edges.set(control.name, 0);
    }
  }

  set(controls: { readonly [name: string]: number | boolean | undefined }): void {
    for (const [name, value] of Object.entries(controls)) {
      if (value === undefined) continue;
      this.#assertKnown(name);
      if (this.#edges.has(name) && value && !this.#values[name]) this.press(name);
      this.#values[name] = value;
    }
  }

  press(name: string): void {
    const waiting = this.#edges.get(name);
    if (waiting === undefined) throw new TypeError(`"${name}" is not a press control of this game`);
    this.#edges.set(name, waiting + 1);
  }

  /**
   * Asks for an action in the next command that has its slot free.
   * @param viewTick the moment that the page shows of others, in ticks
   */
  call(record: ActionRecord, params: CallParams, viewTick: number): void {
    this.#calls[record.slot]?.push({ record, params, viewTick });
  }

  /** Calls that no command carries yet, by action slot. */
  waiting(): ActionRecord[] {
    return this.#calls.flatMap((calls) => calls.map(({ record }) => record));
  }

  /** Forgets the calls that no command carries yet. */
  dropCalls(): ActionRecord[] {
    const dropped = this.waiting();
    for (const calls of this.#calls) calls.length = 0;
    return dropped;
  }

  /** The next tick's command in wire form. */
  take(): Sampled {
    Object.assign(this.#taken, this.#values);
    for (const [name, waiting] of this.#edges) {
      this.#taken[name] = waiting > 0;
      if (waiting > 0) this.#edges.set(name, waiting - 1);
    }
    const calls = this.#calls.flatMap((waiting) => waiting.shift() ?? []);
    const inputs = calls.map(({ record: { slot }, params, viewTick }) => {
      return { slot, viewTick, ...(params && { params }) };
    });
    const bytes = packCommand(this.#schema, this.#taken, inputs);
    return { bytes, calls: calls.map(({ record }) => record) };
  }

  #assertKnown(name: string): void {
    if (!(name in this.#values)) throw new TypeError(`this game has no control "${name}"`);
  }
}
