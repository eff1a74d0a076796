import { type Arena, arena } from "../../../demo/game.ts";
import { distanceToBox, type Point } from "../../../demo/geometry.ts";
import { PLATFORMS, WALLS } from "../../../demo/level.ts";
import { platformAt } from "../../../demo/platforms.ts";
import { type CommandOf, type Entity, type EntityInit, RoomWorld, type SeatId } from "../../../sim/index.ts";

export type Player = Entity<Arena, "player">;
export type Steering = Partial<CommandOf<Arena>>;

export const SEAT = 1 as SeatId;

/** A world with the level's platforms and one player. */
export function arenaWith(at: Point, init: Omit<EntityInit<Arena, "player">, "pose"> = {}): RoomWorld<Arena> {
  const world = new RoomWorld(arena, 7);
  for (const { slab, track } of PLATFORMS)
    world.spawn("platform", { pose: platformAt(track, 0), slab, track });
  world.openSeatStream(SEAT);
  world.spawn("player", { ...init, pose: { x: at.x, y: at.y } }, { owner: SEAT });
  world.commitStructure();
  return world;
}

export function playerOf(world: RoomWorld<Arena>): Player {
  for (const player of world.all("player")) return player;
  throw new Error("there is no player");
}

export function command({ moveX = 0, moveY = 0, sprint = false }: Steering): CommandOf<Arena> {
  return { moveX, moveY, sprint };
}

export function step(world: RoomWorld<Arena>, steering: Steering, ticks = 1): void {
  const commands = new Map([[SEAT, command(steering)]]);
  for (let i = 0; i < ticks; i++) world.step(commands);
}

export function distanceToNearestWall(point: Point): number {
  return Math.min(...WALLS.map((wall) => distanceToBox(point, wall)));
}
