/** Where a field is: its name; its kind; its offset in bytes, in bits for a Bool, or its pointer's number. */
export type FieldPlace = readonly [name: string, kind: FieldKind, offset: number];

/** Bytes of an unsigned number, 0 for a Bool; what a pointer leads to; or the layout of a list's structs. */
export type FieldKind = 0 | 1 | 2 | 4 | 8 | "text" | "data" | Layout;

/** A struct of a schema: how large it is, and where its fields are. `T` is the object that it is read as. */
export interface Layout<T = unknown> {
  readonly words: number;
  readonly pointers: number;
  readonly fields: readonly FieldPlace[];
  /** What its pointers lead to, by number; undefined where no field of this version says so. */
  readonly targets: readonly (PointerKind | undefined)[];
  /** Only for the compiler. */
  readonly of?: T;
}

export type PointerKind = "text" | "data" | Layout;

/** A root struct that is one of several groups: `type` of the object names the group. */
export interface UnionLayout<T = unknown> {
  readonly words: number;
  readonly pointers: number;
  /** Byte offset of the tag. */
  readonly tagAt: number;
  readonly members: readonly (readonly [type: string, layout: Layout])[];
  readonly of?: T;
}

export function layout<T>(words: number, pointers: number, fields: readonly FieldPlace[]): Layout<T> {
  const targets: (PointerKind | undefined)[] = new Array(pointers).fill(undefined);
  for (const [, kind, offset] of fields) if (typeof kind !== "number") targets[offset] = kind;
  return { words, pointers, fields, targets };
}

export function unionLayout<T>(
  words: number,
  pointers: number,
  tagAt: number,
  members: readonly (readonly [string, readonly FieldPlace[]])[],
): UnionLayout<T> {
  return {
    words,
    pointers,
    tagAt,
    members: members.map(([type, fields]) => [type, layout(words, pointers, fields)]),
  };
}
