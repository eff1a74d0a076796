import type { Command, Controls } from "./controls.ts";
import type { ArchetypeName, Entity, EntityInit, GameShape } from "./definition.ts";
import type { EntityRef, SeatId, Tick } from "./ids.ts";
import type { Rewind } from "./rewind.ts";
import type { World } from "./world.ts";

declare const carried: unique symbol;

/** A type as a value: says what a place holds that only has JSON at run time. */
export interface TypeToken<T> {
  readonly [carried]?: T;
}

/** `capture: json<{ x: number }>()`: the type of a JSON value that an action keeps or results in. */
export function json<T>(): TypeToken<T> {
  return {};
}

/** Something that a command asks for beyond movement, answered by a receipt. */
export interface Action<
  P extends Controls = Controls,
  C = unknown,
  R = unknown,
  K extends boolean = boolean,
> {
  readonly params: P;
  readonly capture: TypeToken<C>;
  readonly result: TypeToken<R>;
  /** Ticks from admission to the time-out. */
  readonly deadlineTicks: number;
  /** Settled with the answer of the room's `calls.<name>`, which may take its time. */
  readonly call: K;
  /** Judged by what its player saw: `admit` may ask `context.rewind`. */
  readonly rewind: boolean;
}

export type Actions = Readonly<Record<string, Action>>;

/** *Default* time for an action to settle: 5 s at 60 Hz. */
const DEFAULT_DEADLINE_TICKS = 300;

/**
 * Declares an action. What it does stands in `actionRules` under the same name.
 *
 * - `params`: what the caller says with it, in the same controls as input, quantised alike
 * - `capture`: what admission keeps for settlement (poses, prices), as JSON
 * - `result`: what the final receipt carries, as JSON
 * - `rewind`: judged by what its player saw (`context.rewind` in `admit`)
 */
export function action<const O extends ActionOptions = Record<never, never>>(
  options?: O,
): Action<ParamsIn<O>, CaptureIn<O>, ResultIn<O>, CallIn<O>> {
  const { params, capture, result, deadlineTicks, call, rewind }: ActionOptions = options ?? {};
  return {
    params: (params ?? {}) as ParamsIn<O>,
    capture: (capture ?? {}) as TypeToken<CaptureIn<O>>,
    result: (result ?? {}) as TypeToken<ResultIn<O>>,
    deadlineTicks: deadlineTicks ?? DEFAULT_DEADLINE_TICKS,
    call: (call ?? false) as CallIn<O>,
    rewind: rewind ?? false,
  };
}

export interface ActionOptions {
  readonly params?: Controls;
  readonly capture?: TypeToken<unknown>;
  readonly result?: TypeToken<unknown>;
  readonly deadlineTicks?: number;
  readonly call?: boolean;
  readonly rewind?: boolean;
}

type ParamsIn<O> = O extends { readonly params: infer P extends Controls } ? P : Record<never, never>;
type CaptureIn<O> = O extends { readonly capture: TypeToken<infer C> } ? C : null;
type ResultIn<O> = O extends { readonly result: TypeToken<infer R> } ? R : null;
type CallIn<O> = O extends { readonly call: infer K extends boolean } ? K : false;

export type ActionName<S extends GameShape> = keyof S["actions"] & string;
/** Names of the actions that are settled with the answer of a call. */
export type CallName<S extends GameShape> = {
  [N in ActionName<S>]: S["actions"][N] extends { readonly call: false } ? never : N;
}[ActionName<S>];
export type ParamsOf<S extends GameShape, N extends ActionName<S>> =
  S["actions"][N] extends Action<infer P, infer _C, infer _R> ? Command<P> : never;
export type CaptureOf<S extends GameShape, N extends ActionName<S>> =
  S["actions"][N] extends Action<infer _P, infer C, infer _R> ? C : never;
export type ResultOf<S extends GameShape, N extends ActionName<S>> =
  S["actions"][N] extends Action<infer _P, infer _C, infer R> ? R : never;

/** One action slot of a command. */
export interface ActionCall {
  /** Position of the action in the definition. */
  readonly slot: number;
  /** Full sequence number of the command that carries it. */
  readonly seq: number;
  readonly params: Readonly<Record<string, number | boolean>>;
  /** The moment that its caller saw of others, in ticks; 0 without `rewind`. */
  readonly viewTick: number;
}

/** The answer of `admit`. */
export type Admission<C> = { readonly admit: C } | { readonly reject: string };

export interface AdmitContext<S extends GameShape, N extends ActionName<S>> {
  readonly tick: Tick;
  /** Length of a tick in seconds. */
  readonly dt: number;
  /** In prediction it holds the player's own entities and the externals only. */
  readonly world: World<S>;
  readonly seat: SeatId;
  /** The living entity that the seat steers. Without one the action is rejected before `admit` is asked. */
  readonly entity: Entity<S>;
  readonly params: ParamsOf<S, N>;
  readonly authority: boolean;
  readonly replaying: boolean;
  /** A number in [0, 1) from the seat's predicted stream. */
  random(): number;
  /**
   * Spawns an entity that the seat owns and its client predicts (a projectile), at the end of this tick. It carries
   * the action's identity, so that a replay doesn't make another one, and the client knows the room's for its own.
   * A rejection takes it back.
   * @throws TypeError for an archetype that isn't \`predict: "owner"\`
   */
  spawn<A extends ArchetypeName<S>>(archetype: A, init?: EntityInit<S, A>): EntityRef;
  /**
   * Something to see or hear at once (a muzzle flash). Its identity is the action's, so that a replay
   * doesn't play it again, and a rejection takes it back. The room ignores it.
   */
  effect(name: string, data?: unknown): void;
  /**
   * Others as the player saw them when asking; for an action with `rewind`. In prediction: as this page shows them,
   * so that a hit can be shown at once.
   */
  readonly rewind: Rewind<S>;
}

export interface SettleContext<S extends GameShape, N extends ActionName<S>> {
  readonly tick: Tick;
  readonly dt: number;
  readonly world: World<S>;
  readonly seat: SeatId;
  /** The entity that the seat steers now, if it is alive. */
  readonly entity: Entity<S> | undefined;
  readonly params: ParamsOf<S, N>;
  readonly capture: CaptureOf<S, N>;
  readonly admittedTick: Tick;
  /** For an action with `call`: what the room's call answered; undefined while it hasn't. */
  readonly answer: unknown;
}

/** What an action does. Both run inside a tick, synchronously. */
export interface ActionRules<S extends GameShape, N extends ActionName<S>> {
  /**
   * Decides in the tick that consumes the command, and charges the cost. Runs in prediction too, so it
   * must read nothing that a client doesn't have. Whatever it changed is undone when it rejects.
   */
  admit(context: AdmitContext<S, N>): Admission<CaptureOf<S, N>>;
  /**
   * Room only, once in each later tick until it gives a result. Left out: an action with `call` settles with
   * the call's answer, another one in the tick that admits it, with the result null.
   */
  settle?(context: SettleContext<S, N>): ResultOf<S, N> | undefined;
}

export type ActionRulesOf<S extends GameShape> = { readonly [N in ActionName<S>]: ActionRules<S, N> };
