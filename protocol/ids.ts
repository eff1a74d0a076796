import type { NetId, SeatId, Tick } from "../sim/index.ts";

declare const brand: unique symbol;
type Branded<Name extends string> = number & { readonly [brand]: Name };

/** Full number of a command within its input session, from 1. Never reused, never shortened outside a batch. */
export type Seq = Branded<"Seq">;
/** Number of a stream of commands of a seat, from 1, unique in its room. */
export type InputSession = Branded<"InputSession">;
/** How many times a room's memory was built, from 1. */
export type Incarnation = Branded<"Incarnation">;

const MAX_U16 = 0xffff;
const MAX_U32 = 0xffffffff;

// One door per kind of number. They guard our own callers, so they throw a RangeError and not a WireError.

export function asSeq(value: number): Seq {
  return checked(value, 1, MAX_U32, "sequence number") as Seq;
}

export function asInputSession(value: number): InputSession {
  return checked(value, 1, MAX_U32, "input session") as InputSession;
}

export function asIncarnation(value: number): Incarnation {
  return checked(value, 1, MAX_U32, "incarnation") as Incarnation;
}

export function asTick(value: number): Tick {
  return checked(value, 0, MAX_U32, "tick") as Tick;
}

export function asNetId(value: number): NetId {
  return checked(value, 1, MAX_U16, "network id") as NetId;
}

export function asSeatId(value: number): SeatId {
  return checked(value, 1, MAX_U16, "seat") as SeatId;
}

function checked(value: number, min: number, max: number, what: string): number {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${value} is not a ${what} (${min} … ${max})`);
  }
  return value;
}
