import { WireError } from "./errors.ts";
import type { FieldPlace, Layout, PointerKind, UnionLayout } from "./layout.ts";

const HEADER_BYTES = 8;
const STRUCT = 0;
const LIST = 1;
const BYTES = 2;
const COMPOSITE = 7;

/** A struct in a segment: byte offset of its data, bytes of it, and number of the pointers that follow. */
interface Place {
  readonly at: number;
  readonly dataBytes: number;
  readonly pointers: number;
}

/**
 * Reads a framed message of one segment as an object with a property per field. Of a union's root, `type` names the
 * group; one that this version doesn't know is `{ type: "unknown", which }`. Data are views into `bytes`.
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
  const reader = new Reader(bytes.subarray(HEADER_BYTES));
  const root = reader.root();
  if (!("members" in layout)) return reader.struct(root, layout.fields, {});
  const which = reader.number(root, 2, layout.tagAt);
  const member = layout.members[which];
  if (!member) return { type: "unknown", which };
  return reader.struct(root, member[1], { type: member[0] });
}

/**
 * Sizes are the sender's word, and pointers may lead anywhere: each target is checked before it is read. What this
 * version doesn't know is never followed, so nesting ends with the schema's.
 */
class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** Bytes that may still be visited. Honest messages visit each once; overlapping lists would multiply them. */
  #budget: number;

  constructor(segment: Uint8Array) {
    this.#bytes = segment;
    this.#view = new DataView(segment.buffer, segment.byteOffset, segment.length);
    this.#budget = segment.length * 2;
  }

  root(): Place {
    const low = this.#view.getInt32(0, true);
    if ((low & 3) !== STRUCT) throw malformed("the root is no struct");
    const root = { at: 8 + (low >> 2) * 8, ...this.#sizes(4) };
    this.#claim(root.at, root.dataBytes + root.pointers * 8);
    return root;
  }

  /** Sizes of a struct, from the upper half of its pointer or tag. */
  #sizes(at: number): { dataBytes: number; pointers: number } {
    return { dataBytes: this.#view.getUint16(at, true) * 8, pointers: this.#view.getUint16(at + 2, true) };
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
    const isList = typeof kind === "object";
    const pointerAt = at + dataBytes + number * 8;
    const low = number < pointers ? this.#view.getInt32(pointerAt, true) : 0;
    const high = number < pointers ? this.#view.getUint32(pointerAt + 4, true) : 0;
    if (low === 0 && high === 0) return isList ? [] : kind === "text" ? "" : this.#bytes.subarray(0, 0);
    if ((low & 3) !== LIST || (high & 7) !== (isList ? COMPOSITE : BYTES)) {
      throw malformed("a pointer to another kind of thing than its field's");
    }
    const start = pointerAt + 8 + (low >> 2) * 8;
    const count = high >>> 3;
    if (isList) return this.#list(start, count * 8, kind);
    this.#claim(start, count);
    if (kind === "data") return this.#bytes.subarray(start, start + count);
    const end = start + count - 1;
    if (count === 0 || this.#bytes[end] !== 0) throw malformed("a text without its terminator");
    return TEXT.decode(this.#bytes.subarray(start, end));
  }

  #list(tagAt: number, bytes: number, { words, pointers: least, fields }: Layout): unknown[] {
    this.#claim(tagAt, 8 + bytes);
    const tag = this.#view.getUint32(tagAt, true);
    const { dataBytes, pointers } = this.#sizes(tagAt + 4);
    const size = dataBytes + pointers * 8;
    const count = tag >>> 2;
    if ((tag & 3) !== STRUCT || count * size > bytes) throw malformed("a list's tag");
    // No struct of ours is empty: elements without words would cost nothing and be counted by the hundred million.
    if (dataBytes < words * 8 || pointers < least) throw malformed("a list of structs that are too short");
    const list: unknown[] = [];
    for (let i = 0; i < count; i++) {
      list.push(this.struct({ at: tagAt + 8 + i * size, dataBytes, pointers }, fields, {}));
    }
    return list;
  }

  #claim(start: number, bytes: number): void {
    // Word 0 is the root pointer.
    if (start < 8 || start + bytes > this.#bytes.length)
      throw malformed("a pointer leads out of the message");
    this.#budget -= bytes;
    if (this.#budget < 0) throw new WireError("too-large", "a message visits more than it holds");
  }
}

function malformed(detail: string): WireError {
  return new WireError("malformed", detail);
}

/** With `ignoreBOM` a text keeps a mark that it begins with. */
const TEXT = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** The name that an enumerant stands for, where an unknown one can't be lived with. */
export function nameOf<N extends string>(names: readonly N[], number: number): N {
  const name = names[number];
  if (name === undefined) throw new WireError("bad-value", `${number} is none of ${names.join(", ")}`);
  return name;
}
