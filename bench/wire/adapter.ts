/** A frame as a socket hands it over. */
export type Frame = Uint8Array | string;

export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
  readonly heading: number;
  readonly health: number;
}

/** A system that brings a room's state to its clients, without a network. */
export interface Adapter {
  /** The game writes what a tick changed. */
  write(tick: number): void;
  /** Fills `frames`, one for each client; the first time what a newcomer gets. */
  encode(frames: Frame[]): void;
  /** One client reads a frame and applies it to what its game reads. */
  decode(frame: Frame): void;
  /** What that client then knows of an entity. */
  pose(entity: number): Pose;
  /** Bytes that one player sends for a tick. */
  upstream?(player: number, tick: number): number;
}
