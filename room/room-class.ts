import type { Game, GameShape } from "../sim/index.ts";
import type { RoomHooks } from "./core/index.ts";
import { RoomServer } from "./room-server.ts";
import type { RoomSettings } from "./settings.ts";

/** A class that a Worker exports as its Durable Object, or extends first. */
export interface RoomClass<S extends GameShape> {
  new (ctx: DurableObjectState, env: Cloudflare.Env): RoomServer<S>;
  options: { hibernate: boolean };
}

/**
 * The Durable Object class of a game's rooms:
 *
 *     export class ArenaRoom extends Room(arena) {
 *       override onJoin(seat: Seat<Arena>) { seat.spawn("player"); }
 *     }
 *
 * What a room does besides the game's systems is either overridden so, or given as `hooks`.
 */
export function Room<S extends GameShape>(
  game: Game<S>,
  hooks: RoomHooks<S> = {},
  settings: RoomSettings = {},
): RoomClass<S> {
  return class extends RoomServer<S> {
    constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
      super(ctx, env, { game, hooks, settings });
    }
  };
}
