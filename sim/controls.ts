import type { AngleField } from "./fields.ts";

/** A two-sided axis, -1 … 1, in steps of 1/127. */
export interface AxisControl {
  readonly kind: "axis";
}
/** A one-sided axis, 0 … 1, in steps of 1/255. */
export interface TriggerControl {
  readonly kind: "trigger";
}
/** A button that counts for as long as it is down. */
export interface HeldControl {
  readonly kind: "held";
}
/** A button of which only the moment of pressing counts; it is true in exactly one command. */
export interface PressControl {
  readonly kind: "press";
}

export type Control = AxisControl | TriggerControl | HeldControl | PressControl | AngleField;
export type Controls = Readonly<Record<string, Control>>;

/** A two-sided axis (stick, or a pair of keys). */
export function axis(): AxisControl {
  return { kind: "axis" };
}

/** A one-sided axis (an analogue trigger). */
export function trigger(): TriggerControl {
  return { kind: "trigger" };
}

/** A button that is held. */
export function held(): HeldControl {
  return { kind: "held" };
}

/** A button that is pressed: each press is true in exactly one command. */
export function press(): PressControl {
  return { kind: "press" };
}

/** One tick's worth of input, in game units. */
export type Command<I extends Controls = Controls> = {
  readonly [K in keyof I]: I[K] extends HeldControl | PressControl ? boolean : number;
};
