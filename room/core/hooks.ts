import type {
  ArchetypeName,
  CommandOf,
  Entity,
  EntityInit,
  EntityRef,
  GameShape,
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

/** What a game decides besides its systems. Called only inside a window, except `authorize`. */
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
}
