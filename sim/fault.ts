import type { Phase } from "./definition.ts";
import type { SeatId } from "./ids.ts";

interface FaultPlace {
  readonly tick: number;
  readonly phase: Phase | "externals";
  /** Name of the function that threw, or its position in the phase. */
  readonly system: string;
  /** Seat whose entity the system had in hand, if it was iterating `driven`. */
  readonly seat: SeatId | undefined;
}

/** The game's code threw. Carries where, so that the room can log it and find the command at fault. */
export class SystemFault extends Error {
  readonly tick: number;
  readonly phase: FaultPlace["phase"];
  readonly system: string;
  readonly seat: SeatId | undefined;

  constructor(where: FaultPlace, options: { cause: unknown }) {
    const { cause } = options;
    const what = cause instanceof Error ? cause.message : String(cause);
    super(`tick ${where.tick}, ${where.phase} system ${where.system} threw: ${what}`, options);
    this.name = "SystemFault";
    this.tick = where.tick;
    this.phase = where.phase;
    this.system = where.system;
    this.seat = where.seat;
  }
}
