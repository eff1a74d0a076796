/**
 * What a boundary looks like from outside: every entity's fields as integers, sorted by id. The form
 * that replication compares, codes and interpolates. Built by `push` in id order, then left alone.
 */
export class QuantisedState {
  tick: number;
  count = 0;
  ids: Uint16Array;
  epochs: Uint32Array;
  /** Index of the archetype in the schema. */
  archetypes: Uint8Array;
  /** Seat, or 0. */
  owners: Uint16Array;
  /** Bit per fragment. */
  presence: Uint32Array;
  /** Teleports so far, modulo 256: nothing is interpolated between two that differ. */
  jumps: Uint8Array;
  /** Where an entity's values start in `values`. */
  offsets: Uint32Array;
  /** One per field of the archetype, 0 where the fragment is absent. */
  values: Int32Array;
  /** Values in use. */
  valueCount = 0;

  constructor(tick = 0, entityCapacity = 16, valueCapacity = 128) {
    this.tick = tick;
    this.ids = new Uint16Array(entityCapacity);
    this.epochs = new Uint32Array(entityCapacity);
    this.archetypes = new Uint8Array(entityCapacity);
    this.owners = new Uint16Array(entityCapacity);
    this.presence = new Uint32Array(entityCapacity);
    this.jumps = new Uint8Array(entityCapacity);
    this.offsets = new Uint32Array(entityCapacity);
    this.values = new Int32Array(valueCapacity);
  }

  static empty(tick = 0): QuantisedState {
    return new QuantisedState(tick);
  }

  /** Appends an entity whose values stand in `values` from `at` on; ids must grow. Returns its row. */
  push(
    id: number,
    epoch: number,
    archetype: number,
    owner: number,
    presence: number,
    values: ArrayLike<number>,
    at: number,
    length: number,
    jumps = 0,
  ): number {
    const offset = this.reserve(id, epoch, archetype, owner, presence, length, jumps);
    for (let i = 0; i < length; i++) this.values[offset + i] = values[at + i] as number;
    return this.count - 1;
  }

  /** Appends an entity with room for `length` values and returns where to write them. */
  reserve(
    id: number,
    epoch: number,
    archetype: number,
    owner: number,
    presence: number,
    length: number,
    jumps = 0,
  ): number {
    const row = this.count++;
    if (row >= this.ids.length) this.#growEntities();
    while (this.valueCount + length > this.values.length) this.values = grown(this.values);
    this.ids[row] = id;
    this.epochs[row] = epoch;
    this.archetypes[row] = archetype;
    this.owners[row] = owner;
    this.presence[row] = presence;
    this.jumps[row] = jumps;
    this.offsets[row] = this.valueCount;
    this.valueCount += length;
    return this.valueCount - length;
  }

  /** Row of an id, or -1. */
  find(id: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.ids[middle] as number;
      if (found === id) return middle;
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  #growEntities(): void {
    this.ids = grown(this.ids);
    this.epochs = grown(this.epochs);
    this.archetypes = grown(this.archetypes);
    this.owners = grown(this.owners);
    this.presence = grown(this.presence);
    this.jumps = grown(this.jumps);
    this.offsets = grown(this.offsets);
  }
}

function grown<A extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(array: A): A {
  const larger = new (array.constructor as new (length: number) => A)(array.length * 2);
  larger.set(array);
  return larger;
}
