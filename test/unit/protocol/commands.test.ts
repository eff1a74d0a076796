import fc from "fast-check";
import { describe, expect, it } from "vitest";
// The batch is a section of the input frame; its functions aren't part of protocol's public face.
import { BitWriter } from "../../../protocol/bits.ts";
import { decodeCommands, encodeCommands, referenceFor } from "../../../protocol/commands.ts";
import {
  type CommandEntry,
  decodeClientFrame,
  encodeClientFrame,
  expandSeq,
  LIMITS,
  WireError,
} from "../../../protocol/index.ts";
import {
  axis,
  type CompiledSchema,
  defineGame,
  isPackedCommand,
  packCommand,
  press,
  unpackCalls,
} from "../../../sim/index.ts";
import { command, game, schema } from "./samples.ts";

const MAX_SEQ = 2 ** 32 - 1;

function run(from: number, count: number): CommandEntry[] {
  return Array.from({ length: count }, (_, i) => ({ seq: from + i, bytes: command(i) }));
}

function throughFrame(commands: CommandEntry[]): readonly CommandEntry[] {
  const bytes = encodeClientFrame(
    { type: "input", inputSession: 1, sentAtMs: 2, ackTick: 3, commands },
    schema,
  );
  const frame = decodeClientFrame(bytes, schema);
  return frame.type === "input" ? frame.commands : [];
}

describe("expandSeq", () => {
  it("[I2] finds the only number less than 32,768 away from the reference", () => {
    expect(expandSeq(0, 65_535)).toBe(65_536);
    expect(expandSeq(1, 65_535)).toBe(65_537);
    expect(expandSeq(0, 65_536)).toBe(65_536);
    expect(expandSeq(65_535, 65_536)).toBe(65_535);
    expect(expandSeq(0, 131_071)).toBe(131_072);
    expect(expandSeq(0, 131_073)).toBe(131_072);
    expect(expandSeq(17, 0)).toBe(17);
  });

  it("[I2] accepts 32,767 either way and refuses 32,768, which could be either", () => {
    const reference = 1_000_000;
    expect(expandSeq((reference + 32_767) & 0xffff, reference)).toBe(reference + 32_767);
    expect(expandSeq((reference - 32_767) & 0xffff, reference)).toBe(reference - 32_767);
    expect(expandSeq((reference + 32_768) & 0xffff, reference)).toBeUndefined();
  });

  it("[I2] counts on across 2^31, where signed arithmetic would turn negative", () => {
    for (const reference of [2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1]) {
      for (const distance of [-32_767, -1, 0, 1, 2, 32_767]) {
        const seq = reference + distance;
        expect(expandSeq(seq & 0xffff, reference)).toBe(seq);
      }
    }
  });

  it("[I2] ends at 2^32 − 1 and begins at 1, instead of coming round", () => {
    expect(expandSeq(0xffff, MAX_SEQ - 1)).toBe(MAX_SEQ);
    expect(expandSeq(0xffff, MAX_SEQ)).toBe(MAX_SEQ);
    expect(expandSeq(0, MAX_SEQ)).toBeUndefined();
    expect(expandSeq(0, 0)).toBeUndefined();
    expect(expandSeq(0xffff, 0)).toBeUndefined();
    expect(expandSeq(0xffff, 5)).toBeUndefined();
  });

  it("[I2] gives back every number within the window of any reference", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: MAX_SEQ }),
        fc.integer({ min: -32_767, max: 32_767 }),
        (reference, distance) => {
          const seq = reference + distance;
          const valid = seq >= 1 && seq <= MAX_SEQ;
          expect(expandSeq(seq & 0xffff, reference)).toBe(valid ? seq : undefined);
        },
      ),
    );
  });
});

describe("command batches", () => {
  for (const first of [1, 65_534, 65_535, 65_536, 131_070, 2 ** 31 - 2, MAX_SEQ - 3]) {
    it(`[I2] carries a run from ${first} in full`, () => {
      expect(throughFrame(run(first, 4))).toEqual(run(first, 4));
    });
  }

  it("[I2] carries 65536 as low bits 0 when it doesn't follow its predecessor", () => {
    const commands = [65_530, 65_536, 65_529, 65_537].map((seq) => ({ seq, bytes: command(seq) }));
    expect(throughFrame(commands)).toEqual(commands);
  });

  it("[I2] keeps a later round apart from the earlier one by the header's reference alone", () => {
    const early = encodeCommands(schema, run(7, 2), 6);
    const late = encodeCommands(schema, run(65_536 + 7, 2), 65_536 + 6);
    expect(late).toEqual(early);
    expect(decodeCommands(schema, early, 6).map((c) => c.seq)).toEqual([7, 8]);
    expect(decodeCommands(schema, late, 65_536 + 6).map((c) => c.seq)).toEqual([65_543, 65_544]);
  });

  it("[I2] refuses the whole frame when one number isn't unique around the reference", () => {
    const writer = new BitWriter();
    writer.write(1, 8);
    writer.write(0, 1);
    writer.write((500 + 32_768) & 0xffff, 16);
    writer.write(1, 1);
    expect(() => decodeCommands(schema, writer.finish(), 500)).toThrow(/seq-window/);
  });

  it("[I2] refuses a run that leaves the window or the numbers through its end", () => {
    const run3 = encodeCommands(schema, run(10, 3), 9);
    expect(decodeCommands(schema, run3, MAX_SEQ - 3).map((c) => c.seq)).toEqual([
      MAX_SEQ - 2,
      MAX_SEQ - 1,
      MAX_SEQ,
    ]);
    expect(() => decodeCommands(schema, run3, MAX_SEQ - 2)).toThrow(/seq-window/);
    const jump = [{ seq: 40_000, bytes: command(1) }];
    const far = encodeCommands(schema, [...jump, { seq: 40_001, bytes: command(2) }], 40_000 - 32_766);
    expect(decodeCommands(schema, far, 40_000 - 32_766).map((c) => c.seq)).toEqual([40_000, 40_001]);
    expect(() => encodeCommands(schema, jump, 40_000 - 32_768)).toThrow(RangeError);
  });

  it("[I2] brings back any batch within the window of its first command", () => {
    const entries = fc.array(
      fc.record({
        distance: fc.oneof(fc.constant(1), fc.integer({ min: -30_000, max: 30_000 })),
        controls: fc.integer({ min: 0, max: 3 }),
      }),
      { maxLength: 128 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_SEQ }), entries, (start, steps) => {
        const commands: CommandEntry[] = [{ seq: start, bytes: command(0) }];
        for (const { distance, controls } of steps.slice(1)) {
          const previous = (commands.at(-1) as CommandEntry).seq;
          const seq = distance === 1 ? previous + 1 : start + distance;
          if (seq < 1 || seq > MAX_SEQ || Math.abs(seq - start + 1) > 32_000) continue;
          commands.push({ seq, bytes: command(controls) });
        }
        expect(throughFrame(commands)).toEqual(commands);
      }),
    );
  });

  it("costs two bits for a command that follows with the same controls, three in a game with actions", () => {
    const quiet = defineGame({
      name: "quiet",
      version: 1,
      tickRate: 60,
      input: { moveX: axis(), jump: press() },
      fragments: {},
      archetypes: {},
      systems: {},
    });
    const growth = ({ schema: any }: { schema: CompiledSchema }) => {
      const bytes = packCommand(any, { moveX: 1 });
      const size = (count: number) =>
        encodeCommands(
          any,
          Array.from({ length: count }, (_, i) => ({ seq: 5 + i, bytes })),
          4,
        ).length;
      return size(101) - size(1);
    };
    expect(growth(quiet)).toBe(25);
    expect([37, 38]).toContain(growth(game));
  });

  it("[I2] carries each action with its parameters in the command that asks for it, and in no other", () => {
    const calls = [
      { slot: 0, params: { aim: 1, force: 0.25, aimed: true } },
      { slot: 2, params: { x: -1, y: 0.5, aim: 3 } },
    ];
    const commands = [[], calls, [], [{ slot: 1 }], calls.slice(1)].map((some, i) => ({
      seq: 65_534 + i,
      bytes: packCommand(schema, { moveX: 1 }, some),
    }));
    const arrived = throughFrame(commands);
    expect(arrived).toEqual(commands);
    const slots = arrived.map(({ seq, bytes }) => unpackCalls(schema, bytes, seq).map(({ slot }) => slot));
    expect(slots).toEqual([[], [0, 2], [], [1], [2]]);
  });

  it("[I7] changes no bit of a command, so that its digest is the same on both sides", () => {
    const anyCommand = fc.record({
      moveX: fc.double(),
      aim: fc.double(),
      fire: fc.boolean(),
      slots: fc.uniqueArray(fc.integer({ min: 0, max: 2 })),
      params: fc.record({ aim: fc.double(), force: fc.double(), aimed: fc.boolean(), x: fc.double() }),
    });
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 20 }), (many) => {
        const commands = many.map(({ slots, params, ...controls }, i) => ({
          seq: 1 + i,
          bytes: packCommand(
            schema,
            controls,
            slots.map((slot) => ({ slot, params })),
          ),
        }));
        expect(throughFrame(commands)).toEqual(commands);
      }),
    );
  });

  it("[W3] gives out nothing but packed commands, whatever bits arrive", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), (bytes) => {
        let commands: CommandEntry[];
        try {
          commands = decodeCommands(schema, bytes, 70_000);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
          return;
        }
        for (const entry of commands) expect(isPackedCommand(schema, entry.bytes)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("[X1] carries 128 commands in a frame and no more", () => {
    const limit = LIMITS.commandsPerFrame;
    expect(throughFrame(run(1, limit))).toHaveLength(limit);
    expect(() => throughFrame(run(1, limit + 1))).toThrow(RangeError);
    const writer = new BitWriter();
    writer.write(limit + 1, 8);
    for (let i = 0; i <= limit; i++) writer.write(3, 2);
    expect(() => decodeCommands(schema, writer.finish(), 0)).toThrow(WireError);
  });

  it("[W3] refuses a batch with something behind its end, so that one batch has one form", () => {
    const batch = encodeCommands(schema, run(1, 2), referenceFor(run(1, 2)));
    const longer = new Uint8Array(batch.length + 1);
    longer.set(batch);
    expect(() => decodeCommands(schema, longer, 0)).toThrow(/malformed/);
  });

  it("refuses commands that aren't packed, which another schema must have made", () => {
    const whole = command(5);
    const longer = new Uint8Array(whole.length + 1);
    longer.set(whole);
    const padded = whole.slice();
    padded[padded.length - 1] = (padded.at(-1) as number) | 0x80;
    for (const bytes of [new Uint8Array(0), new Uint8Array(1), whole.subarray(0, -1), longer, padded]) {
      expect(isPackedCommand(schema, bytes)).toBe(false);
      expect(() => encodeCommands(schema, [{ seq: 1, bytes }], 0)).toThrow(RangeError);
    }
  });
});
