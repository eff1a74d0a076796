/** State of the room's stream: four words, so that what players see can't be turned back into it by search. */
export type RoomSeed = number | readonly [number, number, number, number];

/**
 * sfc32 (Chris Doty-Humphrey's small fast counting generator). The state is written in place so that
 * it can live inside the world's saved words.
 */
export function nextRoomRandom(state: Uint32Array): number {
  const a = state[0] as number;
  const b = state[1] as number;
  const c = state[2] as number;
  const counter = state[3] as number;
  const t = (((a + b) | 0) + counter) | 0;
  state[3] = counter + 1;
  state[0] = b ^ (b >>> 9);
  state[1] = c + (c << 3);
  state[2] = ((c << 21) | (c >>> 11)) + t;
  return t >>> 0;
}

/** Fills a room's random state from a seed and mixes it, so that near seeds don't start alike. */
export function seedRoomRandom(seed: RoomSeed): Uint32Array {
  const words = typeof seed === "number" ? [seed, 0x9e3779b9, 0x243f6a88, 1] : seed;
  const state = Uint32Array.from(words);
  for (let i = 0; i < 15; i++) nextRoomRandom(state);
  return state;
}

/** Next state of a seat's predicted stream (Weyl sequence; the output is the mixed state). */
export function advanceSeatRandom(state: number): number {
  return (state + 0x6d2b79f5) >>> 0;
}

/** Output in [0, 1) for a seat stream's state (mulberry32's mix). */
export function seatRandomValue(state: number): number {
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
