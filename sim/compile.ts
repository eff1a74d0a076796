import type { Actions } from "./actions.ts";
import type { Control, Controls } from "./controls.ts";
import type { Archetype, Fragments, GameShape, GameSpec, InterpolationMode } from "./definition.ts";
import type { Field } from "./fields.ts";
import { fingerprint64 } from "./hash.ts";
import type {
  CompiledAction,
  CompiledArchetype,
  CompiledControl,
  CompiledSchema,
  FieldInterpolation,
  FlatField,
} from "./schema.ts";
import { HEADER_CELLS, VIEW_BITS } from "./schema.ts";

const INT32_MAX = 0x7fffffff;
const TURN = 2 * Math.PI;
const DEFAULT_SNAP_DISTANCE = 4;
const DEFAULT_REWIND_MS = 500;
/** Position error that prediction leaves alone, in position units. */
const POSITION_TOLERANCE = 0.05;
const VELOCITY_TOLERANCE = 0.5;
/** The angle at which 1 − |dot| of two rotations is 0.02: dot = cos(angle / 2). */
const ANGLE_TOLERANCE = 2 * Math.acos(1 - 0.02);

/** Turns a checked definition into flat tables. */
export function compileSchema(spec: GameSpec<GameShape>): CompiledSchema {
  const archetypes = compileArchetypes(spec);
  const controls = compileControls(spec.input);
  const actions = compileActions(spec.actions ?? {});
  const commandBits = sumBits(controls);
  const actionBits = actions.reduce((sum, { paramBits }) => sum + 1 + paramBits, 0);
  return {
    fingerprint: fingerprint64(
      JSON.stringify([
        spec.tickRate,
        archetypes.map(wireFacts),
        controls,
        spec.missingInput ?? null,
        actions,
        Object.keys(spec.events ?? {}),
      ]),
    ),
    tickRate: spec.tickRate,
    rewindTicks: Math.ceil(((spec.rewindMs ?? DEFAULT_REWIND_MS) * spec.tickRate) / 1000),
    archetypes,
    controls,
    actions,
    events: Object.keys(spec.events ?? {}),
    commandBits,
    commandBytes: Math.ceil((commandBits + actions.length) / 8),
    maxCommandBytes: Math.ceil((commandBits + actionBits) / 8),
  };
}

/** The name of every fragment field pair that an archetype has, in row order. */
export function fragmentOrder(archetype: Archetype): readonly string[] {
  return [...archetype.fragments, ...(archetype.optional ?? [])];
}

function compileArchetypes({ archetypes, fragments, tickRate }: GameSpec<GameShape>): CompiledArchetype[] {
  return Object.entries(archetypes).map(([name, archetype], index) => {
    const names = fragmentOrder(archetype);
    const fields = compileFields(archetype, names, fragments);
    const requiredMask = 2 ** archetype.fragments.length - 1;
    return {
      index,
      name,
      fields,
      place: placeOf(fields),
      stride: HEADER_CELLS + fields.length + (archetype.predict === "owner" ? 3 : 1),
      tail: HEADER_CELLS + fields.length,
      fragments: names,
      requiredMask,
      optionalMask: 2 ** names.length - 1 - requiredMask,
      predicted: archetype.predict === "owner",
      islands: archetype.predict === "island",
      external: archetype.external !== undefined,
      history: archetype.external === "history",
      maxExtrapolationTicks: archetype.maxExtrapolationTicks ?? Math.round(tickRate / 2),
      snapDistance: archetype.snapDistance ?? DEFAULT_SNAP_DISTANCE,
      rewinds: archetype.rewind === true,
    };
  });
}

function compileFields(archetype: Archetype, names: readonly string[], fragments: Fragments): FlatField[] {
  const flat = names.flatMap((fragmentName, fragment) =>
    Object.entries(fragments[fragmentName]?.fields ?? {}).map(([name, field]) => ({
      fragment,
      fragmentName,
      name,
      field,
      path: `${fragmentName}.${name}`,
    })),
  );
  const rateIndex = flat.map(({ field, fragmentName }) => {
    const rate = rateOfField(field);
    if (rate === undefined) return -1;
    const path = rate.includes(".") ? rate : `${fragmentName}.${rate}`;
    return flat.findIndex((other) => other.path === path);
  });
  const rollback = new Set(archetype.rollback ?? names);
  return flat.map(({ fragment, fragmentName, name, field, path }, index) => {
    const rate = rateIndex[index] ?? -1;
    const rateOf = rateIndex.indexOf(index);
    return {
      index,
      fragment,
      fragmentName,
      name,
      path,
      kind: field.kind,
      cell: HEADER_CELLS + index,
      ...quanta(field),
      rate,
      rateOf,
      tolerance: toleranceOf(field, rate >= 0, rateOf >= 0),
      interpolation: interpolationOf(field, rate >= 0, archetype.interpolate?.[fragmentName]),
      rollback: rollback.has(fragmentName),
      values: field.kind === "oneOf" ? field.values : [],
    };
  });
}

/** Numbers with a rate; without any, all that are drawn between two states. */
function placeOf(fields: readonly FlatField[]): FlatField[] {
  const shown = fields.filter(
    ({ kind, interpolation, rateOf }) => kind === "num" && interpolation !== "step" && rateOf < 0,
  );
  const rated = shown.filter(({ rate }) => rate >= 0);
  return rated.length > 0 ? rated : shown;
}

export function rateOfField(field: Field): string | undefined {
  return field.kind === "num" || field.kind === "angle" ? field.rate : undefined;
}

/** How a field's values are counted, and the cell that it has in a new entity. */
function quanta(field: Field): Counting {
  switch (field.kind) {
    case "num": {
      const { step, min, max } = field;
      const lo = min === undefined ? -INT32_MAX : Math.round(min / step);
      const hi = max === undefined ? INT32_MAX : Math.round(max / step);
      return counted(step, lo, hi, floatCell(field.default));
    }
    case "int":
      return counted(1, field.min, field.max, field.default >>> 0);
    case "angle": {
      const steps = 2 ** field.bits;
      return counted(TURN / steps, 0, steps - 1, floatCell(field.default));
    }
    case "flag":
      return counted(1, 0, 1, field.default ? 1 : 0);
    case "oneOf":
      return counted(1, 0, field.values.length - 1, field.values.indexOf(field.default));
    case "ref":
      return counted(1, -INT32_MAX - 1, INT32_MAX, 0);
  }
}

type Counting = Pick<FlatField, "step" | "lo" | "hi" | "bits" | "defaultCell">;

function counted(step: number, lo: number, hi: number, cell: number): Counting {
  return { step, lo, hi, bits: Math.max(1, 32 - Math.clz32(hi - lo)), defaultCell: cell };
}

function floatCell(value: number): number {
  return new Uint32Array(new Float32Array([value]).buffer)[0] ?? 0;
}

function toleranceOf(field: Field, isPosition: boolean, isRate: boolean): number {
  if (field.kind === "num") {
    const standard = isPosition ? POSITION_TOLERANCE : isRate ? VELOCITY_TOLERANCE : field.step;
    return field.tolerance ?? Math.max(standard, field.step);
  }
  if (field.kind === "angle") return field.tolerance ?? ANGLE_TOLERANCE;
  return 0;
}

function interpolationOf(
  field: Field,
  hasRate: boolean,
  mode: InterpolationMode | undefined,
): FieldInterpolation {
  if ((field.kind !== "num" && field.kind !== "angle") || mode === "step") return "step";
  if (field.kind === "angle") return "shortest";
  return hasRate && mode !== "linear" ? "hermite" : "linear";
}

function compileControls(input: Controls): CompiledControl[] {
  return Object.entries(input).map(([name, control]) => ({
    name,
    kind: control.kind,
    bits: controlBits(control),
  }));
}

function compileActions(actions: Actions): CompiledAction[] {
  return Object.entries(actions).map(([name, action], slot) => {
    const params = compileControls(action.params);
    const { deadlineTicks, call, rewind } = action;
    const paramBits = sumBits(params) + (rewind ? VIEW_BITS : 0);
    return { slot, name, params, paramBits, deadlineTicks, call, rewind };
  });
}

function sumBits(controls: readonly CompiledControl[]): number {
  return controls.reduce((sum, control) => sum + control.bits, 0);
}

function controlBits(control: Control): number {
  if (control.kind === "angle") return control.bits;
  return control.kind === "axis" || control.kind === "trigger" ? 8 : 1;
}

/** What two builds of a game must agree on to understand each other's frames and stored state. */
function wireFacts(archetype: CompiledArchetype): unknown {
  const fields = archetype.fields.map((f) => [
    f.path,
    f.kind,
    f.step,
    f.lo,
    f.hi,
    f.rate,
    f.values,
    f.rollback,
  ]);
  const { name, predicted, islands, external, history, rewinds, requiredMask, stride } = archetype;
  return [name, predicted, islands, external, history, rewinds, requiredMask, stride, fields];
}
