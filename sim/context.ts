import type { ArchetypeName, CommandOf, Driven, Entity, GameShape, SystemContext } from "./definition.ts";
import type { SeatId, Tick } from "./ids.ts";
import { advanceSeatRandom, seatRandomValue } from "./random.ts";
import type { WorldScalars } from "./save.ts";
import { CELL_ID, CELL_OWNER, CELL_PRESENCE, DOOMED_BIT } from "./schema.ts";
import type { Structure } from "./structure.ts";
import type { Table } from "./table.ts";
import type { World } from "./world.ts";

/** Which seat's entity a system had in hand: the first suspect when it throws. */
export interface FaultTrail {
  drivenSeat: SeatId | undefined;
}

/** What the systems of a tick see. One object for all ticks of a world: a replay runs dozens of them in a frame. */
export class TickContext<S extends GameShape> implements SystemContext<S>, FaultTrail {
  tick = 0 as Tick;
  readonly dt: number;
  readonly world: World<S>;
  readonly authority: boolean;
  replaying = false;
  drivenSeat: SeatId | undefined;
  readonly driven: SystemContext<S>["driven"];
  readonly random: SystemContext<S>["random"];
  #commands: ReadonlyMap<SeatId, CommandOf<S>> = new Map();

  constructor(world: World<S>, structure: Structure, scalars: WorldScalars) {
    this.world = world;
    this.dt = world.game.dt;
    this.authority = world.role === "server";
    // Games take these out of the context, so they can't be methods.
    this.driven = (archetype) => this.#driven(structure, archetype);
    this.random = (entity) => {
      const seat = entity.owner;
      if (seat === 0) throw new Error("context.random(entity) needs an entity with an owner");
      const state = advanceSeatRandom(scalars.seatRandom.get(seat) ?? 0);
      scalars.seatRandom.set(seat, state);
      return seatRandomValue(state);
    };
  }

  /** The context of a tick that begins. */
  begin(tick: Tick, commands: ReadonlyMap<SeatId, CommandOf<S>>, replaying: boolean): this {
    this.tick = tick;
    this.#commands = commands;
    this.replaying = replaying;
    this.drivenSeat = undefined;
    return this;
  }

  *#driven<N extends ArchetypeName<S>>(structure: Structure, archetype: N): Generator<Driven<S, N>> {
    const index = structure.archetypeIndex(archetype);
    const table = structure.tables[index] as Table;
    for (let row = 0; row < table.rowCount; row++) {
      const base = row * table.stride;
      if (table.u32[base + CELL_ID] === 0) continue;
      if ((table.u32[base + CELL_PRESENCE] as number) & DOOMED_BIT) continue;
      const seat = table.u32[base + CELL_OWNER] as SeatId;
      const command = this.#commands.get(seat);
      if (!command) continue;
      this.drivenSeat = seat;
      yield { entity: structure.objectAt(index, row) as unknown as Entity<S, N>, command, seat };
    }
    this.drivenSeat = undefined;
  }
}
