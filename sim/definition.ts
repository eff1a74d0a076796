import type { ActionRulesOf, Actions } from "./actions.ts";
import type { Command, Controls } from "./controls.ts";
import type { EntityClass } from "./entity.ts";
import type { Events } from "./events.ts";
import type { Fragment, FragmentState } from "./fields.ts";
import type { EntityRef, NetId, SeatId, Tick } from "./ids.ts";
import type { CompiledSchema } from "./schema.ts";
import type { EventIdentity } from "./structure.ts";
import type { World } from "./world.ts";

export type Fragments = Readonly<Record<string, Fragment>>;
export type InterpolationMode = "hermite" | "linear" | "step";

/** A kind of entity. */
export interface Archetype<FragmentName extends string = string> {
  /** Fragments that every entity of the kind has. */
  readonly fragments: readonly FragmentName[];
  /** Fragments that an entity may have or lack, with `attach` and `detach`. */
  readonly optional?: readonly FragmentName[];
  /**
   * Which client simulates it ahead of the server: the `owner`'s, or that of the seat in whose `island` it is now,
   * together with that seat's own entities. Everybody else sees it interpolated.
   */
  readonly predict?: "owner" | "island";
  /** What the next predicted step reads: compared, restored and replayed. All its fragments when left out. */
  readonly rollback?: readonly FragmentName[];
  /**
   * Predicted entities touch it, but only the room moves it. `true`: its fields are a function of the tick
   * (`externals`), so that prediction knows them at any tick. `"history"`: the room's `gameplay` moves it as it
   * likes; prediction begins each tick with it where it was after the tick before, as told, or carried on by its
   * declared rates, and corrects whoever read what turns out to be otherwise.
   */
  readonly external?: true | "history";
  /**
   * `external: "history"`: ticks that it is carried on beyond the newest snapshot; past them prediction waits.
   * *Default* half a second's worth.
   */
  readonly maxExtrapolationTicks?: number;
  readonly interpolate?: { readonly [F in FragmentName]?: InterpolationMode };
  /** The room keeps its poses for a while, so that an action with `rewind` is judged by what its player saw. */
  readonly rewind?: true;
  /** A jump further than this, in position units, is shown as a jump, not smoothed. *Default* 4. */
  readonly snapDistance?: number;
}

export type Archetypes<FragmentName extends string = string> = Readonly<
  Record<string, Archetype<FragmentName>>
>;

/** What game code depends on: the types of one definition. */
export interface GameShape {
  readonly input: Controls;
  readonly fragments: Fragments;
  readonly archetypes: Archetypes;
  readonly actions: Actions;
  readonly events: Events;
}

export type ArchetypeName<S extends GameShape> = keyof S["archetypes"] & string;

type FragmentsOf<S extends GameShape, N extends ArchetypeName<S>> = S["archetypes"][N]["fragments"][number] &
  keyof S["fragments"];
type OptionalOf<S extends GameShape, N extends ArchetypeName<S>> = S["archetypes"][N] extends {
  readonly optional: readonly (infer O)[];
}
  ? O & keyof S["fragments"]
  : never;

/** What every entity has besides its fragments. */
export interface EntityBase<S extends GameShape, N extends ArchetypeName<S>> {
  readonly id: NetId;
  /** Grows each time that the id is given to another entity. */
  readonly epoch: number;
  readonly ref: EntityRef;
  readonly archetype: N;
  /** The seat that steers it, 0 for nobody. */
  owner: SeatId | 0;
  /** False once it has left the world: then this object must not be used any more. */
  readonly alive: boolean;
  /** True between the call of `despawn` and the structural step that removes it. */
  readonly doomed: boolean;
  /** The action whose \`admit\` spawned it, if one did. */
  readonly spawnedBy: EventIdentity | undefined;
  /** It has just been put elsewhere: nobody shows, interpolates or rewinds it across this, however short the way. */
  teleported(): void;
  /** Adds an optional fragment. */
  attach<F extends OptionalOf<S, N> & string>(
    fragment: F,
    init?: Partial<FragmentState<S["fragments"][F]>>,
  ): void;
  /** Removes an optional fragment. */
  detach(fragment: OptionalOf<S, N> & string): void;
}

/** What an entity has whose archetype is `predict: "island"`. */
export interface IslandMember {
  /**
   * The seat whose client predicts it together with its own entities, 0 for nobody's. Changed in the gameplay phase
   * or in room hooks, and counts from the next boundary. An entity that another seat owns can't be a member.
   * @throws Error in a predicted phase; RangeError for an entity that another seat owns
   */
  island: SeatId | 0;
}

/** A live entity: fragments with read and write access to the state itself. */
export type Entity<S extends GameShape, N extends ArchetypeName<S> = ArchetypeName<S>> = N extends unknown
  ? EntityBase<S, N> & {
      readonly [F in FragmentsOf<S, N>]: FragmentState<S["fragments"][F]>;
    } & {
      readonly [F in OptionalOf<S, N>]: FragmentState<S["fragments"][F]> | undefined;
    } & (S["archetypes"][N] extends { readonly predict: "island" } ? IslandMember : unknown)
  : never;

/** First values of a new entity; what is left out has its field's default. */
export type EntityInit<S extends GameShape, N extends ArchetypeName<S>> = {
  readonly [F in FragmentsOf<S, N> | OptionalOf<S, N>]?: Partial<FragmentState<S["fragments"][F]>>;
};

export type CommandOf<S extends GameShape> = Command<S["input"]>;

/** An entity that a command of this tick steers. */
export interface Driven<S extends GameShape, N extends ArchetypeName<S>> {
  readonly entity: Entity<S, N>;
  readonly command: CommandOf<S>;
  readonly seat: SeatId;
}

/** What a system sees. It must read no clock and no other source of randomness. */
export interface SystemContext<S extends GameShape> {
  /** The tick being computed. */
  readonly tick: Tick;
  /** Length of a tick in seconds, always the same. */
  readonly dt: number;
  readonly world: World<S>;
  /** True in the room, false in a client's prediction. */
  readonly authority: boolean;
  /** True while a client computes a tick again after a correction. */
  readonly replaying: boolean;
  /** The entities of an archetype that a command steers in this tick, in a fixed order. */
  driven<N extends ArchetypeName<S>>(archetype: N): Iterable<Driven<S, N>>;
  /** A number in [0, 1) from the stream of the entity's seat; the same in the room and in its prediction. */
  random(entity: { readonly owner: SeatId | 0 }): number;
}

/** A step of the game's rules. Declared as a method type so that a system of a wider shape fits. */
export type System<S extends GameShape> = { run(context: SystemContext<S>): void }["run"];

/** The phases that a game can register systems in, in the order in which they run. */
export const PHASES = ["input", "prePhysics", "physics", "postPhysics", "gameplay"] as const;
export type Phase = (typeof PHASES)[number];

/** Phases before `gameplay` run in the room and in prediction; `gameplay` only in the room. */
export type Systems<S extends GameShape> = { readonly [P in Phase]?: readonly System<S>[] };

type ExternalName<S extends GameShape> = {
  [N in ArchetypeName<S>]: S["archetypes"][N] extends { readonly external: true } ? N : never;
}[ArchetypeName<S>];

/** For each external archetype, its fields as a function of the tick. */
export type Externals<S extends GameShape> = {
  readonly [N in ExternalName<S>]: {
    run(entity: Entity<S, N>, time: { readonly tick: Tick; readonly dt: number }): void;
  }["run"];
};

/** What a tick without a command does with a seat. */
export type MissingInputRule =
  | { readonly rule: "neutral" }
  /** Held controls stay for at most `maxTicks` ticks, then neutral; presses never repeat. */
  | { readonly rule: "hold"; readonly maxTicks: number };

export interface GameSpec<S extends GameShape> {
  readonly name: string;
  /** Grows with every change of rules or state that older clients and stored rooms can't follow. */
  readonly version: number;
  /** Ticks per second. */
  readonly tickRate: number;
  readonly input: S["input"];
  readonly fragments: S["fragments"];
  readonly archetypes: S["archetypes"];
  readonly externals?: Externals<S>;
  readonly missingInput?: MissingInputRule;
  /**
   * How far an action with `rewind` may look back, in milliseconds (*default* 500, at most 2000): round trip, interpolation delay
   * and lead of the slowest link that is to be served.
   */
  readonly rewindMs?: number;
  readonly actions?: S["actions"];
  readonly actionRules?: ActionRulesOf<S>;
  /** What `world.emit` can tell pages, by name: `boom: json<{ x: number }>()`. */
  readonly events?: S["events"];
  readonly systems?: Systems<S>;
}

/** A checked definition: what the room and the client are made from. */
export interface Game<S extends GameShape = GameShape> {
  readonly name: string;
  readonly version: number;
  readonly tickRate: number;
  /** Length of a tick in seconds. */
  readonly dt: number;
  readonly missingInput: MissingInputRule;
  readonly schema: CompiledSchema;
  /** One class per archetype, for the worlds of this game. */
  readonly entityClasses: readonly EntityClass[];
  readonly spec: GameSpec<S>;
}

/** The shape of a game's types: `type Arena = ShapeOf<typeof arena>`. */
export type ShapeOf<G> = G extends Game<infer S> ? S : never;
