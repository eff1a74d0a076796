import { type BitReader, type CodeWriter, Expectation } from "./bits.ts";
import { WireError } from "./errors.ts";

/** Fewer marks than this are written plainly. */
const LEAST = 3;
const NONE = 0;
const ALL = 1;
const PLAIN = 2;
const RUNS = 3;

/** Writes `count` marks, each 0 or 1: mostly alike, so that runs of the commoner one are counted. */
export function writeMarks(writer: CodeWriter, marks: Uint8Array, count: number): void {
  let ones = 0;
  for (let i = 0; i < count; i++) ones += marks[i] as number;
  if (count < LEAST) {
    for (let i = 0; i < count; i++) writer.write(marks[i] as number, 1);
    return;
  }
  if (ones === 0 || ones === count) {
    writer.write(ones === 0 ? NONE : ALL, 2);
    return;
  }
  const common = ones * 2 <= count ? 0 : 1;
  // A rare mark costs about as many bits as the run before it has, and two.
  if (Math.min(ones, count - ones) * 4 > count) {
    writer.write(PLAIN, 2);
    for (let i = 0; i < count; i++) writer.write(marks[i] as number, 1);
    return;
  }
  writer.write(RUNS | (common << 2), 3);
  const expectation = new Expectation();
  let run = 0;
  for (let i = 0; i < count; i++) {
    if (marks[i] === common) run++;
    else {
      writer.writeExpected(run, expectation);
      run = 0;
    }
  }
  if (run > 0) writer.writeExpected(run, expectation);
}

export function readMarks(reader: BitReader, count: number): Uint8Array {
  const marks = new Uint8Array(count);
  const form = count < LEAST ? PLAIN : reader.read(2);
  if (form === ALL) marks.fill(1);
  else if (form === PLAIN) for (let i = 0; i < count; i++) marks[i] = reader.read(1);
  else if (form === RUNS) {
    const common = reader.read(1);
    const expectation = new Expectation();
    marks.fill(common);
    for (let i = 0; i < count; i++) {
      i += reader.readExpected(expectation);
      if (i > count) throw new WireError("malformed", "a run of marks is too long");
      if (i < count) marks[i] = common ^ 1;
    }
  }
  return marks;
}
