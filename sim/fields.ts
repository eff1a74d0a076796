import type { EntityRef } from "./ids.ts";

/** A real number. The simulation holds it as float32; the wire carries multiples of `step`. */
export interface NumField {
  readonly kind: "num";
  /** Size of one quantum on the wire, in the field's own unit. */
  readonly step: number;
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** Name of the field that is this one's change per second: `vx`, or `motion.vx` in another fragment. */
  readonly rate: string | undefined;
  /** Largest prediction error that is left alone, in the field's own unit. */
  readonly tolerance: number | undefined;
  readonly default: number;
}

/** An integer within int32; the simulation holds and sends it exactly. */
export interface IntField {
  readonly kind: "int";
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** An angle in radians. Held as float32, sent as a fraction of a full turn, compared and interpolated the short way round. */
export interface AngleField {
  readonly kind: "angle";
  /** Wire precision: a turn has 2^bits steps. */
  readonly bits: number;
  readonly rate: string | undefined;
  readonly tolerance: number | undefined;
  readonly default: number;
}

/** A boolean. */
export interface FlagField {
  readonly kind: "flag";
  readonly default: boolean;
}

/** One of a fixed list of strings. */
export interface OneOfField<V extends string = string> {
  readonly kind: "oneOf";
  readonly values: readonly V[];
  readonly default: V;
}

/** A reference to another entity. */
export interface RefField {
  readonly kind: "ref";
}

export type Field = NumField | IntField | AngleField | FlagField | OneOfField | RefField;
export type Fields = Readonly<Record<string, Field>>;

export interface NumOptions {
  step: number;
  min?: number;
  max?: number;
  rate?: string;
  tolerance?: number;
  default?: number;
}

/**
 * A real number, sent in multiples of `step`, optionally within `min` … `max`.
 * `rate` names the field that holds its change per second.
 */
export function num<const O extends NumOptions>(
  options: O,
): NumField & { readonly rate: O extends { rate: infer R extends string } ? R : undefined } {
  const rate = options.rate as O extends { rate: infer R extends string } ? R : undefined;
  return {
    kind: "num",
    step: options.step,
    min: options.min,
    max: options.max,
    rate,
    tolerance: options.tolerance,
    default: options.default ?? Math.min(Math.max(0, options.min ?? 0), options.max ?? 0),
  };
}

/** An integer within `min` … `max` (both within int32). */
export function int(options: { min: number; max: number; default?: number }): IntField {
  return {
    kind: "int",
    min: options.min,
    max: options.max,
    default: options.default ?? Math.min(Math.max(0, options.min), options.max),
  };
}

/** An angle in radians with 2^bits steps to a turn on the wire (*default* 12 bits, 0.09°). */
export function angle(
  options: { bits?: number; rate?: string; tolerance?: number; default?: number } = {},
): AngleField {
  return {
    kind: "angle",
    bits: options.bits ?? 12,
    rate: options.rate,
    tolerance: options.tolerance,
    default: options.default ?? 0,
  };
}

/** A boolean. */
export function flag(options: { default?: boolean } = {}): FlagField {
  return { kind: "flag", default: options.default ?? false };
}

/** One of the listed strings; the first is the default. */
export function oneOf<const V extends string>(
  values: readonly V[],
  options: { default?: NoInfer<V> } = {},
): OneOfField<V> {
  return { kind: "oneOf", values, default: options.default ?? (values[0] as V) };
}

/** A reference to another entity; nothing by default. */
export function ref(): RefField {
  return { kind: "ref" };
}

/** The type of a field's value in game code. */
export type FieldValue<F> =
  F extends OneOfField<infer V> ? V : F extends FlagField ? boolean : F extends RefField ? EntityRef : number;

/** A named group of fields that an entity has, or lacks, as a whole. */
export interface Fragment<F extends Fields = Fields> {
  readonly fields: F;
}

type WithKnownRates<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends { readonly rate: infer R extends string }
    ? R extends (keyof F & string) | `${string}.${string}`
      ? F[K]
      : Omit<F[K], "rate"> & { readonly rate: keyof F & string }
    : F[K];
};

/** Declares a fragment. A `rate` that names no field of the fragment is a compile error. */
export function fragment<const F extends Fields>(fields: F & WithKnownRates<F>): Fragment<F> {
  return { fields };
}

/** The values of a fragment as game code reads and writes them. */
export type FragmentState<X> =
  X extends Fragment<infer F> ? { -readonly [K in keyof F]: FieldValue<F[K]> } : never;
