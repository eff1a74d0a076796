import type {
  ArchetypeName,
  CallName,
  CaptureOf,
  CommandOf,
  Entity,
  EntityInit,
  EntityRef,
  GameShape,
  ParamsOf,
  SeatId,
  Tick,
  World,
} from "../../sim/index.ts";

export type SeatKind = "player" | "bot";

/** A place in the room, as a game's callbacks see it. */
export interface Seat<S extends GameShape> {
  readonly id: SeatId;
  readonly name: string;
  readonly kind: SeatKind;
  /** The living entity that this seat steers: the one it spawned last, else any that it owns. */
  readonly entity: Entity<S> | undefined;
  /** Spawns an entity owned by this seat; it exists after the callback, at the structural step. */
  spawn<N extends ArchetypeName<S>>(archetype: N, init?: EntityInit<S, N>): EntityRef;
}

/**
 * What callbacks may change. All of it is rolled back when the callback, or anything else in its window,
 * throws: a callback that keeps state elsewhere must expect to be called again for the same join or leave.
 */
export interface RoomApi<S extends GameShape> {
  /** Room id, `kind:name`. */
  readonly name: string;
  readonly world: World<S>;
  seats(): readonly Seat<S>[];
  /** Takes a seat for a bot whose commands come from `bots[brain]`. Spawn its entity with the seat. */
  addBot(brain: string, options: { readonly name: string }): Seat<S>;
  /** Takes a bot away together with all that it owns. */
  removeBot(seat: Seat<S>): void;
}

export interface BotContext<S extends GameShape> {
  readonly tick: Tick;
  readonly world: World<S>;
  readonly entity: Entity<S>;
  /** The only randomness that a bot may use: its state is stored, so that a restarted room goes on alike. */
  random(): number;
}

/** Makes a bot's command for a tick; controls that are left out are neutral. Must keep no state of its own. */
export type BotBrain<S extends GameShape> = { think(context: BotContext<S>): Partial<CommandOf<S>> }["think"];

export interface JoinRequest {
  /** Display name that the client asks for. */
  readonly name: string;
  /** Room id, `kind:name`. */
  readonly room: string;
}

export interface CallContext<S extends GameShape, N extends CallName<S>> {
  /**
   * Idempotency key, `<room>/<input session>/<command>/<slot>`: a call is made again under the same key when it
   * failed, and when the room was restarted before its answer was stored.
   */
  readonly key: string;
  readonly seat: SeatId;
  readonly params: ParamsOf<S, N>;
  /** What `admit` kept. */
  readonly capture: CaptureOf<S, N>;
  /** The Worker's bindings. */
  readonly env: Cloudflare.Env;
}

/**
 * Asks somebody outside the room, who may take until the action's deadline. A refusal is an answer too: a promise
 * that is rejected is tried again. Runs outside every tick and must not touch the world; JSON comes back.
 */
export type CallHandler<S extends GameShape, N extends CallName<S>> = {
  call(context: CallContext<S, N>): Promise<unknown>;
}["call"];

export type CallHandlers<S extends GameShape> = { readonly [N in CallName<S>]?: CallHandler<S, N> };

/** Why an action failed whose call had been made. */
export type CompensationReason = "deadline" | "fault" | "left";

export interface CompensationContext<S extends GameShape, N extends CallName<S>> extends CallContext<S, N> {
  /** Its deadline came first, settling it kept throwing, or its seat ended. */
  readonly reason: CompensationReason;
}

/**
 * Undoes what the call of a failed action may have done, under the same key. Asked for until it resolves, after a
 * restart too, so more than once perhaps. It may come before the call that it undoes, which was still on its way:
 * whoever is called has to remember the key, and to do nothing under it from then on.
 */
export type Compensation<S extends GameShape, N extends CallName<S>> = {
  compensate(context: CompensationContext<S, N>): Promise<unknown>;
}["compensate"];

export type Compensations<S extends GameShape> = { readonly [N in CallName<S>]?: Compensation<S, N> };

/** What a game decides besides its systems. Called only inside a window, except `authorize`, `calls` and `compensations`. */
export interface RoomHooks<S extends GameShape> {
  /** Fills a new room, once in its life. `options` come from whoever created it, `{}` if a join did. */
  onCreate?(room: RoomApi<S>, options: unknown): void;
  /** A player came. Not called for a resumed seat nor for bots. */
  onJoin?(seat: Seat<S>, room: RoomApi<S>): void;
  /**
   * A player left for good. Whatever the seat still owns afterwards is despawned; give an entity another
   * `owner` here to keep it.
   */
  onLeave?(seat: Seat<S>, room: RoomApi<S>): void;
  /** Decides on a new player before a seat is taken; must change nothing. */
  authorize?(request: JoinRequest): true | { readonly refuse: string };
  readonly bots?: Readonly<Record<string, BotBrain<S>>>;
  /** For each action with `call: true`, who is asked once it is admitted. */
  readonly calls?: CallHandlers<S>;
  /** For each such action, how what its call did is undone if the action fails. Left out: it needn't be. */
  readonly compensations?: Compensations<S>;
}
