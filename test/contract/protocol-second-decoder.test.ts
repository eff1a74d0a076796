import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeCommands, referenceFor } from "../../protocol/commands.ts";
import { encodeEntities } from "../../protocol/index.ts";
import { QuantisedState } from "../../sim/index.ts";
import { anyPair, contents } from "../unit/protocol/arbitrary-states.ts";
import { command, schema } from "../unit/protocol/samples.ts";
import { decodeBatch, decodeSection } from "./protocol-second-decoder.ts";

describe("a decoder written from docs/WIRE.md", () => {
  it("[W1] reads any entity section", () => {
    fc.assert(
      fc.property(anyPair, ({ schema: any, base, state }) => {
        const section = encodeEntities(any, base, state);
        expect(decodeSection(any, contents(base), section, state.tick)).toEqual(contents(state).rows);
        const keyframe = encodeEntities(any, QuantisedState.empty(), state);
        expect(decodeSection(any, { tick: 0, rows: [] }, keyframe, state.tick)).toEqual(contents(state).rows);
      }),
      { numRuns: 200 },
    );
  });

  it("[I2] reads any command batch with actions, across the wraps of 16 and 31 bits", () => {
    for (const start of [1, 65_530, 65_536, 2 ** 31 - 3, 2 ** 32 - 9]) {
      const seqs = [0, 1, 2, 5, 3, 8].map((step) => start + step);
      const commands = seqs.map((seq, i) => ({ seq, bytes: command(i) }));
      const reference = referenceFor(commands);
      const batch = encodeCommands(schema, commands, reference);
      const read = decodeBatch(schema, batch, reference);
      expect(read.map(({ seq }) => seq)).toEqual(seqs);
      for (const [i, { command: bits }] of read.entries()) {
        const packed = new Uint8Array(Math.ceil(bits.length / 8));
        for (const [at, bit] of bits.entries())
          packed[at >> 3] = (packed[at >> 3] as number) | (bit << (at & 7));
        expect(packed).toEqual(commands[i]?.bytes);
      }
    }
  });
});
