declare const brand: unique symbol;
type Branded<Name extends string> = number & { readonly [brand]: Name };

/** Number of a simulation step; tick 0 is the state before the first step. */
export type Tick = Branded<"Tick">;
/** Network id of an entity, 1 … 65,535; recycled, so only (id, epoch) names one entity. */
export type NetId = Branded<"NetId">;
/** Number of a seat, 1 … 65,535. */
export type SeatId = Branded<"SeatId">;
/** What a `ref()` field holds: network id and the low 16 bits of its epoch; 0 refers to nothing. */
export type EntityRef = Branded<"EntityRef">;

/** The reference to nothing. */
export const NO_ENTITY = 0 as EntityRef;

/** Packs an id and its epoch into the 32-bit form that fields and commands can hold. */
export function entityRef(id: number, epoch: number): EntityRef {
  return ((((epoch & 0xffff) << 16) | (id & 0xffff)) >>> 0) as EntityRef;
}

/** Network id of a reference. */
export function refId(ref: EntityRef): NetId {
  return (ref & 0xffff) as NetId;
}

/** Low 16 bits of a reference's epoch. */
export function refEpochLow(ref: EntityRef): number {
  return ref >>> 16;
}
