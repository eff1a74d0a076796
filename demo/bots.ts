import type { BotBrain } from "tickroom/room";
import type { Entity, World } from "tickroom/sim";
import { distance, type Point } from "./geometry.ts";
import { nextStep } from "./pathways.ts";
import type { Arena } from "./shape.ts";

/** Named after what gives light. */
const NAMES = [
  "Wick",
  "Tallow",
  "Cinder",
  "Flint",
  "Beacon",
  "Tinder",
  "Lumen",
  "Comet",
  "Torch",
  "Glow",
  "Flare",
  "Taper",
];

export function botName(index: number): string {
  const name = NAMES[index % NAMES.length] as string;
  const round = Math.floor(index / NAMES.length);
  return round === 0 ? name : `${name} ${round + 1}`;
}

type Player = Entity<Arena, "player">;

/**
 * Wanders from spark to spark. It keeps nothing in mind: where it goes follows from the room's state
 * alone, so a bot goes on as before when the room comes back after a crash.
 */
export const wander: BotBrain<Arena> = function wander({ tick, world, entity, random }) {
  if (entity.archetype !== "player") return {};
  const { pose, stride } = entity;
  const goal = favouriteSpark(world, entity) ?? { x: 0, y: 0 };
  const next = nextStep(pose, goal);
  const way = direction(pose, next);
  const room = elbowRoom(world, entity);
  // Nobody walks like a ruler.
  const sway = 0.25 * swing(tick / 70 + entity.id * 0.37) + 0.1 * (random() - 0.5);
  const pace = 0.72 + 0.28 * taste(entity.id, 0);
  const far = distance(pose, goal) > 5;
  return {
    moveX: (way.x - way.y * sway) * pace + room.x,
    moveY: (way.y + way.x * sway) * pace + room.y,
    // Begins when fresh and goes on until nearly out of breath.
    sprint: far && stride.stamina > (stride.sprinting ? 0.15 : 0.85),
  };
};

/** The nearest spark, by this bot's own idea of near: otherwise all of them would run for the same one. */
function favouriteSpark(world: World<Arena>, player: Player): Point | undefined {
  let best: Point | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const spark of world.all("spark")) {
    const cost = (distance(player.pose, spark.spot) + 4) * (0.4 + taste(player.id, spark.id));
    if (cost < bestCost) {
      best = spark.spot;
      bestCost = cost;
    }
  }
  return best;
}

/** A push away from others who come close. */
function elbowRoom(world: World<Arena>, player: Player): Point {
  let x = 0;
  let y = 0;
  for (const other of world.all("player")) {
    if (other.id === player.id) continue;
    const apart = distance(player.pose, other.pose);
    if (apart > 1.4 || apart === 0) continue;
    const push = (1.4 - apart) / 1.4 / apart;
    x += (player.pose.x - other.pose.x) * push;
    y += (player.pose.y - other.pose.y) * push;
  }
  return { x, y };
}

function direction(from: Point, to: Point): Point {
  const length = distance(from, to);
  return length < 0.01 ? { x: 0, y: 0 } : { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

/** A number in [0, 1) that belongs to a pair of ids. */
function taste(a: number, b: number): number {
  let mixed = Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 12)) >>> 0) / 4294967296;
}

/** Goes smoothly from −1 to 1 and back once per unit, without a sine. */
function swing(turns: number): number {
  const way = turns - Math.floor(turns);
  const run = way < 0.5 ? 2 * way : 2 - 2 * way;
  return 2 * (run * run * (3 - 2 * run)) - 1;
}
