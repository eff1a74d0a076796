import type { EntityHistory, Sample } from "./history.ts";
import { dequantise } from "./quantise.ts";
import type { CompiledArchetype, FlatField } from "./schema.ts";

/** What an entity looks like at a moment: one value per field of its archetype. */
export interface Pose {
  /** num and angle in their units, the rest as they are on the wire. */
  readonly values: Float64Array;
  presence: number;
  owner: number;
  /** Teleports so far, modulo 256. */
  jumps: number;
  stalled: boolean;
}

export function newPose({ fields }: CompiledArchetype): Pose {
  return { values: new Float64Array(fields.length), presence: 0, owner: 0, jumps: 0, stalled: false };
}

export interface InterpolationTimes {
  /** Moment to show, in ticks with a fraction. */
  readonly tick: number;
  /** How far past the newest sample motion may be continued [V6]. */
  readonly maxExtrapolationTicks: number;
  /** Length of a tick in seconds. */
  readonly dt: number;
}

/** Fills `out` with an entity's pose at a moment [V5] [V6]. */
export function interpolate(life: EntityHistory, times: InterpolationTimes, out: Pose): void {
  const { archetype } = life;
  const { from, to } = life.around(times.tick);
  out.presence = from.state.presence[from.row] as number;
  out.owner = from.state.owners[from.row] as number;
  out.jumps = from.state.jumps[from.row] as number;
  const past = times.tick - from.tick;
  out.stalled = to === undefined && past > times.maxExtrapolationTicks + 1e-6;
  if (to === undefined) {
    const seconds = Math.min(Math.max(past, 0), times.maxExtrapolationTicks) * times.dt;
    for (const field of archetype.fields)
      out.values[field.index] = extrapolated(field, archetype, from, seconds);
    return;
  }
  const span = to.tick - from.tick;
  const share = Math.min(Math.max(past / span, 0), 1);
  const seconds = span * times.dt;
  const jump = isJump(archetype, from, to, seconds);
  for (const field of archetype.fields) {
    const steps = jump || !presentInBoth(field, from, to);
    out.values[field.index] = steps
      ? valueAt(field, from)
      : between(field, archetype, from, to, share, seconds);
  }
}

function between(
  field: FlatField,
  archetype: CompiledArchetype,
  from: Sample,
  to: Sample,
  share: number,
  seconds: number,
): number {
  const a = valueAt(field, from);
  switch (field.interpolation) {
    case "step":
      return a;
    case "linear":
      return a + (valueAt(field, to) - a) * share;
    case "shortest":
      return a + angleDifference(valueAt(field, to), a) * share;
    case "hermite": {
      const rate = archetype.fields[field.rate];
      const b = valueAt(field, to);
      if (!rate || !presentInBoth(rate, from, to)) return a + (b - a) * share;
      return hermite(a, valueAt(rate, from) * seconds, b, valueAt(rate, to) * seconds, share);
    }
  }
}

/** Cubic through both values with both slopes (per whole span). */
function hermite(a: number, slopeA: number, b: number, slopeB: number, share: number): number {
  const s = share;
  const s2 = s * s;
  const s3 = s2 * s;
  return (2 * s3 - 3 * s2 + 1) * a + (s3 - 2 * s2 + s) * slopeA + (3 * s2 - 2 * s3) * b + (s3 - s2) * slopeB;
}

function extrapolated(field: FlatField, archetype: CompiledArchetype, from: Sample, seconds: number): number {
  const value = valueAt(field, from);
  const rate = field.rate >= 0 ? archetype.fields[field.rate] : undefined;
  if (!rate || field.interpolation === "step" || !presentInBoth(rate, from, from)) return value;
  const moved = value + valueAt(rate, from) * seconds;
  return field.kind === "angle"
    ? moved
    : Math.min(Math.max(moved, field.lo * field.step), field.hi * field.step);
}

/**
 * A teleport: declared, or further than `snapDistance` from where the declared velocity would have led. Measured against the
 * velocity, since something fast covers a lot of ground between two snapshots without any jump.
 */
export function isJump(archetype: CompiledArchetype, from: Sample, to: Sample, seconds: number): boolean {
  if (from.state.jumps[from.row] !== to.state.jumps[to.row]) return true;
  let sum = 0;
  for (const field of archetype.place) {
    if (!presentInBoth(field, from, to)) continue;
    const rate = field.rate >= 0 ? archetype.fields[field.rate] : undefined;
    const velocity =
      rate && presentInBoth(rate, from, to) ? (valueAt(rate, from) + valueAt(rate, to)) / 2 : 0;
    const off = valueAt(field, to) - valueAt(field, from) - velocity * seconds;
    sum += off * off;
  }
  return Math.sqrt(sum) > archetype.snapDistance;
}

function presentInBoth(field: FlatField, a: Sample, b: Sample): boolean {
  const both = (a.state.presence[a.row] as number) & (b.state.presence[b.row] as number);
  return (both & (1 << field.fragment)) !== 0;
}

export function valueAt(field: FlatField, sample: Sample): number {
  const quanta = sample.state.values[(sample.state.offsets[sample.row] as number) + field.index] as number;
  return isReal(field) ? dequantise(field, quanta) : quanta;
}

export function isReal(field: FlatField): boolean {
  return field.kind === "num" || field.kind === "angle";
}

const TURN = 2 * Math.PI;

/** The difference of two angles, the short way round: in (-π, π]. */
export function angleDifference(a: number, b: number): number {
  const difference = (a - b) % TURN;
  if (difference > Math.PI) return difference - TURN;
  return difference <= -Math.PI ? difference + TURN : difference;
}

/** What game code and pages see of a field that stands in a pose. */
export function shownValue(field: FlatField, value: number): number | boolean | string {
  switch (field.kind) {
    case "flag":
      return value !== 0;
    case "oneOf":
      return field.values[value] ?? "";
    case "ref":
      return value >>> 0;
    default:
      return value;
  }
}
