import type { FieldPlace, Layout, PointerKind, UnionLayout } from "./layout.ts";

const HEADER_BYTES = 8;
const LIST = 1;
const BYTES = 2;
const COMPOSITE = 7;
const TEXT = /* @__PURE__ */ new TextEncoder();

/**
 * Writes an object as a framed message of one segment: the counterpart of `readMessage`. Numbers are cut to their
 * field's size; empty texts, data and lists are null pointers, which cost nothing.
 * @param contentBytes about how large the message will be; a good guess saves copying
 */
export function writeMessage<T extends object>(
  layout: Layout<T>,
  value: NoInfer<T>,
  contentBytes?: number,
): Uint8Array<ArrayBuffer>;
export function writeMessage<T extends { readonly type: string }>(
  layout: UnionLayout<T>,
  value: NoInfer<T>,
  contentBytes?: number,
): Uint8Array<ArrayBuffer>;
export function writeMessage(
  layout: Layout | UnionLayout,
  value: object,
  contentBytes = 256,
): Uint8Array<ArrayBuffer> {
  const writer = new Writer(HEADER_BYTES + 8 + contentBytes);
  return writer.message(layout, value as Readonly<Record<string, unknown>>);
}

class Writer {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #end = HEADER_BYTES;

  constructor(size: number) {
    this.#bytes = new Uint8Array((size + 7) & -8);
    this.#view = new DataView(this.#bytes.buffer);
  }

  message(layout: Layout | UnionLayout, value: Readonly<Record<string, unknown>>): Uint8Array<ArrayBuffer> {
    let { words, pointers } = layout;
    const root = this.#claim(1);
    let fields: readonly FieldPlace[];
    let [tagAt, which] = [0, 0];
    if ("members" in layout) {
      tagAt = layout.tagAt;
      which = layout.members.findIndex(([type]) => type === value.type);
      const member = layout.members[which];
      if (!member) throw new TypeError(`no message is of type ${String(value.type)}`);
      fields = member[1];
      // As long as this member needs: a reader takes what is left out for zero.
      [words, pointers] = [(tagAt + 9) >> 3, 0];
      for (const [, kind, offset] of fields) {
        if (typeof kind !== "number") pointers = Math.max(pointers, offset + 1);
        else words = Math.max(words, kind === 0 ? (offset >> 6) + 1 : (offset + kind + 7) >> 3);
      }
    } else fields = layout.fields;
    const at = this.#claim(words + pointers);
    this.#sizes(root + 4, words, pointers);
    if ("members" in layout) this.#view.setUint16(at + tagAt, which, true);
    this.#struct(at, words, fields, value);
    this.#view.setUint32(4, (this.#end - HEADER_BYTES) / 8, true);
    return this.#bytes.length === this.#end ? this.#bytes : this.#bytes.slice(0, this.#end);
  }

  #struct(
    at: number,
    words: number,
    fields: readonly FieldPlace[],
    value: Readonly<Record<string, unknown>>,
  ): void {
    for (const [name, kind, offset] of fields) {
      const field = value[name];
      if (typeof kind !== "number") this.#pointed(at + (words + offset) * 8, kind, field);
      else this.#plain(at, kind, offset, field);
    }
  }

  #plain(at: number, kind: FieldPlace[1], offset: number, value: unknown): void {
    switch (kind) {
      case 0:
        if (value) (this.#bytes[at + (offset >> 3)] as number) |= 1 << (offset & 7);
        return;
      case 1:
        this.#view.setUint8(at + offset, value as number);
        return;
      case 2:
        this.#view.setUint16(at + offset, value as number, true);
        return;
      case 4:
        this.#view.setUint32(at + offset, value as number, true);
        return;
      default:
        this.#view.setBigUint64(at + offset, value as bigint, true);
    }
  }

  #pointed(pointerAt: number, kind: PointerKind, value: unknown): void {
    if (typeof kind === "object") {
      this.#list(pointerAt, kind, value as readonly Readonly<Record<string, unknown>>[]);
      return;
    }
    const data = kind === "text" ? TEXT.encode(value as string) : (value as Uint8Array);
    if (data.length === 0) return;
    // A text ends with a zero.
    const length = data.length + (kind === "text" ? 1 : 0);
    const at = this.#claim((length + 7) >> 3);
    this.#bytes.set(data, at);
    this.#point(pointerAt, at, BYTES, length);
  }

  #list(
    pointerAt: number,
    { words, pointers, fields }: Layout,
    values: readonly Readonly<Record<string, unknown>>[],
  ): void {
    if (values.length === 0) return;
    const length = values.length * (words + pointers);
    const tagAt = this.#claim(1 + length);
    this.#point(pointerAt, tagAt, COMPOSITE, length);
    this.#view.setUint32(tagAt, values.length << 2, true);
    this.#sizes(tagAt + 4, words, pointers);
    let at = tagAt + 8;
    for (const value of values) {
      this.#struct(at, words, fields, value);
      at += (words + pointers) * 8;
    }
  }

  /** Sizes of a struct, in the upper half of its pointer or tag. */
  #sizes(at: number, words: number, pointers: number): void {
    this.#view.setUint16(at, words, true);
    this.#view.setUint16(at + 2, pointers, true);
  }

  #point(pointerAt: number, at: number, size: number, count: number): void {
    this.#view.setUint32(pointerAt, (((at - pointerAt) / 8 - 1) << 2) | LIST, true);
    this.#view.setUint32(pointerAt + 4, (count << 3) | size, true);
  }

  /** Room for words at the end, all zero. */
  #claim(words: number): number {
    const at = this.#end;
    this.#end += words * 8;
    if (this.#end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#end, 2 * this.#bytes.length));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }
}
