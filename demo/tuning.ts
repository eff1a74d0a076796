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

/** Most that anybody can have. */
export const MOST_SPARKS = 9999;

/** Radius of a blob of paint in flight, in metres. */
export const BLOB_RADIUS = 0.12;
export const PAINT_SPEED = 30;
export const PAINT_RANGE = 15;
/** Width of the fan that shots scatter in, in radians. */
export const SPREAD = 0.07;
export const COOLDOWN_TICKS = 10;
/** Shots in a tank: this far it fills by itself. */
export const TANK = 12;
export const REFILL_TICKS = 50;
/** How long a coat of paint stays wet. */
export const COAT_TICKS = 360;
/** Sparks that a hit gives. */
export const HIT_WORTH = 1;

export const KIOSK_RADIUS = 1.1;
/** Coins that a wallet begins with. */
export const START_COINS = 20;
export const CAN_PRICE = 5;
/** Shots in a can from the kiosk. They come on top of the tank. */
export const CAN = 20;
export const MOST_PAINT = 60;
/** Time between two purchases. */
export const BUY_PAUSE_TICKS = 45;
/** Long: who waits for a wallet's answer has perhaps paid already. */
export const BUY_DEADLINE_TICKS = 1800;

export const DEFAULT_BOTS = 6;
