import type { ConditionerOptions } from "./types.ts";

type Preset = Readonly<Partial<ConditionerOptions>>;

/**
 * Links by name, for `Object.assign(room.link, linkPresets.wifi)`. Each direction gets the faults: a round trip takes
 * twice the latency and once to twice the jitter more.
 */
export const linkPresets = {
  /** Nothing is added. */
  none: {},
  /** Fibre to a nearby data centre. */
  fibre: { latencyMs: 6, jitterMs: 2 },
  /** Cable or DSL in the same country. */
  cable: { latencyMs: 18, jitterMs: 8, lossShare: 0.0005 },
  /** A phone with a good signal: the radio schedules in steps of some ten milliseconds. */
  mobile: { latencyMs: 30, jitterMs: 25, lossShare: 0.002, bytesPerSecond: 1_500_000 },
  /** Wireless at the other end of the flat: neighbours talk in between, and now and then nothing gets through. */
  wifi: { latencyMs: 12, jitterMs: 45, lossShare: 0.01, burstShare: 0.002, burstMs: 250 },
  /** Across an ocean. */
  ocean: { latencyMs: 75, jitterMs: 8, lossShare: 0.001 },
  /** A phone at the edge of its cell. */
  edge: {
    latencyMs: 110,
    jitterMs: 90,
    lossShare: 0.02,
    burstShare: 0.003,
    burstMs: 800,
    bytesPerSecond: 40_000,
  },
  /** By way of a geostationary satellite: 36,000 km up and down, twice. */
  satellite: { latencyMs: 290, jitterMs: 25, lossShare: 0.003 },
} as const satisfies Record<string, Preset>;

export type LinkPreset = keyof typeof linkPresets;
