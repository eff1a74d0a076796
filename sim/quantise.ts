import type { FlatField } from "./schema.ts";

/**
 * The quantised value of a float cell (num, angle): the nearest multiple of the field's step within
 * its bounds. NaN, which no quantum can express, becomes the bound nearest to 0.
 */
export function quantise(field: FlatField, value: number): number {
  const quanta = Math.round(value / field.step);
  if (field.kind === "angle") {
    // NaN & mask and Infinity & mask are 0. Large angles first lose their full turns, since & is 32 bit.
    return Math.abs(quanta) < 0x7fffffff ? quanta & field.hi : (quanta % (field.hi + 1)) & field.hi;
  }
  if (quanta >= field.lo && quanta <= field.hi) return quanta === 0 ? 0 : quanta;
  if (Number.isNaN(quanta)) return Math.min(Math.max(0, field.lo), field.hi);
  return quanta < field.lo ? field.lo : field.hi;
}

/** The value of a quantised num or angle, as the float32 that a cell holds. */
export function dequantise(field: FlatField, quanta: number): number {
  return Math.fround(quanta * field.step);
}
