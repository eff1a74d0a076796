import type { EntityRef, NetId, SeatId } from "./ids.ts";
import { entityRef } from "./ids.ts";
import { dequantise } from "./quantise.ts";
import type { CompiledArchetype, FlatField } from "./schema.ts";
import {
  CELL_EPOCH,
  CELL_ID,
  CELL_OWNER,
  CELL_PRESENCE,
  DOOMED_BIT,
  jumpsOf,
  predictorOf,
} from "./schema.ts";
import type { EventIdentity } from "./structure.ts";
import type { Table } from "./table.ts";

/** An entity as the engine sees it; game code sees the typed `Entity`. */
export interface EntityObject {
  readonly id: NetId;
  readonly epoch: number;
  readonly ref: EntityRef;
  readonly archetype: string;
  owner: SeatId | 0;
  island: SeatId | 0;
  readonly alive: boolean;
  readonly doomed: boolean;
  readonly row: number;
  readonly spawnedBy: EventIdentity | undefined;
  teleported(): void;
}

export type EntityClass = new (table: Table, row: number) => EntityObject;

/** Values for fragments' fields, as given to `spawn` and `attach`. */
export type FragmentValues = Readonly<Record<string, unknown>>;

abstract class FragmentAccess {
  readonly table: Table;
  readonly base: number;
  constructor(table: Table, base: number) {
    this.table = table;
    this.base = base;
  }
}

abstract class BaseEntity implements EntityObject {
  readonly table: Table;
  readonly row: number;
  readonly base: number;
  readonly id: NetId;
  readonly epoch: number;

  constructor(table: Table, row: number) {
    this.table = table;
    this.row = row;
    this.base = row * table.stride;
    this.id = table.u32[this.base + CELL_ID] as NetId;
    this.epoch = table.u32[this.base + CELL_EPOCH] as number;
  }

  get ref(): EntityRef {
    return entityRef(this.id, this.epoch);
  }

  get archetype(): string {
    return this.table.archetype.name;
  }

  get owner(): SeatId | 0 {
    return this.table.u32[this.base + CELL_OWNER] as SeatId | 0;
  }

  set owner(seat: SeatId | 0) {
    this.table.u32[this.base + CELL_OWNER] = seat;
    if (this.table.archetype.islands && seat !== 0 && seat !== this.island) this.#setIsland(0);
  }

  get island(): SeatId | 0 {
    return predictorOf(this.table.archetype, 0, this.#tail) as SeatId | 0;
  }

  set island(seat: SeatId | 0) {
    const { archetype, isPredicting } = this.table;
    if (!archetype.islands) throw new TypeError(`archetype "${archetype.name}" isn't predict: "island"`);
    if (isPredicting) {
      throw new Error("who belongs to an island is decided in the gameplay phase and in room hooks");
    }
    if (seat !== 0 && this.owner !== 0 && this.owner !== seat) {
      throw new RangeError(`an entity of seat ${this.owner} can't belong to the island of seat ${seat}`);
    }
    this.#setIsland(seat);
  }

  get spawnedBy(): EventIdentity | undefined {
    const { archetype, u32 } = this.table;
    const at = this.base + archetype.tail;
    const session = archetype.predicted ? (u32[at + 1] as number) : 0;
    if (session === 0) return undefined;
    const word = u32[at] as number;
    return { session, seq: u32[at + 2] as number, slot: (word >>> 8) & 0xff, nth: (word >>> 16) & 0xff };
  }

  teleported(): void {
    const tail = this.#tail;
    this.#tail = (tail & ~0xff) | ((tail + 1) & 0xff);
  }

  get #tail(): number {
    return this.table.u32[this.base + this.table.archetype.tail] as number;
  }

  set #tail(word: number) {
    this.table.u32[this.base + this.table.archetype.tail] = word;
  }

  #setIsland(seat: number): void {
    this.#tail = (seat << 8) | jumpsOf(this.#tail);
  }

  get alive(): boolean {
    const { u32 } = this.table;
    return u32[this.base + CELL_ID] === this.id && u32[this.base + CELL_EPOCH] === this.epoch;
  }

  get doomed(): boolean {
    return ((this.table.u32[this.base + CELL_PRESENCE] as number) & DOOMED_BIT) !== 0;
  }

  attach(fragment: string, init: FragmentValues = {}): void {
    const { archetype, u32 } = this.table;
    const position = optionalPosition(archetype, fragment);
    for (const field of archetype.fields) {
      if (field.fragment === position) u32[this.base + field.cell] = field.defaultCell;
    }
    setPresence(this.table, this.base, 1 << position, true);
    assignFragment(this, fragment, init);
  }

  detach(fragment: string): void {
    const { archetype, u32 } = this.table;
    const position = optionalPosition(archetype, fragment);
    for (const field of archetype.fields) if (field.fragment === position) u32[this.base + field.cell] = 0;
    setPresence(this.table, this.base, 1 << position, false);
  }
}

function optionalPosition(archetype: CompiledArchetype, fragment: string): number {
  const position = archetype.fragments.indexOf(fragment);
  if (position < 0 || !(archetype.optionalMask & (1 << position))) {
    throw new TypeError(`"${fragment}" is not an optional fragment of archetype "${archetype.name}"`);
  }
  return position;
}

function setPresence(table: Table, base: number, bit: number, present: boolean): void {
  const mask = table.u32[base + CELL_PRESENCE] as number;
  table.u32[base + CELL_PRESENCE] = present ? mask | bit : mask & ~bit;
}

/** Writes values into a fragment of an entity; an unknown field is an error, not a silent no-op. */
export function assignFragment(entity: EntityObject, fragment: string, values: FragmentValues): void {
  const target = (entity as unknown as Record<string, Record<string, unknown> | undefined>)[fragment];
  if (target === undefined) {
    throw new TypeError(`archetype "${entity.archetype}" has no fragment "${fragment}" on this entity`);
  }
  for (const [name, value] of Object.entries(values)) {
    if (!(name in target)) throw new TypeError(`fragment "${fragment}" has no field "${name}"`);
    if (value !== undefined) target[name] = value;
  }
}

/**
 * Makes the class of an archetype's entities: an accessor per field that reads and writes the cell.
 * Made once per definition, so that a room's systems see one shape and no proxies.
 */
export function makeEntityClass(archetype: CompiledArchetype): EntityClass {
  const accessors = archetype.fragments.map((_, position) =>
    makeFragmentClass(archetype.fields.filter((field) => field.fragment === position)),
  );
  class ArchetypeEntity extends BaseEntity {
    constructor(table: Table, row: number) {
      super(table, row);
      for (const [position, name] of archetype.fragments.entries()) {
        const access = new (accessors[position] as FragmentClass)(table, this.base);
        const optional = (archetype.optionalMask & (1 << position)) !== 0;
        if (optional) defineOptional(this, name, position, access);
        else (this as unknown as Record<string, FragmentAccess>)[name] = access;
      }
    }
  }
  return ArchetypeEntity;
}

function defineOptional(entity: BaseEntity, name: string, position: number, access: FragmentAccess): void {
  Object.defineProperty(entity, name, {
    enumerable: true,
    get: () =>
      ((entity.table.u32[entity.base + CELL_PRESENCE] as number) & (1 << position)) !== 0
        ? access
        : undefined,
  });
}

type FragmentClass = new (table: Table, base: number) => FragmentAccess;

function makeFragmentClass(fields: readonly FlatField[]): FragmentClass {
  class Access extends FragmentAccess {}
  for (const field of fields) {
    Object.defineProperty(Access.prototype, field.name, { enumerable: true, ...accessor(field) });
  }
  return Access;
}

function accessor(field: FlatField): PropertyDescriptor & ThisType<FragmentAccess> {
  const { cell } = field;
  switch (field.kind) {
    case "num":
    case "angle":
      return {
        get() {
          return this.table.f32[this.base + cell];
        },
        set(value: number) {
          this.table.f32[this.base + cell] = value;
        },
      };
    case "int":
      return {
        get() {
          return this.table.i32[this.base + cell];
        },
        // Clamped here, so that what the room computes with is what everybody else can be told.
        set(value: number) {
          this.table.i32[this.base + cell] = Math.min(Math.max(Math.round(value), field.lo), field.hi);
        },
      };
    case "flag":
      return {
        get() {
          return this.table.u32[this.base + cell] === 1;
        },
        set(value: boolean) {
          this.table.u32[this.base + cell] = value ? 1 : 0;
        },
      };
    case "oneOf":
      return {
        get() {
          return field.values[this.table.u32[this.base + cell] as number];
        },
        set(value: string) {
          const index = field.values.indexOf(value);
          if (index < 0) {
            throw new TypeError(`${field.path} can be ${field.values.join(", ")}, not ${String(value)}`);
          }
          this.table.u32[this.base + cell] = index;
        },
      };
    case "ref":
      return {
        get() {
          return this.table.u32[this.base + cell];
        },
        set(value: number) {
          this.table.u32[this.base + cell] = value;
        },
      };
  }
}

/** The cell (uint32 bits) that a quantised value stands for. */
export function cellOfQuanta(field: FlatField, quanta: number, scratch: Float32Array): number {
  if (field.kind !== "num" && field.kind !== "angle") return quanta >>> 0;
  scratch[0] = dequantise(field, quanta);
  return new Uint32Array(scratch.buffer, scratch.byteOffset, 1)[0] as number;
}
