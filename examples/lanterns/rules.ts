import type { RoomHooks } from "tickroom/room";
import type { ShapeOf } from "tickroom/sim";
import { FIELD, type lanterns } from "./game.ts";

export const rules: RoomHooks<ShapeOf<typeof lanterns>> = {
  // Once in the life of a room.
  onCreate({ world }) {
    for (const x of [80, 240, 400, 560]) world.spawn("lantern", { place: { x, y: 20 } });
  },
  onJoin(seat) {
    seat.spawn("walker", { body: { x: 240, y: FIELD.height / 2 } });
  },
};
