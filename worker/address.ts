/** Where a room lives: its kind chooses the class, and the whole address is the object's name. */
export interface RoomAddress {
  readonly kind: string;
  /** `kind:name` */
  readonly room: string;
}

const ADDRESS = /^([a-z0-9][a-z0-9-]{0,31}):([a-z0-9][a-z0-9-]{0,62})$/;

/** Reads `kind:name`; undefined when it isn't one. */
export function parseAddress(text: string): RoomAddress | undefined {
  const [room, kind] = ADDRESS.exec(text) ?? [];
  return room === undefined || kind === undefined ? undefined : { kind, room };
}
