import { yard } from "../../../demo/yard/game.ts";
import { BALLS, CRATES, LIFTS } from "../../../demo/yard/level.ts";
import { RoomWorld, type SeatId } from "../../../sim/index.ts";

/** What 600 ticks of a scripted walk through balls and crates come to, in every engine that runs WebAssembly. */
export const GOLDEN_HASH = 9210171649984138059n;

const SEAT = 1 as SeatId;

/** The walk. `startRapier` must have been called. */
export function walkedHash(): bigint {
  const world = new RoomWorld(yard, 5);
  for (const init of LIFTS) world.spawn("lift", init);
  for (const init of BALLS) world.spawn("ball", init);
  for (const init of CRATES) world.spawn("crate", init);
  world.openSeatStream(SEAT);
  world.spawn("walker", { pose: { x: -17, y: 1 } }, { owner: SEAT });
  for (let tick = 0; tick < 600; tick++) {
    const move = tick % 150 < 25 ? -1 : 1;
    world.step(new Map([[SEAT, { move, jump: tick % 40 === 0 }]]));
  }
  return world.hash();
}
