import type { CompiledSchema } from "../sim/index.ts";
import { BitReader, BitWriter } from "./bits.ts";
import { WireError } from "./errors.ts";
import type { CommandEntry } from "./frame-types.ts";
import * as LIMITS from "./limits.ts";

const COUNT_BITS = 8;
const WINDOW = LIMITS.activeWindow;

/**
 * The full number that 16 low bits stand for: the only one less than 32,768 away from the reference. Undefined when
 * there is none: exactly half a round away it could be either, and no number is below 1 or above 2^32 − 1.
 */
export function expandSeq(low16: number, reference: number): number | undefined {
  const ahead = (low16 - reference) & 0xffff;
  if (ahead === WINDOW) return undefined;
  const seq = reference + (ahead < WINDOW ? ahead : ahead - 0x10000);
  return seq >= 1 && seq <= 0xffffffff ? seq : undefined;
}

/** The reference that makes a batch shortest: its first command then costs one bit of number. */
export function referenceFor(commands: readonly CommandEntry[]): number {
  return commands[0] === undefined ? 0 : commands[0].seq - 1;
}

/**
 * Packs commands, each being what sim's `packCommand` gives. Controls are written when they change; actions, which
 * most commands have none of, in the commands that carry one.
 */
export function encodeCommands(
  schema: CompiledSchema,
  commands: readonly CommandEntry[],
  reference: number,
): Uint8Array<ArrayBuffer> {
  if (commands.length > LIMITS.commandsPerFrame) {
    throw new RangeError(`${commands.length} commands don't fit a frame (${LIMITS.commandsPerFrame})`);
  }
  const { commandBits, actions } = schema;
  const writer = new BitWriter(2 + commands.length * (schema.commandBytes + 3));
  writer.write(commands.length, COUNT_BITS);
  let previousSeq = reference;
  let previous: Uint8Array = new Uint8Array(schema.commandBytes);
  for (const { seq, bytes } of commands) {
    if (expandSeq(seq & 0xffff, reference) !== seq) {
      throw new RangeError(`command ${seq} is out of the window around ${reference}`);
    }
    const { bits, acts } = measure(schema, bytes);
    const follows = seq === previousSeq + 1;
    writer.write(follows ? 1 : 0, 1);
    if (!follows) writer.write(seq, 16);
    const same = sameBits(bytes, previous, commandBits);
    writer.write(same ? 1 : 0, 1);
    if (!same) copyBits(writer, bytes, 0, commandBits);
    if (actions.length > 0) writer.write(acts ? 1 : 0, 1);
    if (acts) copyBits(writer, bytes, commandBits, bits);
    previousSeq = seq;
    previous = bytes;
  }
  return writer.finish();
}

/** Refuses the whole batch when one number can't be expanded: half a batch would leave a gap nobody asked for. */
export function decodeCommands(schema: CompiledSchema, batch: Uint8Array, reference: number): CommandEntry[] {
  const { commandBits, actions } = schema;
  const reader = new BitReader(batch);
  const count = reader.read(COUNT_BITS);
  if (count > LIMITS.commandsPerFrame) {
    throw new WireError("too-large", `${count} commands in one frame`);
  }
  const commands: CommandEntry[] = [];
  let previousSeq = reference;
  let previous: Uint8Array = new Uint8Array(schema.commandBytes);
  for (let i = 0; i < count; i++) {
    const low16 = reader.read(1) === 1 ? (previousSeq + 1) & 0xffff : reader.read(16);
    const seq = expandSeq(low16, reference);
    if (seq === undefined) {
      throw new WireError("seq-window", `low bits ${low16} aren't unique around ${reference}`);
    }
    const command = new BitWriter(schema.maxCommandBytes + 3);
    if (reader.read(1) === 1) copyBits(command, previous, 0, commandBits);
    else moveBits(reader, command, commandBits);
    if (actions.length > 0 && reader.read(1) === 1) readActions(reader, command, schema);
    else command.write(0, actions.length);
    const bytes = command.finish();
    commands.push({ seq, bytes });
    previousSeq = seq;
    previous = bytes;
  }
  reader.finish();
  return commands;
}

function readActions(reader: BitReader, command: BitWriter, { actions }: CompiledSchema): void {
  for (const { paramBits } of actions) {
    const called = reader.read(1);
    command.write(called, 1);
    if (called === 1) moveBits(reader, command, paramBits);
  }
}

/** The length of a packed command in bits, and whether it carries an action. @throws RangeError when it isn't one */
function measure(schema: CompiledSchema, bytes: Uint8Array): { bits: number; acts: boolean } {
  let bits = schema.commandBits;
  let acts = false;
  for (const { paramBits } of schema.actions) {
    const called = bitsAt(bytes, bits++, 1) === 1;
    if (called) bits += paramBits;
    acts ||= called;
  }
  // The receiver gives padding no meaning: a command with bits there would come out with another digest.
  if (bytes.length !== (bits + 7) >> 3 || bitsAt(bytes, bits, -bits & 7) !== 0) {
    throw new RangeError(`${bytes.length} bytes are no packed command, which would have ${bits} bits`);
  }
  return { bits, acts };
}

/** Up to eight bits from any position; 0 behind the end. */
function bitsAt(bytes: Uint8Array, at: number, count: number): number {
  const low = bytes[at >> 3] ?? 0;
  const high = bytes[(at >> 3) + 1] ?? 0;
  return ((low | (high << 8)) >> (at & 7)) & ((1 << count) - 1);
}

function copyBits(writer: BitWriter, bytes: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; at += 8) {
    const count = Math.min(8, to - at);
    writer.write(bitsAt(bytes, at, count), count);
  }
}

function moveBits(reader: BitReader, writer: BitWriter, bits: number): void {
  for (let left = bits; left > 0; left -= 16) {
    const count = Math.min(16, left);
    writer.write(reader.read(count), count);
  }
}

function sameBits(a: Uint8Array, b: Uint8Array, bits: number): boolean {
  for (let at = 0; at < bits; at += 8) {
    const count = Math.min(8, bits - at);
    if (bitsAt(a, at, count) !== bitsAt(b, at, count)) return false;
  }
  return true;
}
