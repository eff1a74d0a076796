/** Ticks per second. */
export const TICK_RATE = 60;

/** Radius of a player, in metres. */
export const PLAYER_RADIUS = 0.5;

export const WALK_SPEED = 6.5;
/** A tick at this speed must be shorter than a player's radius, or players could pass through walls. */
export const SPRINT_SPEED = 10.5;
/** How fast a player reaches the speed that it asks for, in m/s². */
export const ACCELERATION = 42;
/** How fast a player that asks for nothing comes to rest, in m/s². */
export const FRICTION = 24;
/** How fast a player turns into its direction, in radians per second. */
export const TURN_SPEED = 14;

/** Seconds of sprint in a full breath. */
export const SPRINT_SECONDS = 2.4;
export const RECOVERY_SECONDS = 4;
/** Stamina from which a winded player can sprint again. */
export const SECOND_WIND = 0.3;

export const SPARK_RADIUS = 0.28;
export const SPARK_COUNT = 14;
/** One spark in this many is worth more. */
export const BRIGHT_SPARK_EVERY = 7;
export const BRIGHT_SPARK_WORTH = 3;

export const DEFAULT_BOTS = 6;
