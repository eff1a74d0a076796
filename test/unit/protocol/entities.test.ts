import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CodeWriter } from "../../../protocol/bits.ts";
import { decodeEntities, encodeEntities, WireError } from "../../../protocol/index.ts";
import { QuantisedState } from "../../../sim/index.ts";
import { anyPair, contents, makePair } from "./arbitrary-states.ts";
import { schema, stateAt } from "./samples.ts";

function through(base: QuantisedState, state: QuantisedState): QuantisedState {
  return decodeEntities(schema, base, encodeEntities(schema, base, state), state.tick);
}

/** The sample player, with some of its fields changed. */
function player(tick: number, change: Partial<Record<number, number>> = {}, id = 1): QuantisedState {
  const state = new QuantisedState(tick);
  const values = [1000, 0, 2048, 256, 0, 100, 7, 0, 1, 0, 0].map((value, i) => change[i] ?? value);
  state.push(id, 1, 0, 1, 7, values, 0, values.length);
  return state;
}

describe("entity section", () => {
  it("[R3] turns any base into any state exactly, whatever the schema", () => {
    fc.assert(
      fc.property(anyPair, ({ schema: any, base, state }) => {
        const bytes = encodeEntities(any, base, state);
        expect(contents(decodeEntities(any, base, bytes, state.tick))).toEqual(contents(state));
      }),
      { numRuns: 400 },
    );
  });

  it("[R3] carries any state as a keyframe, against nothing", () => {
    fc.assert(
      fc.property(anyPair, ({ schema: any, state }) => {
        const bytes = encodeEntities(any, QuantisedState.empty(), state);
        const decoded = decodeEntities(any, QuantisedState.empty(), bytes, state.tick);
        expect(contents(decoded)).toEqual(contents(state));
      }),
    );
  });

  it("[R3] stays exact over a long chain of differences, each against the decoded one before", () => {
    let known = QuantisedState.empty();
    for (let tick = 3; tick <= 300; tick += 3) {
      known = through(known, stateAt(tick));
      expect(contents(known)).toEqual(contents(stateAt(tick)));
    }
  });

  it("[R3] leaves the base untouched, since the next difference may need it again", () => {
    const before = contents(stateAt(60));
    const base = stateAt(60);
    through(base, stateAt(90));
    expect(contents(base)).toEqual(before);
  });

  it("[R3] wraps an angle and a 32-bit integer the short way round", () => {
    const base = player(60, { 2: 4090, 6: 2 ** 31 - 1 });
    const state = player(63, { 2: 3, 6: -(2 ** 31), 0: 1000 + 13 });
    expect(contents(through(base, state))).toEqual(contents(state));
    // Wrapped, both are small: a plain difference would need more than 60 bits.
    expect(encodeEntities(schema, base, state).length).toBeLessThanOrEqual(9);
  });

  it("[R3] costs one bit for an entity that moves as its rate says, and for one that rests", () => {
    const crowd = (tick: number, drift: number) => {
      const state = new QuantisedState(tick);
      for (let id = 1; id <= 80; id++) state.push(id, 1, 1, 0, 3, [id + drift, 0, 9, 1280, 0], 0, 5);
      // The last one breaks the rule, so that there is something to say at all.
      state.push(81, 1, 1, 0, 3, [drift, 0, tick, 0, 0], 0, 5);
      return state;
    };
    const bytes = encodeEntities(schema, crowd(60, 0), crowd(63, 64));
    expect(bytes.length).toBeLessThanOrEqual(10 + 6);
    expect(encodeEntities(schema, crowd(60, 0), crowd(60, 0)).length).toBe(1);
  });

  it("[R1] spells out spawns, despawns, and changes of owner and fragments", () => {
    const base = stateAt(30);
    const state = new QuantisedState(33);
    state.push(1, 2, 0, 9, 15, [0, 0, 0, 0, 0, 1, 2, 1, 2, 3, 5], 0, 11);
    state.push(2, 2, 0, 2, 7, [0, 0, 0, 0, 0, 1, 2, 1, 2, 3, 0], 0, 11);
    state.push(4000, 0xffff_ffff, 1, 65_535, 3, [2 ** 31 - 1, -25_600, 4095, -(2 ** 31 - 1), 0], 0, 5);
    expect(contents(through(base, state))).toEqual(contents(state));
  });

  it("[R2] replaces an entity whose id came back with another epoch, even with the same values", () => {
    const base = player(60);
    const state = new QuantisedState(63);
    state.push(1, 2, 0, 1, 7, base.values, 0, 11);
    const decoded = through(base, state);
    expect(decoded.epochs[0]).toBe(2);
    expect(contents(decoded)).toEqual(contents(state));
  });

  it("[R3] applies no rate over more than 255 ticks, or backwards", () => {
    for (const tick of [60 + 255, 60 + 256, 60, 10]) {
      const state = player(tick, { 0: 5 });
      expect(contents(through(player(60), state))).toEqual(contents(state));
    }
  });

  it("refuses to encode a presence that its archetype can't have", () => {
    const state = new QuantisedState(1);
    state.push(1, 1, 1, 0, 1, [0, 0, 0, 0, 0], 0, 5);
    expect(() => encodeEntities(schema, QuantisedState.empty(), state)).toThrow(RangeError);
  });
});

describe("entity section from a hostile or confused sender", () => {
  it("[R3] refuses a difference against another base where it can tell", () => {
    const bytes = encodeEntities(schema, stateAt(60), new QuantisedState(63));
    expect(() => decodeEntities(schema, QuantisedState.empty(), bytes, 63)).toThrow(/wrong-base/);
    const keyframe = encodeEntities(schema, QuantisedState.empty(), stateAt(60));
    expect(() => decodeEntities(schema, stateAt(60), keyframe, 63)).toThrow(/wrong-base/);
  });

  it("[W3] answers every truncation and every flipped bit with a state or a WireError", () => {
    const base = stateAt(27);
    const bytes = encodeEntities(schema, base, stateAt(33));
    const attempt = (input: Uint8Array) => {
      try {
        const state = decodeEntities(schema, base, input, 33);
        expect(state.count).toBeLessThanOrEqual(6 + bytes.length * 8);
      } catch (error) {
        expect(error).toBeInstanceOf(WireError);
      }
    };
    for (let length = 0; length < bytes.length; length++) attempt(bytes.subarray(0, length));
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = bytes.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      attempt(flipped);
    }
  });

  it("[W3] answers random bytes with a state in range or a WireError, and takes memory only for bits that came", () => {
    const { schema: any, base } = makePair(schema, 5, 20, 3);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        let state: QuantisedState;
        try {
          state = decodeEntities(any, base, bytes, 1003);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
          return;
        }
        expect(state.ids.length).toBeLessThanOrEqual(4 * (base.count + bytes.length * 8 + 8));
        for (const { archetype, presence, values } of contents(state).rows) {
          for (const field of any.archetypes[archetype]?.fields ?? []) {
            if ((presence & (1 << field.fragment)) === 0) continue;
            expect(values[field.index]).toBeGreaterThanOrEqual(field.lo);
            expect(values[field.index]).toBeLessThanOrEqual(field.hi);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  /** A section with one spawn of the sample stone, resting at 0. */
  function spawn(id: number, epoch: number, owner: number): Uint8Array {
    const writer = new CodeWriter();
    writer.writeGamma(0);
    writer.writeGamma(1);
    writer.writeGamma(id - 1);
    writer.writeSized(epoch);
    writer.write(1, 1);
    writer.writeGamma(owner);
    writer.writeGamma(0);
    for (let i = 0; i < 2; i++) writer.writeSized(0);
    writer.write(0, 12);
    for (let i = 0; i < 2; i++) writer.writeSized(0);
    writer.writeGamma(0);
    writer.write(0, 1);
    return writer.finish();
  }

  it("[X1] takes ids and seats up to 65,535 and epochs from 1, and refuses the next", () => {
    const decode = (bytes: Uint8Array) => decodeEntities(schema, QuantisedState.empty(), bytes, 3);
    expect(contents(decode(spawn(65_535, 1, 65_535))).rows).toMatchObject([
      { id: 65_535, epoch: 1, owner: 65_535 },
    ]);
    expect(() => decode(spawn(65_536, 1, 0))).toThrow(/bad-value/);
    expect(() => decode(spawn(1, 1, 65_536))).toThrow(/bad-value/);
    expect(() => decode(spawn(1, 0, 0))).toThrow(/bad-value/);
  });

  it("[R2] refuses a new owner for an entity that despawns in the same section, or isn't there", () => {
    const change = (despawns: number, id: number) => {
      const writer = new CodeWriter();
      writer.writeGamma(despawns);
      if (despawns > 0) writer.writeGamma(0);
      writer.writeGamma(0);
      writer.writeGamma(1);
      writer.writeGamma(id - 1);
      writer.writeGamma(7);
      writer.writeGamma(0);
      writer.write(0, 1);
      writer.write(0, 1);
      return writer.finish();
    };
    expect(decodeEntities(schema, player(1), change(0, 1), 1).owners[0]).toBe(7);
    expect(() => decodeEntities(schema, player(1), change(1, 1), 1)).toThrow(/wrong-base/);
    expect(() => decodeEntities(schema, player(1), change(0, 2), 1)).toThrow(/wrong-base/);
  });

  it("[W3] refuses a section with something behind its end", () => {
    const bytes = encodeEntities(schema, stateAt(60), stateAt(63));
    const longer = new Uint8Array(bytes.length + 1);
    longer.set(bytes);
    expect(() => decodeEntities(schema, stateAt(60), longer, 63)).toThrow(/malformed/);
  });

  it("[W3] refuses a section that announces four billion spawns at the first one that is missing", () => {
    // Counts: no despawns (1), then a 32-bit spawn count.
    const bytes = Uint8Array.of(0x01, 0, 0, 0, 0x80, 0xff, 0xff, 0xff, 0xff);
    expect(() => decodeEntities(schema, QuantisedState.empty(), bytes, 3)).toThrow(WireError);
  });
});
