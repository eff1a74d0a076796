import type { ArchetypeName, CommandOf, Entity, GameShape, SystemContext } from "./definition.ts";
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

/** What the systems of one tick see. */
export function makeContext<S extends GameShape>(
  world: World<S>,
  structure: Structure,
  scalars: WorldScalars,
  tick: Tick,
  commands: ReadonlyMap<SeatId, CommandOf<S>>,
  replaying: boolean,
): SystemContext<S> & FaultTrail {
  const context: SystemContext<S> & FaultTrail = {
    tick,
    dt: world.game.dt,
    world,
    authority: world.role === "server",
    replaying,
    drivenSeat: undefined,
    *driven<N extends ArchetypeName<S>>(archetype: N) {
      const index = structure.archetypeIndex(archetype);
      const table = structure.tables[index] as Table;
      for (let row = 0; row < table.rowCount; row++) {
        const base = row * table.stride;
        if (table.u32[base + CELL_ID] === 0) continue;
        if ((table.u32[base + CELL_PRESENCE] as number) & DOOMED_BIT) continue;
        const seat = table.u32[base + CELL_OWNER] as SeatId;
        const command = commands.get(seat);
        if (!command) continue;
        context.drivenSeat = seat;
        yield { entity: structure.objectAt(index, row) as unknown as Entity<S, N>, command, seat };
      }
      context.drivenSeat = undefined;
    },
    random(entity) {
      const seat = entity.owner;
      if (seat === 0) throw new Error("context.random(entity) needs an entity with an owner");
      const state = advanceSeatRandom(scalars.seatRandom.get(seat) ?? 0);
      scalars.seatRandom.set(seat, state);
      return seatRandomValue(state);
    },
  };
  return context;
}
