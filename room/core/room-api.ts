import { LIMITS } from "../../protocol/index.ts";
import type { GameShape, IslandMember, RoomWorld } from "../../sim/index.ts";
import { cleanName } from "./clean-name.ts";
import type { RoomApi, RoomHooks, Seat } from "./hooks.ts";
import { SeatHandle } from "./seat-handle.ts";
import type { SeatTable } from "./seat-table.ts";

export interface RoomParts<S extends GameShape> {
  readonly roomName: string;
  readonly world: RoomWorld<S>;
  readonly seats: SeatTable<S>;
  readonly hooks: RoomHooks<S>;
}

/** The room as callbacks see it. */
export function roomApi<S extends GameShape>({ roomName, world, seats, hooks }: RoomParts<S>): RoomApi<S> {
  return {
    name: roomName,
    world,
    seats: () =>
      [...seats.all()]
        .filter(({ state }) => state.at !== "leaving")
        .map((record): Seat<S> => new SeatHandle(record, world)),
    addBot(brain, { name }) {
      if (!hooks.bots?.[brain]) throw new TypeError(`the room has no bot brain "${brain}"`);
      if (seats.size >= LIMITS.seats) throw new RangeError(`a room has at most ${LIMITS.seats} seats`);
      const record = seats.add({
        name: cleanName(name),
        kind: "bot",
        secretHash: new Uint8Array(0),
        state: { at: "bot", brain },
      });
      world.openSeatStream(record.id);
      return new SeatHandle(record, world);
    },
    removeBot(seat) {
      if (seats.get(seat.id)?.kind !== "bot") throw new TypeError(`seat ${seat.id} is no bot's`);
      vacate(seat.id, world);
      seats.remove(seat.id);
    },
  };
}

/** Takes all that a seat owns out of the world, also its random stream. Nobody predicts its island any more. */
export function vacate<S extends GameShape>(seat: Seat<S>["id"], world: RoomWorld<S>): void {
  for (const id of world.predictedBy(seat)) {
    const entity = world.byId(id);
    if (entity && entity.owner !== seat) (entity as unknown as IslandMember).island = 0;
  }
  for (const entity of world.owned(seat)) world.despawn(entity);
  world.closeSeatStream(seat);
}
