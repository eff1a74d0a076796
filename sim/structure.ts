import type { EntityClass, EntityObject, FragmentValues } from "./entity.ts";
import { assignFragment } from "./entity.ts";
import type { NetId } from "./ids.ts";
import type { CompiledSchema } from "./schema.ts";
import { CELL_EPOCH, CELL_ID, CELL_OWNER, CELL_PRESENCE, DOOMED_BIT } from "./schema.ts";
import { Table } from "./table.ts";

/** The ids above it are for what clients spawn ahead of the room. */
const MAX_ID = 0xffff - 1024;

/** What spawned an entity: one action of one command, and which of those that it spawned it is, from 0. */
export interface EventIdentity {
  readonly session: number;
  readonly seq: number;
  readonly slot: number;
  readonly nth: number;
}

/** What an admission spawns. */
export interface SpawnRequest {
  readonly archetype: string;
  readonly owner: number;
  readonly init: PendingSpawn["init"];
}

interface PendingSpawn {
  readonly id: number;
  readonly archetype: number;
  readonly owner: number;
  readonly init: Readonly<Record<string, FragmentValues | undefined>>;
  readonly epoch: number;
  readonly event: EventIdentity | undefined;
}

/** A table's index, and a row of it. */
export interface Place {
  readonly table: number;
  readonly row: number;
}

export interface SpawnOrigin {
  readonly event: EventIdentity;
  readonly local: { readonly id: number; readonly epoch: number } | undefined;
}

/**
 * Which entities exist: tables, network ids with their epochs, and the spawns and despawns that wait
 * for the next structural step.
 */
export class Structure {
  readonly schema: CompiledSchema;
  readonly tables: readonly Table[];
  readonly #classes: readonly EntityClass[];
  /** Entity objects by table and row, made when first asked for. */
  #objects: (EntityObject | undefined)[][];
  /** Epoch per id; an id's first entity has epoch 1. Index 0 is unused. */
  epochs: number[] = [0];
  /** Ids free for reuse, oldest first, so that an id rests as long as possible. */
  freeIds: number[] = [];
  /** Where an id's entity is: table index and row. */
  readonly places = new Map<number, Place>();
  #spawns: PendingSpawn[] = [];
  #doomed: number[] = [];

  constructor(schema: CompiledSchema, classes: readonly EntityClass[]) {
    this.schema = schema;
    this.#classes = classes;
    this.tables = schema.archetypes.map((archetype) => new Table(archetype));
    this.#objects = this.tables.map(() => []);
  }

  /** @throws TypeError for a name that the game doesn't have */
  archetypeIndex(name: string): number {
    const index = this.schema.archetypes.findIndex((archetype) => archetype.name === name);
    if (index < 0) throw new TypeError(`there is no archetype "${name}"`);
    return index;
  }

  objectAt(table: number, row: number): EntityObject {
    const objects = this.#objects[table] as (EntityObject | undefined)[];
    const known = objects[row];
    if (known?.alive) return known;
    const made = new (this.#classes[table] as EntityClass)(this.tables[table] as Table, row);
    objects[row] = made;
    return made;
  }

  /** Asks for an entity; it exists from the next structural step on. Returns its id and epoch. */
  requestSpawn(
    archetype: number,
    owner: number,
    init: PendingSpawn["init"],
    origin?: SpawnOrigin,
  ): { readonly id: NetId; readonly epoch: number } {
    const event = origin?.event;
    if (event && !this.tables[archetype]?.archetype.predicted) {
      const name = this.tables[archetype]?.archetype.name;
      throw new TypeError(`an action can only spawn what its owner predicts, and "${name}" isn't`);
    }
    if (origin?.local) {
      const { id, epoch } = origin.local;
      this.#spawns.push({ id, epoch, archetype, owner, init, event });
      return { id: id as NetId, epoch };
    }
    const id = this.freeIds.shift() ?? this.epochs.length;
    if (id > MAX_ID) throw new RangeError(`a world holds at most ${MAX_ID} entities at a time`);
    const epoch = (this.epochs[id] ?? 0) + 1;
    this.epochs[id] = epoch;
    this.#spawns.push({ id, epoch, archetype, owner, init, event });
    return { id: id as NetId, epoch };
  }

  /** Marks an entity; it goes at the next structural step. Asking twice is asking once. */
  requestDespawn(id: number): void {
    const waiting = this.#spawns.findIndex((spawn) => spawn.id === id);
    if (waiting >= 0) {
      this.#spawns.splice(waiting, 1);
      if (id <= MAX_ID) this.freeIds.push(id);
      return;
    }
    const place = this.places.get(id);
    if (!place) return;
    const table = this.tables[place.table] as Table;
    const cell = place.row * table.stride + CELL_PRESENCE;
    if ((table.u32[cell] as number) & DOOMED_BIT) return;
    table.u32[cell] = (table.u32[cell] as number) | DOOMED_BIT;
    this.#doomed.push(id);
  }

  /**
   * The structural step: what was asked for happens now, removals first.
   * @param isPredicted only the part of it that a client predicts: what actions have spawned, and what became of that
   */
  commit(isPredicted: boolean): void {
    const [doomed, spawns] = [this.#doomed, this.#spawns];
    this.forgetRequests();
    for (const id of doomed) if (!isPredicted || this.#isSpawned(id)) this.remove(id, !isPredicted);
    for (const spawn of spawns) if (!isPredicted || spawn.event) this.#insert(spawn);
  }

  /** Spawns and despawns that were asked for don't happen. */
  forgetRequests(): void {
    this.#spawns = [];
    this.#doomed = [];
  }

  #isSpawned(id: number): boolean {
    const place = this.places.get(id);
    const { archetype, u32, stride } = (place && this.tables[place.table]) ?? {};
    if (!place || !archetype?.predicted || !u32 || !stride) return false;
    return u32[place.row * stride + archetype.tail + 1] !== 0;
  }

  #insert({ id, epoch, archetype, owner, init, event }: PendingSpawn): void {
    const required = this.schema.archetypes[archetype]?.requiredMask ?? 0;
    const entity = this.insert(id, epoch, archetype, owner, required);
    if (event) {
      const place = this.places.get(id);
      const { u32, stride, archetype: compiled } = this.tables[archetype] as Table;
      const tail = (place?.row ?? 0) * stride + compiled.tail;
      u32[tail] = (event.slot << 8) | (event.nth << 16);
      u32[tail + 1] = event.session;
      u32[tail + 2] = event.seq;
    }
    const attached = entity as unknown as { attach(fragment: string, values: FragmentValues): void };
    for (const [fragment, values] of Object.entries(init)) {
      if (values === undefined) continue;
      if (fragment in entity && (entity as unknown as Record<string, unknown>)[fragment] !== undefined) {
        assignFragment(entity, fragment, values);
      } else {
        attached.attach(fragment, values);
      }
    }
  }

  /** Puts an entity in at once, fields at their defaults. */
  insert(id: number, epoch: number, archetype: number, owner: number, presence: number): EntityObject {
    const table = this.tables[archetype] as Table;
    const row = table.take();
    const base = row * table.stride;
    table.u32[base + CELL_ID] = id;
    table.u32[base + CELL_EPOCH] = epoch;
    table.u32[base + CELL_OWNER] = owner;
    table.u32[base + CELL_PRESENCE] = presence;
    for (const field of table.archetype.fields) {
      if (presence & (1 << field.fragment)) table.u32[base + field.cell] = field.defaultCell;
    }
    this.places.set(id, { table: archetype, row });
    return this.objectAt(archetype, row);
  }

  /** Puts an entity in at once, or changes owner and presence of the one that is there. */
  upsert(id: number, epoch: number, archetype: number, owner: number, presence: number): void {
    const place = this.places.get(id);
    if (place) {
      const table = this.tables[place.table] as Table;
      const base = place.row * table.stride;
      if (place.table === archetype && table.u32[base + CELL_EPOCH] === epoch) {
        table.u32[base + CELL_OWNER] = owner;
        table.u32[base + CELL_PRESENCE] = presence;
        return;
      }
      this.remove(id, false);
    }
    this.insert(id, epoch, archetype, owner, presence);
  }

  /** Takes an entity out at once. `recycle` gives its id back for later entities of this world. */
  remove(id: number, recycle: boolean): void {
    const place = this.places.get(id);
    if (!place) return;
    this.places.delete(id);
    (this.tables[place.table] as Table).release(place.row);
    if (recycle) this.freeIds.push(id);
  }

  /** An entity has got another id. */
  moved(from: number, id: number): void {
    const place = this.places.get(from);
    this.places.delete(from);
    if (place) this.places.set(id, place);
  }
}
