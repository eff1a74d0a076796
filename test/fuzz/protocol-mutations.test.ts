import fc from "fast-check";
import { expect, it } from "vitest";
import {
  decodeClientFrame,
  decodeExport,
  decodeLedger,
  decodeReceiptRow,
  decodeRoom,
  decodeServerFrame,
  LIMITS,
} from "../../protocol/index.ts";
import { pack, unpack } from "../../protocol/packing.ts";
import { encoded } from "../unit/protocol/encoded-samples.ts";
import { game, schema } from "../unit/protocol/samples.ts";
import { type Decode, verdict } from "./verdict.ts";

const client: Decode = (bytes) => decodeClientFrame(bytes, schema);
const clientUnpacked: Decode = (bytes) => decodeClientFrame(pack(wholeWords(bytes)), schema);
const state: Decode = (bytes) => decodeRoom(bytes, game);

function wholeWords(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.length & -8);
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = bytes.slice();
  copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7));
  return copy;
}

const unpackedClient = encoded.client.map(({ name, bytes }) => ({
  name: `${name}, flipped before packing`,
  bytes: unpack(bytes, LIMITS.unpackedBytesIn),
}));

const suites: { side: string; decode: Decode; samples: { name: string; bytes: Uint8Array }[] }[] = [
  { side: "the client's", decode: client, samples: encoded.client },
  { side: "the client's", decode: clientUnpacked, samples: unpackedClient },
  { side: "the server's", decode: decodeServerFrame, samples: encoded.server },
  { side: "the stored", decode: state, samples: [encoded.state] },
  { side: "the stored", decode: decodeLedger, samples: [encoded.ledger] },
  { side: "the stored", decode: decodeReceiptRow, samples: [encoded.receipt] },
  { side: "the operator's", decode: decodeExport, samples: [encoded.export] },
];

for (const { side, decode, samples } of suites) {
  for (const { name, bytes } of samples) {
    it(`[W3] survives every truncation of ${side} ${name}`, () => {
      for (let length = 0; length < bytes.length; length++) {
        expect(verdict(decode, bytes.subarray(0, length))).not.toBe("accepted");
      }
    });

    it(`[W3] survives every flipped bit of ${side} ${name}`, () => {
      expect(verdict(decode, bytes)).toBe("accepted");
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        verdict(decode, flipped(bytes, bit), LIMITS.unpackedBytesIn);
      }
    });

    it(`[W3] survives whatever else happens to ${side} ${name}`, () => {
      const change = fc.record({ at: fc.nat(bytes.length - 1), value: fc.integer({ min: 0, max: 255 }) });
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
          const copy = bytes.slice();
          for (const { at, value } of changes) copy[at] = value;
          verdict(decode, copy, LIMITS.unpackedBytesIn);
        }),
      );
    });
  }

  it(`[W3] survives random bytes in place of ${side} ${samples[0]?.name}`, () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        verdict(decode, bytes, LIMITS.unpackedBytesIn);
      }),
      { numRuns: 1000 },
    );
  });
}
