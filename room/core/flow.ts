import { LIMITS } from "../../protocol/index.ts";
import type { GameShape } from "../../sim/index.ts";
import type { Link } from "./link.ts";

/**
 * What a client gets at a boundary [R5]: all of it; `held`, only what is never dropped, because too much is on its way
 * already; or `lost`, nothing any more.
 */
export type Flow = "open" | "held" | "lost";

/**
 * Without it whatever a client doesn't read piles up in the room's memory. Nothing is lost by holding a snapshot back:
 * the next one is a difference against the last that was sent, so that it brings every spawn and despawn since.
 */
export function flowOf<S extends GameShape>(
  { state, ackTick, keyframeRequest }: Link<S>,
  now: FlowTime,
): Flow {
  if (state.at !== "live") return "open";
  const ticksOf = (ms: number) => (ms * now.tickRate) / 1000;
  if (now.tick - ackTick > ticksOf(LIMITS.behindMs)) return "lost";
  const sentTick = state.base.snapshot.tick;
  if (now.tick - ackTick <= ticksOf(LIMITS.flightMs)) return "open";
  // One who has caught up with all that was sent isn't behind, however long ago that was.
  if (sentTick <= ackTick) return "open";
  // Who lacks a base can't acknowledge anything until it is answered; once a second, since it may not read either.
  return keyframeRequest !== 0 && now.tick - sentTick >= now.tickRate ? "open" : "held";
}

interface FlowTime {
  readonly tick: number;
  readonly tickRate: number;
}

/** An acknowledgement came. What was never sent can't have been read: it would open the flow to who reads nothing. */
export function acknowledge<S extends GameShape>(link: Link<S>, ackTick: number): void {
  if (link.state.at !== "live" || ackTick > link.state.base.snapshot.tick) return;
  link.ackTick = Math.max(link.ackTick, ackTick);
}
