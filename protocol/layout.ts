/** Where a field is: its name; its kind; its offset in bytes, in bits for a Bool, or its pointer's number. */
export type FieldPlace = readonly [name: string, kind: FieldKind, offset: number];

/** Bytes of an unsigned number, 0 for a Bool; or what a pointer leads to. */
export type FieldKind = 0 | 1 | 2 | 4 | 8 | PointerKind;

/** Text, data, or a list of structs of a layout. */
export type PointerKind = "text" | "data" | Layout;

/** A struct of a schema: how large it is, and where its fields are. `T` is the object that it is read as. */
export interface Layout<T = unknown> {
  readonly words: number;
  readonly pointers: number;
  readonly fields: readonly FieldPlace[];
  /** Only for the compiler. */
  readonly of?: T;
}

/** A root struct that is one of several groups: `type` of the object names the group. */
export interface UnionLayout<T = unknown> {
  readonly words: number;
  readonly pointers: number;
  /** Byte offset of the tag. */
  readonly tagAt: number;
  readonly members: readonly (readonly [type: string, fields: readonly FieldPlace[]])[];
  readonly of?: T;
}
