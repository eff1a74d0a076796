import { validate } from "#sim/validate";
import type { Actions } from "./actions.ts";
import { compileSchema } from "./compile.ts";
import type { Controls } from "./controls.ts";
import type { Archetypes, Fragments, Game, GameShape, GameSpec } from "./definition.ts";
import { makeEntityClass } from "./entity.ts";
import type { Events } from "./events.ts";

/** *Default* for ticks without a command: hold for 100 ms at 60 Hz, then neutral. */
const DEFAULT_HOLD_TICKS = 6;

type NoActions = Record<never, never>;
type NoEvents = Record<never, never>;

/** The shape that a definition's parts make up. */
export interface Shape<
  I extends Controls,
  F extends Fragments,
  A extends Archetypes,
  X extends Actions = NoActions,
  E extends Events = NoEvents,
> extends GameShape {
  readonly input: I;
  readonly fragments: F;
  readonly archetypes: A;
  readonly actions: X;
  readonly events: E;
}

/**
 * Declares a game once, for the room and for the browser. All types of state and input follow from it.
 * @throws DefinitionError when the definition can't work; the message names the field and the mistake. A page's
 * production bundle leaves the check out: the room makes it.
 */
export function defineGame<
  const I extends Controls,
  const F extends Fragments,
  const A extends Archetypes<keyof F & string>,
  const X extends Actions = NoActions,
  const E extends Events = NoEvents,
>(spec: GameSpec<Shape<I, F, A, X, E>>): Game<Shape<I, F, A, X, E>> {
  const checked = spec as unknown as GameSpec<GameShape>;
  validate(checked);
  const schema = compileSchema(checked);
  return {
    name: spec.name,
    version: spec.version,
    tickRate: spec.tickRate,
    dt: 1 / spec.tickRate,
    missingInput: spec.missingInput ?? { rule: "hold", maxTicks: DEFAULT_HOLD_TICKS },
    schema,
    entityClasses: schema.archetypes.map(makeEntityClass),
    spec,
  };
}
