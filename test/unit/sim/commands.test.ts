import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  commandDigest,
  missingCommand,
  neutralCommand,
  packCommand,
  quantiseCommand,
  type ShapeOf,
  unpackCommand,
} from "../../../sim/index.ts";
import { everything } from "./games.ts";

const { schema } = everything;
type Everything = ShapeOf<typeof everything>;

const anything = fc.record({
  moveX: fc.double(),
  aim: fc.double(),
  sprint: fc.boolean(),
  fire: fc.boolean(),
});

describe("commands", () => {
  it("[I1] can't express what is out of range or no number", () => {
    fc.assert(
      fc.property(anything, (values) => {
        const seen = quantiseCommand<Everything>(schema, values);
        expect(Math.abs(seen.moveX)).toBeLessThanOrEqual(1);
        expect(seen.aim).toBeGreaterThanOrEqual(0);
        expect(seen.aim).toBeLessThan(2 * Math.PI);
        if (Number.isNaN(values.moveX)) expect(seen.moveX).toBe(0);
      }),
    );
  });

  it("[I1] survives packing once it is quantised, and any bytes unpack to a command in range", () => {
    fc.assert(
      fc.property(anything, fc.uint8Array({ minLength: 3, maxLength: 3 }), (values, bytes) => {
        const seen = quantiseCommand<Everything>(schema, values);
        expect(unpackCommand(schema, packCommand(schema, seen))).toEqual(seen);
        const wild = unpackCommand<Everything>(schema, bytes);
        expect(Math.abs(wild.moveX)).toBeLessThanOrEqual(1);
        expect(wild.aim).toBeLessThan(2 * Math.PI);
      }),
    );
    expect(schema.commandBits).toBe(20);
    expect(schema.commandBytes).toBe(3);
  });

  it("[I1] reaches equally far both ways on an axis, with an exact centre", () => {
    const axisOf = (moveX: number) => quantiseCommand<Everything>(schema, { moveX }).moveX;
    expect([axisOf(-1), axisOf(0), axisOf(1), axisOf(5)]).toEqual([-1, 0, 1, 1]);
    expect(Object.is(axisOf(-0), -0)).toBe(false);
  });

  it("[I5] holds controls for the declared ticks without ever repeating a press, then lets go", () => {
    const last = quantiseCommand<Everything>(schema, { moveX: 1, sprint: true, fire: true });
    expect(missingCommand(everything, last, 1)).toEqual({ ...last, fire: false });
    expect(missingCommand(everything, last, 6)).toEqual({ ...last, fire: false });
    expect(missingCommand(everything, last, 7)).toEqual(neutralCommand(schema));
    expect(missingCommand(everything, undefined, 1)).toEqual(neutralCommand(schema));
  });

  it("[I7] gives different contents different digests", () => {
    const digests = new Set<number>();
    for (let i = -127; i <= 127; i++) digests.add(commandDigest(packCommand(schema, { moveX: i / 127 })));
    expect(digests.size).toBe(255);
  });
});
