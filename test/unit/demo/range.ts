import { type Arena, arena } from "../../../demo/game.ts";
import type { Point } from "../../../demo/geometry.ts";
import { rules } from "../../../demo/rules.ts";
import type { Entity } from "../../../sim/index.ts";
import { createHarness, type Harness, type HarnessOptions } from "../../harness/index.ts";

type Player = Entity<Arena, "player">;

/** In the lane along the rim: nothing but the walls beside it for 40 metres. */
export const LANE_Y = -12.2;

/** The arena with clients, the first at the first place and so on, and without bots. */
export function range(
  places: readonly Point[],
  options: Partial<HarnessOptions<Arena>> = {},
): Harness<Arena> {
  const harness = createHarness<Arena>({
    game: arena,
    hooks: {
      ...rules,
      onJoin(seat) {
        seat.spawn("player", { pose: places[seat.id - 1] ?? { x: 0, y: 0 }, look: { hue: 30 * seat.id } });
      },
    },
    clients: places.length,
    roomOptions: { bots: 0 },
    link: { latencyMs: 40 },
    ...options,
  });
  harness.untilJoined();
  // Queues and clocks find their pace.
  harness.advance(1500);
  return harness;
}

export function playerOf(harness: Harness<Arena>, client: number): Player {
  const { seat } = harness.client(client);
  for (const entity of harness.room.world.all("player")) if (entity.owner === seat) return entity;
  throw new Error(`client ${client} has no player`);
}
