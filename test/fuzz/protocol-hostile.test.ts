import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeClientFrame, decodeRoom, decodeServerFrame, LIMITS } from "../../protocol/index.ts";
import { pack, unpack } from "../../protocol/packing.ts";
import { encoded } from "../unit/protocol/encoded-samples.ts";
import { game, schema } from "../unit/protocol/samples.ts";
import { type Decode, verdict } from "./verdict.ts";

const client: Decode = (bytes) => decodeClientFrame(bytes, schema);
const state: Decode = (bytes) => decodeRoom(bytes, game);
/** Server frames before packing. */
const server = (bytes: Uint8Array) => decodeServerFrame(pack(bytes));

describe("hostile messages", () => {
  const WELCOME = 2;
  const ROSTER = 3;
  const HELLO = 0;

  const structPointer = (offset: number, dataWords: number, pointers: number): [number, number] => [
    offset << 2,
    dataWords | (pointers << 16),
  ];
  const listPointer = (offset: number, size: number, count: number): [number, number] => [
    (offset << 2) | 1,
    (count << 3) | size,
  ];
  const tag = (count: number, dataWords: number, pointers: number) =>
    structPointer(count, dataWords, pointers);

  /** A framed message of one segment from its words, each as two 32-bit halves. */
  function framed(words: readonly (readonly [number, number])[]): Uint8Array {
    const halves = Uint32Array.from([0, words.length, ...words.flat()].map((half) => half >>> 0));
    return new Uint8Array(halves.buffer);
  }

  /** A server frame of a kind whose two pointers, and everything behind the root, are given. */
  function serverFrame(
    kind: number,
    pointers: [number, number][],
    rest: [number, number][] = [],
  ): Uint8Array {
    const data: [number, number][] = Array.from({ length: 7 }, () => [1, 1]);
    data[0] = [kind, 1];
    return framed([structPointer(0, 7, 2), ...data, ...pointers, ...rest]);
  }

  const nothing: [number, number] = [0, 0];

  it("[W3] refuses a root that points at itself", () => {
    for (const offset of [-1, -2, -(2 ** 29)]) {
      expect(verdict(server, framed([structPointer(offset, 1, 1), nothing]))).not.toBe("accepted");
    }
  });

  it("[W3] never follows pointers that it doesn't know, so a loop of them costs nothing", () => {
    // An unknown third pointer that leads back to the root's own pointer section.
    const data: [number, number][] = Array.from({ length: 7 }, () => [1, 0]);
    data[0] = [ROSTER, 0];
    const loop = framed([structPointer(0, 7, 3), ...data, nothing, nothing, structPointer(-3, 0, 3)]);
    expect(server(loop)).toEqual({ type: "roster", seats: [] });
    // A list of pointers that contains itself.
    const self = serverFrame(ROSTER, [nothing, listPointer(-1, 6, 1)]);
    expect(server(self)).toEqual({ type: "roster", seats: [] });
  });

  it("[W3] refuses a list of structs in which one is the list", () => {
    // The seat's words are the tag and the seat itself; its name is the roster's own pointer.
    const self = serverFrame(
      ROSTER,
      [listPointer(0, 7, 2), nothing],
      [tag(1, 1, 1), [1, 0], listPointer(-3, 7, 2)],
    );
    expect(verdict(server, self)).toBe("malformed");
  });

  it("[W3] refuses far pointers and capabilities where it reads, and reads past them elsewhere", () => {
    for (const low of [2, 6, 10, 3, 7, 0xffff_fffe, 0xffff_ffff]) {
      for (const high of [0, 1, 0xffff_ffff]) {
        expect(verdict(server, serverFrame(ROSTER, [[low, high], nothing]))).toBe("malformed");
        expect(server(serverFrame(99, [nothing, [low, high]]))).toMatchObject({ type: "unknown" });
        expect(verdict(server, framed([[low, high]]))).toBe("malformed");
      }
    }
  });

  it("[W3] refuses a second segment, with and without the bytes for it", () => {
    const bytes = (encoded.server[0] as { bytes: Uint8Array }).bytes.slice();
    bytes[0] = 1;
    expect(verdict(server, bytes)).toBe("malformed");
    bytes.set([0xff, 0xff, 0xff, 0xff], 0);
    expect(verdict(server, bytes)).toBe("malformed");
  });

  it("[W3] refuses a word behind the message, and a byte behind a word", () => {
    const messages = encoded.server.map(({ bytes }) => unpack(bytes, LIMITS.frameBytesOut));
    for (const bytes of [...messages, encoded.state.bytes]) {
      const decode = bytes === encoded.state.bytes ? state : server;
      for (const extra of decode === state ? [1, 8] : [8]) {
        const longer = new Uint8Array(bytes.length + extra);
        longer.set(bytes);
        expect(verdict(decode, longer)).toBe("malformed");
      }
    }
    for (const { bytes } of encoded.server) {
      expect(verdict(decodeServerFrame, Uint8Array.of(...bytes, 1))).toBe("truncated");
    }
  });

  it("[W3] refuses huge lists of every element size, and never visits those of unknown fields", () => {
    for (let size = 0; size < 8; size++) {
      for (const count of [2 ** 29 - 1, 2 ** 20, 2000]) {
        const known = serverFrame(ROSTER, [listPointer(1, size, count), nothing], [nothing]);
        expect(verdict(server, known)).toBe("malformed");
        const unknown = serverFrame(99, [listPointer(1, size, count), nothing], [nothing]);
        expect(verdict(server, unknown)).toBe("accepted");
      }
    }
  });

  it("[W3] refuses a list of a billion structs without words", () => {
    const seats = serverFrame(ROSTER, [listPointer(1, 7, 0), nothing], [tag(2 ** 29 - 1, 0, 0)]);
    expect(verdict(server, seats)).toBe("malformed");
    const negative = serverFrame(ROSTER, [listPointer(1, 7, 0), nothing], [[0xffff_fffc, 0]]);
    expect(verdict(server, negative)).toBe("malformed");
  });

  it("[W3] refuses a list of structs that overlaps itself many times over", () => {
    // 200 seats (a roster may have 256) whose names are all the same 4,000 bytes.
    const names = 200;
    const seats: [number, number][] = [];
    for (let i = 0; i < names; i++) {
      seats.push([i + 1, 0], listPointer((names - i - 1) * 2, 2, 4000));
    }
    const text: [number, number][] = Array.from({ length: 500 }, () => [0x6161_6161, 0x6161]);
    const rest: [number, number][] = [tag(names, 1, 1), ...seats, ...text];
    const bytes = serverFrame(ROSTER, [listPointer(1, 7, names * 2), nothing], rest);
    expect(verdict(server, bytes)).toBe("too-large");
  });

  it("[W3] never recurses into nesting that its schema doesn't have", () => {
    const chain: [number, number][] = Array.from({ length: 2000 }, () => structPointer(0, 0, 1));
    const nested = serverFrame(ROSTER, [nothing, structPointer(0, 0, 1)], [...chain, nothing]);
    expect(server(nested)).toEqual({ type: "roster", seats: [] });
  });

  it("[W3] refuses a pointer to another kind of thing than its field", () => {
    const bytesList = listPointer(1, 2, 8);
    const structs = listPointer(1, 7, 1);
    const struct = structPointer(1, 1, 0);
    const words = listPointer(1, 5, 1);
    const rest: [number, number][] = [tag(1, 0, 0), nothing];
    for (const wrong of [bytesList, struct, words]) {
      expect(verdict(server, serverFrame(ROSTER, [wrong, nothing], rest))).toBe("malformed");
    }
    for (const wrong of [structs, struct, words]) {
      expect(verdict(server, serverFrame(1, [wrong, nothing], rest))).toBe("malformed");
    }
  });

  it("[W3] refuses structs in a list that are shorter than this version's", () => {
    for (const [dataWords, pointers] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const bytes = serverFrame(
        ROSTER,
        [listPointer(1, 7, 1), nothing],
        [tag(1, dataWords, pointers), nothing],
      );
      expect(verdict(server, bytes)).toBe("malformed");
    }
  });

  it("[W3] refuses a text without its terminator", () => {
    const open = serverFrame(WELCOME, [listPointer(1, 2, 8), nothing], [[0x6161_6161, 0x6161_6161]]);
    expect(verdict(server, open)).toBe("malformed");
    expect(verdict(server, serverFrame(WELCOME, [listPointer(1, 2, 0), nothing]))).toBe("malformed");
  });

  it("[W3] takes a root that says nothing, as all defaults, and refuses what those mean", () => {
    expect(server(framed([[0, 0]]))).toEqual({ type: "unknown", which: 0 });
    expect(decodeClientFrame(pack(framed([[0, 0]])), schema)).toMatchObject({
      type: "hello",
      protocol: HELLO,
    });
  });

  it("[W3] refuses a packed bomb before taking memory for it", () => {
    // Each pair stands for 256 words of zeroes: 16 MiB from 16 KiB.
    const zeroes = new Uint8Array(LIMITS.frameBytesIn);
    for (let i = 1; i < zeroes.length; i += 2) zeroes[i] = 0xff;
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 20; i++) expect(verdict(client, zeroes)).toBe("too-large");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
    const spans = new Uint8Array(LIMITS.frameBytesIn).fill(0xff);
    expect(verdict(client, spans)).not.toBe("accepted");
  });

  it("[X1] unpacks 16 KiB and refuses one word more", () => {
    const limit = LIMITS.unpackedBytesIn;
    const largest = pack(new Uint8Array(limit).fill(1));
    expect(unpack(largest, limit)).toEqual(new Uint8Array(limit).fill(1));
    expect(verdict((bytes) => unpack(bytes, limit), pack(new Uint8Array(limit + 8)))).toBe("too-large");
  });

  it("[W3] gives back packed whatever was packed", () => {
    const byte = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 255 }));
    const run = fc.record({ word: fc.array(byte, { minLength: 8, maxLength: 8 }), times: fc.nat(300) });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 6 }), (runs) => {
        const bytes = Uint8Array.from(runs.flatMap(({ word, times }) => new Array(times).fill(word).flat()));
        expect(unpack(pack(bytes), 1 << 20)).toEqual(bytes);
      }),
    );
  });
});
