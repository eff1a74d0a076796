import { fragmentOrder, rateOfField } from "./compile.ts";
import type { Controls } from "./controls.ts";
import type { Archetype, Fragments, GameShape, GameSpec } from "./definition.ts";
import { PHASES } from "./definition.ts";
import { DefinitionError } from "./definition-error.ts";
import type { Field } from "./fields.ts";

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const INT32_MAX = 0x7fffffff;
const MAX_FRAGMENTS = 31;
const MAX_ACTIONS = 32;
const MAX_EVENTS = 256;
/** Every boundary that can be looked back at is stored with each commit. */
const MAX_REWIND_MS = 2000;
/** What every object has, and the engine's own: a name like these would hide them. */
const RESERVED = ["table", "row", "base", "constructor", "toString", "valueOf", "hasOwnProperty"];
/** What every entity has besides its fragments. */
const ENTITY_NAMES = [
  ...["id", "epoch", "ref", "archetype", "owner", "alive", "doomed", "attach", "detach"],
  ...["island", "spawnedBy", "teleported", "key", "own", "stalled"],
];

type Fail = (mistake: string) => never;

/** Checks a definition as a whole. @throws DefinitionError */
export function validate(spec: GameSpec<GameShape>): void {
  const failAt =
    (place: string): Fail =>
    (mistake) => {
      throw new DefinitionError(`game "${spec.name}", ${place}: ${mistake}`);
    };
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(spec.name)) {
    failAt("name")("must be 1 to 32 lower-case letters, digits or hyphens, beginning with a letter");
  }
  whole(spec.version, 1, INT32_MAX, failAt("version"));
  whole(spec.tickRate, 1, 240, failAt("tickRate"));
  checkControls(spec.input, failAt);
  for (const [name, fragment] of Object.entries(spec.fragments)) {
    checkName(name, failAt(`fragment ${name}`));
    if (ENTITY_NAMES.includes(name))
      failAt(`fragment ${name}`)("that name is taken by what every entity has");
    for (const [field, declared] of Object.entries(fragment.fields)) {
      const fail = failAt(`field ${name}.${field}`);
      checkName(field, fail);
      checkField(declared, fail);
    }
  }
  const archetypes = Object.entries(spec.archetypes);
  if (archetypes.length > 255) failAt("archetypes")("there can be at most 255");
  for (const [name, archetype] of archetypes) {
    checkName(name, failAt(`archetype ${name}`));
    checkArchetype(name, archetype, spec.fragments, failAt);
    if (archetype.external === true && !(spec.externals as Record<string, unknown> | undefined)?.[name]) {
      failAt(`archetype ${name}`)(
        `is external, so externals.${name} must give its pose as a function of the tick`,
      );
    }
  }
  for (const name of Object.keys(spec.externals ?? {})) {
    if (spec.archetypes[name]?.external !== true)
      failAt(`externals.${name}`)("names no archetype with `external: true`");
  }
  for (const phase of Object.keys(spec.systems ?? {})) {
    if (!(PHASES as readonly string[]).includes(phase)) {
      failAt(`systems.${phase}`)(`is no phase; there are ${PHASES.join(", ")}`);
    }
  }
  checkActions(spec, failAt);
  const events = Object.keys(spec.events ?? {});
  if (events.length > MAX_EVENTS) failAt("events")(`there can be at most ${MAX_EVENTS}`);
  for (const name of events) checkName(name, failAt(`event ${name}`));
  if (spec.rewindMs !== undefined) whole(spec.rewindMs, 1, MAX_REWIND_MS, failAt("rewindMs"));
  if (spec.missingInput?.rule === "hold") {
    whole(spec.missingInput.maxTicks, 1, 600, failAt("missingInput.maxTicks"));
  }
}

function whole(value: number, min: number, max: number, fail: Fail): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    fail(`must be a whole number from ${min} to ${max}, got ${value}`);
  }
}

function checkName(name: string, fail: Fail): void {
  if (!NAME.test(name)) fail("a name must begin with a letter and hold letters, digits and underscores");
  if (RESERVED.includes(name)) fail("that name is taken by the engine");
}

function checkControls(controls: Controls, failAt: (place: string) => Fail): void {
  for (const [name, control] of Object.entries(controls)) {
    checkName(name, failAt(`input ${name}`));
    if (control.kind === "angle") whole(control.bits, 1, 16, failAt(`input ${name}, bits`));
  }
}

function checkActions(spec: GameSpec<GameShape>, failAt: (place: string) => Fail): void {
  const rules: Readonly<Record<string, unknown>> = spec.actionRules ?? {};
  const actions = Object.entries(spec.actions ?? {});
  if (actions.length > MAX_ACTIONS) failAt("actions")(`there can be at most ${MAX_ACTIONS}`);
  for (const [name, action] of actions) {
    const fail = failAt(`action ${name}`);
    checkName(name, fail);
    checkControls(action.params, failAt);
    whole(action.deadlineTicks, 1, 1_000_000, failAt(`action ${name}, deadlineTicks`));
    for (const [param, control] of Object.entries(action.params)) {
      if (control.kind === "press") fail(`parameter ${param} can't be a press: the action is the press`);
    }
    if (action.rewind && !Object.values(spec.archetypes).some(({ rewind }) => rewind)) {
      fail("looks back, but no archetype has `rewind: true`: there would be nobody to see");
    }
    if (!rules[name]) fail(`needs actionRules.${name}, which decides whether it is admitted`);
  }
  for (const name of Object.keys(rules)) {
    if (!spec.actions?.[name]) failAt(`actionRules.${name}`)("names no action");
  }
}

function checkField(field: Field, fail: Fail): void {
  switch (field.kind) {
    case "num":
      checkNum(field, fail);
      return;
    case "int":
      for (const bound of [field.min, field.max]) whole(bound, -INT32_MAX - 1, INT32_MAX, fail);
      if (field.min > field.max) fail(`min ${field.min} is above max ${field.max}`);
      whole(field.default, field.min, field.max, fail);
      return;
    case "angle":
      whole(field.bits, 1, 16, fail);
      if (!Number.isFinite(field.default)) fail(`default must be finite, got ${field.default}`);
      checkTolerance(field.tolerance, (2 * Math.PI) / 2 ** field.bits, fail);
      return;
    case "oneOf":
      if (field.values.length < 1 || field.values.length > 256) fail("needs 1 to 256 values");
      if (new Set(field.values).size !== field.values.length) fail("lists a value twice");
      if (!field.values.includes(field.default)) fail(`default "${field.default}" is not among its values`);
      return;
    case "flag":
    case "ref":
      return;
    default:
      field satisfies never;
      fail("is not a field; use num, int, angle, flag, oneOf or ref");
  }
}

function checkNum(field: Extract<Field, { kind: "num" }>, fail: Fail): void {
  const { step, min, max } = field;
  if (!(step > 0 && Number.isFinite(step))) fail(`step must be a positive number, got ${step}`);
  for (const bound of [min, max]) {
    if (bound === undefined) continue;
    if (!Number.isFinite(bound)) fail(`min and max must be finite, got ${bound}`);
    if (Math.abs(bound / step) > INT32_MAX) fail(`${bound} is more steps of ${step} than 32 bits can count`);
  }
  if (min !== undefined && max !== undefined && min >= max) fail(`min ${min} must be below max ${max}`);
  const inRange =
    field.default >= (min ?? Number.NEGATIVE_INFINITY) && field.default <= (max ?? Number.POSITIVE_INFINITY);
  if (!inRange) fail(`default ${field.default} is outside min … max`);
  checkTolerance(field.tolerance, step, fail);
}

function checkTolerance(tolerance: number | undefined, step: number, fail: Fail): void {
  if (tolerance !== undefined && !(tolerance >= step && Number.isFinite(tolerance))) {
    fail(
      `tolerance ${tolerance} must be at least one step (${step}): what the wire rounds would be corrected for ever`,
    );
  }
}

function checkArchetype(
  name: string,
  archetype: Archetype,
  fragments: Fragments,
  failAt: (place: string) => Fail,
): void {
  const fail = failAt(`archetype ${name}`);
  const names = fragmentOrder(archetype);
  if (names.length === 0) fail("needs at least one fragment");
  if (names.length > MAX_FRAGMENTS) fail(`can have at most ${MAX_FRAGMENTS} fragments`);
  for (const fragment of names) if (!fragments[fragment]) fail(`there is no fragment "${fragment}"`);
  if (new Set(names).size !== names.length) fail("names a fragment twice");
  for (const fragment of archetype.rollback ?? []) {
    if (!names.includes(fragment)) fail(`rollback names "${fragment}", which it doesn't have`);
  }
  for (const fragment of Object.keys(archetype.interpolate ?? {})) {
    if (!names.includes(fragment)) fail(`interpolate names "${fragment}", which it doesn't have`);
  }
  if (archetype.predict && archetype.external) fail("can't be both predicted and external");
  const bound = archetype.maxExtrapolationTicks;
  if (bound !== undefined) {
    whole(bound, 0, 1000, failAt(`archetype ${name}, maxExtrapolationTicks`));
    if (archetype.external !== "history") fail('has maxExtrapolationTicks, but isn\'t external: "history"');
  }
  const snap = archetype.snapDistance;
  if (snap !== undefined && !(snap > 0)) fail(`snapDistance must be positive, got ${snap}`);
  const fieldAt = (path: string): Field | undefined => {
    const [fragment = "", field = ""] = path.split(".");
    return names.includes(fragment) ? fragments[fragment]?.fields[field] : undefined;
  };
  const taken = new Map<string, string>();
  for (const fragment of names) {
    for (const [field, declared] of Object.entries(fragments[fragment]?.fields ?? {})) {
      const rate = rateOfField(declared);
      if (rate === undefined) continue;
      const path = rate.includes(".") ? rate : `${fragment}.${rate}`;
      const own = `${fragment}.${field}`;
      const failField = failAt(`archetype ${name}, field ${own}`);
      const target = fieldAt(path);
      if (!target) failField(`its rate "${rate}" is no field of the archetype`);
      if (path === own) failField("a field can't be its own rate");
      if (target?.kind !== "num") failField(`its rate "${rate}" must be a num`);
      const other = taken.get(path);
      if (other) failField(`its rate "${rate}" is the rate of ${other} already`);
      taken.set(path, own);
    }
  }
}
