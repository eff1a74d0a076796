import { Message, type Struct, type StructCtor } from "capnp-es";
import { WireError } from "./errors.ts";
import { LIMITS } from "./limits.ts";

/** What a pointer of a known struct must lead to. A pointer that isn't described may lead anywhere well-formed. */
export type PointerShape = "data" | "text" | ListShape;

/** A list of structs, each with at least this many words: capnp-es misreads shorter ones. */
export interface ListShape {
  readonly dataWords: number;
  readonly pointers: readonly PointerShape[];
}

/** A root struct: where its union's tag is, and the pointers of each union member. */
export interface RootShape {
  /** Byte offset of the tag, or undefined without a union. */
  readonly tagOffset?: number;
  readonly members: readonly (readonly PointerShape[])[];
}

const HEADER_BYTES = 8;
const STRUCT = 0;
const LIST = 1;
const BYTES = 2;
const POINTERS = 6;
const COMPOSITE = 7;
/** log2 of an element's bits by list element size: void (counted as bits), 1, 8, 16, 32, 64, pointer. */
const ELEMENT_BITS = [1, 1, 8, 16, 32, 64, 64] as const;

/**
 * Checks every pointer of a message before capnp-es follows any of them: capnp-es reads sizes out of the message,
 * allocates by them, and follows a loop for as long as it is asked to. After this check the message is one segment,
 * a tree (or a bounded overlap) within its bounds, no deeper than the limit, with the known pointers of their kind.
 * The work is bounded by the message's own size.
 */
class Checker {
  readonly #view: DataView;
  readonly #words: number;
  /** Words that may still be visited. Honest messages visit each once; the rest is for elements without words. */
  #budget: number;

  constructor(segment: Uint8Array) {
    this.#view = new DataView(segment.buffer, segment.byteOffset, segment.byteLength);
    this.#words = segment.byteLength / 8;
    this.#budget = this.#words * 2;
  }

  checkRoot(shape: RootShape): void {
    const low = this.#view.getInt32(0, true);
    const dataWords = this.#view.getUint16(4, true);
    const start = 1 + (low >> 2);
    if ((low & 3) !== STRUCT) throw malformed("the root is no struct");
    this.#claim(start, dataWords + this.#view.getUint16(6, true));
    const tag = shape.tagOffset ?? 0;
    const hasTag = shape.tagOffset !== undefined && tag + 2 <= dataWords * 8;
    const member = hasTag ? this.#view.getUint16(start * 8 + tag, true) : 0;
    this.#checkPointers(start + dataWords, this.#view.getUint16(6, true), shape.members[member] ?? [], 1);
  }

  #checkPointers(start: number, count: number, shapes: readonly PointerShape[], depth: number): void {
    for (let i = 0; i < count; i++) this.#checkPointer(start + i, shapes[i], depth);
  }

  #checkPointer(at: number, shape: PointerShape | undefined, depth: number): void {
    const low = this.#view.getInt32(at * 8, true);
    const high = this.#view.getUint32(at * 8 + 4, true);
    if (low === 0 && high === 0) return;
    if (depth >= LIMITS.pointerDepth.value) throw new WireError("too-large", "a message nests too deep");
    const start = at + 1 + (low >> 2);
    switch (low & 3) {
      case STRUCT: {
        if (shape !== undefined) throw malformed("a struct where a list should be");
        const dataWords = high & 0xffff;
        this.#claim(start, dataWords + (high >>> 16));
        this.#checkPointers(start + dataWords, high >>> 16, [], depth + 1);
        return;
      }
      case LIST:
        this.#checkList(start, high & 7, high >>> 3, shape, depth + 1);
        return;
      default:
        throw malformed("a far pointer or capability");
    }
  }

  #checkList(
    start: number,
    size: number,
    count: number,
    shape: PointerShape | undefined,
    depth: number,
  ): void {
    if (size === COMPOSITE) {
      this.#checkComposite(start, count, shape, depth);
      return;
    }
    if (typeof shape === "object") throw malformed("a plain list where a list of structs should be");
    if (shape !== undefined && size !== BYTES) throw malformed("a list of another kind than bytes");
    this.#claim(start, Math.ceil((count * (ELEMENT_BITS[size] as number)) / 64));
    if (size === POINTERS) this.#checkPointers(start, count, [], depth);
    if (shape === "text" && (count === 0 || this.#view.getUint8(start * 8 + count - 1) !== 0)) {
      throw malformed("a text without its terminator");
    }
  }

  #checkComposite(start: number, words: number, shape: PointerShape | undefined, depth: number): void {
    if (shape === "data" || shape === "text") throw malformed("a list of structs where bytes should be");
    this.#claim(start, words + 1);
    const low = this.#view.getUint32(start * 8, true);
    const count = low >>> 2;
    const dataWords = this.#view.getUint16(start * 8 + 4, true);
    const pointers = this.#view.getUint16(start * 8 + 6, true);
    if ((low & 3) !== STRUCT || count * (dataWords + pointers) > words) throw malformed("a list's tag");
    if (shape !== undefined && (dataWords < shape.dataWords || pointers < shape.pointers.length)) {
      throw malformed("a list of structs that are too short");
    }
    // Elements without words would cost nothing and could be counted by the hundred million.
    this.#spend(count);
    for (let i = 0; i < count; i++) {
      const element = start + 1 + i * (dataWords + pointers);
      this.#checkPointers(element + dataWords, pointers, shape?.pointers ?? [], depth);
    }
  }

  #claim(start: number, words: number): void {
    // Word 0 is the root pointer: capnp-es rewrites it to make room for a short root, under whatever overlaps it.
    if (start < 1 || start + words > this.#words) throw malformed("a pointer leads out of the message");
    this.#spend(words);
  }

  #spend(words: number): void {
    this.#budget -= words;
    if (this.#budget < 0) throw new WireError("too-large", "a message visits more than it holds");
  }
}

function unreadable(cause: unknown): WireError {
  return new WireError("malformed", "the message can't be read", { cause });
}

function malformed(detail: string): WireError {
  return new WireError("malformed", detail);
}

/** What capnp-es may spend per byte of a checked message; honest ones stay below a third of it. */
const TRAVERSAL_PER_BYTE = 64;

/**
 * Checks a framed message of one segment and lets `read` take its root apart. The bytes are copied, because capnp-es
 * may write while it reads. Whatever capnp-es still finds wrong becomes a WireError too: to the caller it is one.
 */
export function readMessage<S extends Struct, T>(
  bytes: Uint8Array,
  options: { maxBytes: number; Root: StructCtor<S>; shape: RootShape },
  read: (root: S) => T,
): T {
  const { maxBytes, Root, shape } = options;
  if (bytes.length > maxBytes) throw new WireError("too-large", `${bytes.length} bytes, at most ${maxBytes}`);
  if (bytes.length < HEADER_BYTES + 8) throw new WireError("truncated", "shorter than any message");
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  if (header.getUint32(0, true) !== 0) throw malformed("more than one segment");
  const length = header.getUint32(4, true) * 8;
  if (length > bytes.length - HEADER_BYTES) throw new WireError("truncated", "a message ends early");
  if (length < bytes.length - HEADER_BYTES) throw malformed("something behind the message");
  const segment = bytes.slice(HEADER_BYTES);
  new Checker(segment).checkRoot(shape);
  try {
    const message = new Message(segment.buffer, false, true);
    message._capnp.traversalLimit = TRAVERSAL_PER_BYTE * bytes.length + 4096;
    return read(message.getRoot(Root));
  } catch (error) {
    throw error instanceof WireError ? error : unreadable(error);
  }
}

/** An empty message with room for its content: capnp-es grows an arena by copying all of it. */
export function createMessage(contentBytes: number): Message {
  const message = new Message();
  const arena = message._capnp.arena as { buffer: ArrayBuffer };
  arena.buffer = new ArrayBuffer((contentBytes + 7) & -8);
  return message;
}

/** What a list of structs holds. */
export function readList<R, T>(
  list: { readonly length: number; get(index: number): R },
  read: (record: R) => T,
): T[] {
  // Once: capnp-es looks a list's length up in the message each time.
  const { length } = list;
  const values: T[] = [];
  for (let i = 0; i < length; i++) values.push(read(list.get(i)));
  return values;
}

/** The name that an enumerant stands for, where an unknown one can't be lived with. */
export function nameOf<N extends string>(names: readonly N[], number: number): N {
  const name = names[number];
  if (name === undefined) throw new WireError("bad-value", `${number} is none of ${names.join(", ")}`);
  return name;
}
