import type { Entity, SeatId, System } from "tickroom/sim";
import type { Yard } from "./shape.ts";
import {
  AIR_GRIP,
  CLEARLY_NEARER,
  COYOTE_TICKS,
  GRAVITY,
  GROUND_GRIP,
  JUMP_SPEED,
  MOST_FALL_SPEED,
  NEAR,
  STILL_NEAR,
  WALK_SPEED,
} from "./tuning.ts";

/** What the player wants becomes a speed; where that leads is the engine's business. */
export const steer: System<Yard> = function steer({ driven, world, dt }) {
  for (const { entity, command } of driven("walker")) {
    const { pose, feet } = entity;
    // In the air it keeps what the lift has given it, unless the player wants otherwise.
    const grip = (feet.grounded ? GROUND_GRIP : command.move === 0 ? 0 : AIR_GRIP) * dt;
    const wanted = command.move * WALK_SPEED;
    pose.vx += Math.min(Math.max(wanted - pose.vx, -grip), grip);
    if (command.jump && (feet.grounded || feet.airborne < COYOTE_TICKS) && pose.vy <= 0) {
      const lift = world.get(feet.lift);
      const under = lift?.archetype === "lift" ? lift.pose : { vx: 0, vy: 0 };
      pose.vx += under.vx;
      pose.vy = JUMP_SPEED + Math.max(0, under.vy);
      feet.grounded = false;
      feet.airborne = COYOTE_TICKS;
    }
  }
  // Also of those whom nobody steers at the moment.
  for (const { pose } of world.all("walker")) pose.vy = Math.max(pose.vy - GRAVITY * dt, -MOST_FALL_SPEED);
};

/** Who predicts what lies about: the nearest walker, if it is near. In the room only. */
export const gather: System<Yard> = function gather({ world }) {
  const walkers = [...world.all("walker")];
  for (const kind of ["ball", "crate"] as const) {
    for (const body of world.all(kind)) body.island = islandOf(body, walkers);
  }
};

function islandOf(
  body: Entity<Yard, "ball"> | Entity<Yard, "crate">,
  walkers: readonly Entity<Yard, "walker">[],
): SeatId | 0 {
  let nearest: { readonly seat: SeatId | 0; readonly metres: number } | undefined;
  let keeper: number | undefined;
  for (const { owner, pose } of walkers) {
    const [x, y] = [pose.x - body.pose.x, pose.y - body.pose.y];
    const metres = Math.sqrt(x * x + y * y);
    if (metres < (nearest?.metres ?? NEAR)) nearest = { seat: owner, metres };
    if (owner === body.island) keeper = metres;
  }
  // Not back and forth between two who stand around it.
  const keeps =
    keeper !== undefined && keeper < STILL_NEAR && keeper < (nearest?.metres ?? keeper) + CLEARLY_NEARER;
  return keeps ? body.island : (nearest?.seat ?? 0);
}
