import type { Entity, System, SystemContext } from "tickroom/sim";
import { angleOf, type Box, turnTowards } from "./geometry.ts";
import { WALLS } from "./level.ts";
import type { Arena } from "./shape.ts";
import {
  ACCELERATION,
  FRICTION,
  PLAYER_RADIUS,
  RECOVERY_SECONDS,
  SECOND_WIND,
  SPRINT_SECONDS,
  SPRINT_SPEED,
  TURN_SPEED,
  WALK_SPEED,
} from "./tuning.ts";

type Player = Entity<Arena, "player">;

/** Turns what players ask for into velocity, and spends their breath. */
export const steer: System<Arena> = function steer({ driven, dt }) {
  for (const { entity, command } of driven("player")) {
    const { pose, facing } = entity;
    const length = Math.sqrt(command.moveX * command.moveX + command.moveY * command.moveY);
    const moves = length > 0.05;
    // Two keys at once ask for (1, 1): not faster than one.
    const scale = moves ? 1 / Math.max(1, length) : 0;
    const top = breathe(entity, command.sprint && moves, dt) ? SPRINT_SPEED : WALK_SPEED;
    const wantX = command.moveX * scale * top;
    const wantY = command.moveY * scale * top;
    const dx = wantX - pose.vx;
    const dy = wantY - pose.vy;
    const most = (moves ? ACCELERATION : FRICTION) * dt;
    const change = Math.sqrt(dx * dx + dy * dy);
    const share = change > most ? most / change : 1;
    pose.vx += dx * share;
    pose.vy += dy * share;
    if (moves) {
      facing.heading = turnTowards(facing.heading, angleOf(command.moveX, command.moveY), TURN_SPEED * dt);
    }
  }
};

/** One tick of breath. Returns whether the player sprints. */
function breathe({ stride }: Player, asks: boolean, dt: number): boolean {
  const sprints = asks && !stride.winded;
  if (sprints) {
    stride.stamina = Math.max(0, stride.stamina - dt / SPRINT_SECONDS);
    if (stride.stamina === 0) stride.winded = true;
  } else {
    stride.stamina = Math.min(1, stride.stamina + dt / RECOVERY_SECONDS);
    if (stride.winded && stride.stamina >= SECOND_WIND) stride.winded = false;
  }
  stride.sprinting = sprints;
  return sprints;
}

/** Moves players. Walls stop them but let them slide along; platforms push them. */
export const slide: System<Arena> = function slide({ world, dt }) {
  for (const { pose } of world.all("player")) {
    const body = { x: pose.x + pose.vx * dt, y: pose.y + pose.vy * dt, vx: pose.vx, vy: pose.vy };
    const free = settle(body, world);
    if (free) {
      pose.x = body.x;
      pose.y = body.y;
    }
    pose.vx = free ? body.vx : 0;
    pose.vy = free ? body.vy : 0;
  }
};

interface Body {
  x: number;
  y: number;
  vx: number;
  vy: number;
}

/** Pushing out of one box can push into another: so often is it tried. */
const PASSES = 4;
/** Distance left to whatever was touched, so that rounding to float32 can't put the player inside. */
const SKIN = 1 / 1024;
const STILL = { vx: 0, vy: 0 };

/** Pushes a body out of all that it overlaps. Returns false when it found no place clear of walls. */
function settle(body: Body, world: SystemContext<Arena>["world"]): boolean {
  for (let pass = 0; pass < PASSES; pass++) {
    for (const { pose, slab } of world.all("platform")) {
      const { x, y } = pose;
      pushOut(body, { x, y, halfWidth: slab.halfWidth, halfHeight: slab.halfHeight }, pose);
    }
    // Walls last: between a platform and a wall, the wall wins.
    let touched = false;
    for (const wall of WALLS) if (pushOut(body, wall, STILL)) touched = true;
    if (!touched) return true;
  }
  return !WALLS.some((wall) => touches(body, wall));
}

function touches(body: Body, box: Box): boolean {
  const outX = Math.max(Math.abs(body.x - box.x) - box.halfWidth, 0);
  const outY = Math.max(Math.abs(body.y - box.y) - box.halfHeight, 0);
  return outX * outX + outY * outY < PLAYER_RADIUS * PLAYER_RADIUS;
}

/** Takes a body out of a box that it overlaps, and takes away its speed into that box. */
function pushOut(body: Body, box: Box, motion: { readonly vx: number; readonly vy: number }): boolean {
  if (!touches(body, box)) return false;
  const dx = body.x - box.x;
  const dy = body.y - box.y;
  const outX = Math.max(Math.abs(dx) - box.halfWidth, 0);
  const outY = Math.max(Math.abs(dy) - box.halfHeight, 0);
  const out = Math.sqrt(outX * outX + outY * outY);
  let nx = 0;
  let ny = 0;
  let depth = PLAYER_RADIUS - out;
  if (out > 0) {
    nx = (dx < 0 ? -outX : outX) / out;
    ny = (dy < 0 ? -outY : outY) / out;
  } else {
    // The centre itself is inside: leave through the nearest side.
    const throughX = box.halfWidth - Math.abs(dx);
    const throughY = box.halfHeight - Math.abs(dy);
    if (throughX < throughY) nx = dx < 0 ? -1 : 1;
    else ny = dy < 0 ? -1 : 1;
    depth += Math.min(throughX, throughY);
  }
  body.x += nx * (depth + SKIN);
  body.y += ny * (depth + SKIN);
  const into = (body.vx - motion.vx) * nx + (body.vy - motion.vy) * ny;
  if (into < 0) {
    body.vx -= into * nx;
    body.vy -= into * ny;
  }
  return true;
}
