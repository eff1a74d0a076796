import type { Structure } from "./structure.ts";
import type { Table } from "./table.ts";

/** The parts of a world's state that aren't rows. */
export interface WorldScalars {
  tick: number;
  roomRandom: Uint32Array;
  seatRandom: Map<number, number>;
}

/**
 * A world as 32-bit words: tick; room stream (4); seat streams (count, then seat and state each);
 * epochs (count, then one per id from 1); free ids (count, then each); per archetype in schema order:
 * rows in words (count), free rows (count, then each), rows. Little endian on every supported platform.
 */
export function saveWords(structure: Structure, scalars: WorldScalars): Uint32Array {
  const seats = [...scalars.seatRandom].flat();
  let length = 8 + seats.length + structure.epochs.length + structure.freeIds.length;
  for (const table of structure.tables) length += 2 + table.freeRows.length + usedWords(table).length;
  const words = new Uint32Array(length);
  let at = 0;
  const put = (values: ArrayLike<number>) => {
    words.set(values, at);
    at += values.length;
  };
  put([scalars.tick]);
  put(scalars.roomRandom);
  put([scalars.seatRandom.size]);
  put(seats);
  put([structure.epochs.length - 1]);
  put(structure.epochs.slice(1));
  put([structure.freeIds.length]);
  put(structure.freeIds);
  for (const table of structure.tables) {
    const used = usedWords(table);
    put([used.length, table.freeRows.length]);
    put(table.freeRows);
    put(used);
  }
  return words.subarray(0, at);
}

/**
 * Puts saved words back.
 * @throws RangeError when they aren't a saved world of this schema; the world is then unusable.
 */
export function restoreWords(words: Uint32Array, structure: Structure, scalars: WorldScalars): void {
  let at = 0;
  const take = (count: number): Uint32Array => {
    if (at + count > words.length) throw new RangeError("a saved world ends early");
    at += count;
    return words.subarray(at - count, at);
  };
  const one = () => take(1)[0] as number;
  scalars.tick = one();
  scalars.roomRandom = take(4).slice();
  const seats = take(one() * 2);
  scalars.seatRandom = new Map();
  for (let i = 0; i < seats.length; i += 2) {
    scalars.seatRandom.set(seats[i] as number, seats[i + 1] as number);
  }
  structure.epochs = [0, ...take(one())];
  structure.freeIds = [...take(one())];
  for (const table of structure.tables) {
    const [length, free] = [one(), one()];
    if (length % table.stride !== 0) {
      throw new RangeError(`saved rows of "${table.archetype.name}" don't fit its fields`);
    }
    const freeRows = [...take(free)];
    load(table, take(length), freeRows);
  }
  if (at !== words.length) throw new RangeError("a saved world is longer than its schema allows");
  findPlaces(structure);
}

/** The rows in use, as one run of words. */
function usedWords({ u32, rowCount, stride }: Table): Uint32Array {
  return u32.subarray(0, rowCount * stride);
}

/** Replaces all rows by saved ones. */
function load(table: Table, words: Uint32Array, freeRows: number[]): void {
  table.rowCount = words.length / table.stride;
  table.freeRows = freeRows;
  table.reserve(table.rowCount);
  table.u32.fill(0);
  table.u32.set(words);
}

/** Forgets waiting requests, and finds every id's place again. */
function findPlaces(structure: Structure): void {
  structure.forgetRequests();
  structure.places.clear();
  for (const [index, table] of structure.tables.entries()) {
    for (let row = 0; row < table.rowCount; row++) {
      const id = table.idAt(row);
      if (id !== 0) structure.places.set(id, { table: index, row });
    }
  }
}
