import type { CompiledSchema } from "../sim/index.ts";
import { BitReader, BitWriter } from "./bits.ts";
import { WireError } from "./errors.ts";
import type { CommandEntry } from "./frame-types.ts";
import { LIMITS } from "./limits.ts";

const COUNT_BITS = 8;
const WINDOW = LIMITS.activeWindow.value;

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

export function encodeCommands(
  schema: CompiledSchema,
  commands: readonly CommandEntry[],
  reference: number,
): Uint8Array<ArrayBuffer> {
  if (commands.length > LIMITS.commandsPerFrame.value) {
    throw new RangeError(`${commands.length} commands don't fit a frame (${LIMITS.commandsPerFrame.value})`);
  }
  const writer = new BitWriter(2 + commands.length * (schema.commandBytes + 3));
  writer.write(commands.length, COUNT_BITS);
  let previousSeq = reference;
  let previous: Uint8Array = new Uint8Array(schema.commandBytes);
  for (const { seq, bytes } of commands) {
    if (expandSeq(seq & 0xffff, reference) !== seq) {
      throw new RangeError(`command ${seq} is out of the window around ${reference}`);
    }
    if (bytes.length !== schema.commandBytes) {
      throw new RangeError(`a command has ${bytes.length} bytes instead of ${schema.commandBytes}`);
    }
    const follows = seq === previousSeq + 1;
    writer.write(follows ? 1 : 0, 1);
    if (!follows) writer.write(seq, 16);
    const same = sameBytes(bytes, previous);
    writer.write(same ? 1 : 0, 1);
    if (!same) writeControls(writer, schema, bytes);
    previousSeq = seq;
    previous = bytes;
  }
  return writer.finish();
}

/** Refuses the whole batch when one number can't be expanded: half a batch would leave a gap nobody asked for. */
export function decodeCommands(schema: CompiledSchema, batch: Uint8Array, reference: number): CommandEntry[] {
  const reader = new BitReader(batch);
  const count = reader.read(COUNT_BITS);
  if (count > LIMITS.commandsPerFrame.value) {
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
    if (reader.read(1) === 0) previous = readControls(reader, schema);
    commands.push({ seq, bytes: previous.slice() });
    previousSeq = seq;
  }
  reader.finish();
  return commands;
}

function writeControls(writer: BitWriter, schema: CompiledSchema, bytes: Uint8Array): void {
  for (let left = schema.commandBits, i = 0; left > 0; left -= 8, i++) {
    writer.write(bytes[i] as number, Math.min(left, 8));
  }
}

function readControls(reader: BitReader, schema: CompiledSchema): Uint8Array {
  const bytes = new Uint8Array(schema.commandBytes);
  for (let left = schema.commandBits, i = 0; left > 0; left -= 8, i++) {
    bytes[i] = reader.read(Math.min(left, 8));
  }
  return bytes;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
