import type { ConditionerOptions } from "./types.ts";

// Apart from the conditioner, which a page loads only once a fault is set.

export const NO_FAULTS: ConditionerOptions = {
  latencyMs: 0,
  jitterMs: 0,
  burstShare: 0,
  burstMs: 250,
  lossShare: 0,
  bytesPerSecond: 0,
  frozenUntilMs: 0,
  duplicateShare: 0,
  reorderShare: 0,
  ordered: true,
};

export function hasFaults(options: ConditionerOptions): boolean {
  const names = Object.keys(NO_FAULTS) as (keyof ConditionerOptions)[];
  return names.some((name) => options[name] !== NO_FAULTS[name]);
}
