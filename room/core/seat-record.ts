import type { EntityRef, GameShape, SeatId } from "../../sim/index.ts";
import type { SeatKind } from "./hooks.ts";
import type { InputSession } from "./input-session.ts";
import type { ClosedSession } from "./session-progress.ts";

/**
 * Where a seat is in its life.
 *
 *   hello ──▶ joining ──window──▶ live ◀──resume── dropped
 *                │                 │ ──link lost──▶  │
 *           link lost: gone        └──leave──▶ leaving ◀──grace over
 *                                                 └──window──▶ gone
 *   addBot ─▶ bot ──removeBot──▶ gone
 */
export type SeatState =
  /** Its `onJoin` waits for the next window; it isn't stored yet. */
  | { readonly at: "joining"; readonly linkId: string }
  | { readonly at: "live"; readonly linkId: string }
  | { readonly at: "dropped"; readonly sinceTick: number }
  /** Its `onLeave` waits for the next window. */
  | { readonly at: "leaving" }
  /** `brain` is "" once the brain was found at fault: the bot stands still. */
  | { readonly at: "bot"; readonly brain: string };

/** A seat: what the room knows of a player or bot besides the entities in the world. */
export interface SeatRecord<S extends GameShape> {
  readonly id: SeatId;
  readonly name: string;
  readonly kind: SeatKind;
  /** SHA-256 of the secret that resumes the seat; empty for a bot. */
  readonly secretHash: Uint8Array;
  state: SeatState;
  /** The input session that takes commands; a bot's takes none. */
  input: InputSession<S>;
  /** Earlier input sessions whose receipts may still be read, newest first. Replaced as a whole. */
  older: readonly ClosedSession[];
  /** The entity that it spawned last. */
  entity: EntityRef;
}

/** The link that a seat is reached by, if there is one. */
export function linkOf(state: SeatState): string | undefined {
  switch (state.at) {
    case "joining":
    case "live":
      return state.linkId;
    case "dropped":
    case "leaving":
    case "bot":
      return undefined;
    default:
      return state satisfies never;
  }
}

/** Whether a player with this seat keeps the room awake [T7]. */
export function keepsAwake(state: SeatState): boolean {
  switch (state.at) {
    case "joining":
    case "live":
    case "dropped":
    case "leaving":
      return true;
    case "bot":
      return false;
    default:
      return state satisfies never;
  }
}
