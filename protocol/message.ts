import { WireError } from "./errors.ts";
import type { FieldPlace, Layout, PointerKind, UnionLayout } from "./layout.ts";
import { LIMITS } from "./limits.ts";

const HEADER_BYTES = 8;
const STRUCT = 0;
const LIST = 1;
const BYTES = 2;
const POINTERS = 6;
const COMPOSITE = 7;
/** log2 of an element's bits by list element size: void (counted as bits), 1, 8, 16, 32, 64, pointer. */
const ELEMENT_BITS = [1, 1, 8, 16, 32, 64, 64] as const;

/**
 * Checks every pointer of a message before any of them is followed: sizes are the sender's word, and pointers may lead
 * in a loop. After this check the message is one segment, a tree (or a bounded overlap) within its bounds, no deeper
 * than the limit, with the known pointers of their kind. The work is bounded by the message's own size.
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

  /** @returns where the root's data begins, its bytes, and the number of its pointers, which follow it */
  checkRoot(targetsOf: (root: Place) => readonly (PointerKind | undefined)[]): Place {
    const low = this.#view.getInt32(0, true);
    const dataWords = this.#view.getUint16(4, true);
    const pointers = this.#view.getUint16(6, true);
    const start = 1 + (low >> 2);
    if ((low & 3) !== STRUCT) throw malformed("the root is no struct");
    this.#claim(start, dataWords + pointers);
    const root = { at: start * 8, dataBytes: dataWords * 8, pointers };
    this.#checkPointers(start + dataWords, pointers, targetsOf(root), 1);
    return root;
  }

  #checkPointers(
    start: number,
    count: number,
    targets: readonly (PointerKind | undefined)[],
    depth: number,
  ): void {
    for (let i = 0; i < count; i++) this.#checkPointer(start + i, targets[i], depth);
  }

  #checkPointer(at: number, target: PointerKind | undefined, depth: number): void {
    const low = this.#view.getInt32(at * 8, true);
    const high = this.#view.getUint32(at * 8 + 4, true);
    if (low === 0 && high === 0) return;
    if (depth >= LIMITS.pointerDepth) throw new WireError("too-large", "a message nests too deep");
    const start = at + 1 + (low >> 2);
    switch (low & 3) {
      case STRUCT: {
        if (target !== undefined) throw malformed("a struct where a list should be");
        const dataWords = high & 0xffff;
        this.#claim(start, dataWords + (high >>> 16));
        this.#checkPointers(start + dataWords, high >>> 16, [], depth + 1);
        return;
      }
      case LIST:
        this.#checkList(start, high & 7, high >>> 3, target, depth + 1);
        return;
      default:
        throw malformed("a far pointer or capability");
    }
  }

  #checkList(
    start: number,
    size: number,
    count: number,
    target: PointerKind | undefined,
    depth: number,
  ): void {
    if (size === COMPOSITE) {
      this.#checkComposite(start, count, target, depth);
      return;
    }
    if (typeof target === "object") throw malformed("a plain list where a list of structs should be");
    if (target !== undefined && size !== BYTES) throw malformed("a list of another kind than bytes");
    this.#claim(start, Math.ceil((count * (ELEMENT_BITS[size] as number)) / 64));
    if (size === POINTERS) this.#checkPointers(start, count, [], depth);
    if (target === "text" && (count === 0 || this.#view.getUint8(start * 8 + count - 1) !== 0)) {
      throw malformed("a text without its terminator");
    }
  }

  #checkComposite(start: number, words: number, target: PointerKind | undefined, depth: number): void {
    if (target === "data" || target === "text") throw malformed("a list of structs where bytes should be");
    this.#claim(start, words + 1);
    const low = this.#view.getUint32(start * 8, true);
    const count = low >>> 2;
    const dataWords = this.#view.getUint16(start * 8 + 4, true);
    const pointers = this.#view.getUint16(start * 8 + 6, true);
    if ((low & 3) !== STRUCT || count * (dataWords + pointers) > words) throw malformed("a list's tag");
    if (target !== undefined && (dataWords < target.words || pointers < target.pointers)) {
      throw malformed("a list of structs that are too short");
    }
    // Elements without words would cost nothing and could be counted by the hundred million.
    this.#spend(count);
    for (let i = 0; i < count; i++) {
      const element = start + 1 + i * (dataWords + pointers);
      this.#checkPointers(element + dataWords, pointers, target?.targets ?? [], depth);
    }
  }

  #claim(start: number, words: number): void {
    // Word 0 is the root pointer.
    if (start < 1 || start + words > this.#words) throw malformed("a pointer leads out of the message");
    this.#spend(words);
  }

  #spend(words: number): void {
    this.#budget -= words;
    if (this.#budget < 0) throw new WireError("too-large", "a message visits more than it holds");
  }
}

function malformed(detail: string): WireError {
  return new WireError("malformed", detail);
}

/** A struct in a segment: byte offset of its data, bytes of it, and number of the pointers that follow. */
interface Place {
  readonly at: number;
  readonly dataBytes: number;
  readonly pointers: number;
}

/**
 * Checks a framed message of one segment and reads it as an object with a property per field. Of a union's root, `type`
 * names the group; one that this version doesn't know is `{ type: "unknown", which }`. Data are views into `bytes`.
 * @throws WireError
 */
export function readMessage<T>(bytes: Uint8Array, layout: Layout<T>, maxBytes: number): T;
export function readMessage<T>(
  bytes: Uint8Array,
  layout: UnionLayout<T>,
  maxBytes: number,
): T | { readonly type: "unknown"; readonly which: number };
export function readMessage(bytes: Uint8Array, layout: Layout | UnionLayout, maxBytes: number): unknown {
  if (bytes.length > maxBytes) throw new WireError("too-large", `${bytes.length} bytes, at most ${maxBytes}`);
  if (bytes.length < HEADER_BYTES + 8) throw new WireError("truncated", "shorter than any message");
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  if (header.getUint32(0, true) !== 0) throw malformed("more than one segment");
  const length = header.getUint32(4, true) * 8;
  if (length > bytes.length - HEADER_BYTES) throw new WireError("truncated", "a message ends early");
  if (length < bytes.length - HEADER_BYTES) throw malformed("something behind the message");
  const segment = bytes.subarray(HEADER_BYTES);
  const reader = new Reader(segment);
  let which = 0;
  const root = new Checker(segment).checkRoot((place) => {
    if (!("members" in layout)) return layout.targets;
    which = reader.number(place, 2, layout.tagAt);
    return layout.members[which]?.[1].targets ?? [];
  });
  if (!("members" in layout)) return reader.struct(root, layout.fields, {});
  const member = layout.members[which];
  if (!member) return { type: "unknown", which };
  return reader.struct(root, member[1].fields, { type: member[0] });
}

/** Reads what was checked. */
class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(segment: Uint8Array) {
    this.#bytes = segment;
    this.#view = new DataView(segment.buffer, segment.byteOffset, segment.byteLength);
  }

  struct(place: Place, fields: readonly FieldPlace[], into: Record<string, unknown>): unknown {
    for (const [name, kind, offset] of fields) {
      if (typeof kind !== "number") into[name] = this.#pointed(place, kind, offset);
      else if (kind === 8) into[name] = this.#u64(place, offset);
      else if (kind !== 0) into[name] = this.number(place, kind, offset);
      else into[name] = ((this.number(place, 1, offset >> 3) >> (offset & 7)) & 1) === 1;
    }
    return into;
  }

  /** A peer of an older version may have sent a shorter struct: what it lacks is 0. */
  number({ at, dataBytes }: Place, bytes: number, offset: number): number {
    if (offset + bytes > dataBytes) return 0;
    if (bytes === 4) return this.#view.getUint32(at + offset, true);
    return bytes === 2 ? this.#view.getUint16(at + offset, true) : this.#view.getUint8(at + offset);
  }

  #u64({ at, dataBytes }: Place, offset: number): bigint {
    return offset + 8 > dataBytes ? 0n : this.#view.getBigUint64(at + offset, true);
  }

  #pointed({ at, dataBytes, pointers }: Place, kind: PointerKind, number: number): unknown {
    const pointerAt = at + dataBytes + number * 8;
    const high = number < pointers ? this.#view.getUint32(pointerAt + 4, true) : 0;
    const low = number < pointers ? this.#view.getInt32(pointerAt, true) : 0;
    const isNull = low === 0 && high === 0;
    const start = pointerAt + 8 + (low >> 2) * 8;
    if (typeof kind === "object") return isNull ? [] : this.#list(start, kind);
    const length = isNull ? 0 : high >>> 3;
    if (kind === "data") return this.#bytes.subarray(start, start + length);
    return length === 0 ? "" : TEXT.decode(this.#bytes.subarray(start, start + length - 1));
  }

  #list(tagAt: number, { fields }: Layout): unknown[] {
    const count = this.#view.getUint32(tagAt, true) >>> 2;
    const dataBytes = this.#view.getUint16(tagAt + 4, true) * 8;
    const pointers = this.#view.getUint16(tagAt + 6, true);
    const list: unknown[] = [];
    for (let i = 0; i < count; i++) {
      const at = tagAt + 8 + i * (dataBytes + pointers * 8);
      list.push(this.struct({ at, dataBytes, pointers }, fields, {}));
    }
    return list;
  }
}

/** With `ignoreBOM` a text keeps a mark that it begins with. */
const TEXT = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** The name that an enumerant stands for, where an unknown one can't be lived with. */
export function nameOf<N extends string>(names: readonly N[], number: number): N {
  const name = names[number];
  if (name === undefined) throw new WireError("bad-value", `${number} is none of ${names.join(", ")}`);
  return name;
}
