export const TICK_RATE = 60;
export const GRAVITY = 24;
export const WALKER = { halfHeight: 0.35, radius: 0.3 } as const;
export const WALK_SPEED = 6;
/** How fast a walker comes to the speed that it wants, on the ground and in the air, in m/s². */
export const GROUND_GRIP = 60;
export const AIR_GRIP = 22;
export const JUMP_SPEED = 9.5;
/** A jump just after the edge still counts. */
export const COYOTE_TICKS = 6;
export const MOST_FALL_SPEED = 25;
export const BALL_RADIUS = 0.6;
export const CRATE_HALF = 0.5;
/** A body within this distance of a walker becomes a member of its island … */
export const NEAR = 4;
/** … and stays one up to here, unless somebody else is nearer by a good bit. */
export const STILL_NEAR = 6;
export const CLEARLY_NEARER = 1.5;
