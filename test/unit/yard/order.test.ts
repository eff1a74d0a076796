import { expect, it } from "vitest";
import { CELL_PRESENCE, type EntityRow, HEADER_CELLS, RoomWorld, type SeatId } from "../../../sim/index.ts";
import { type Yard, yard } from "./yard.ts";

const SEAT = 1 as SeatId;

/** A walker in front of a pile of crates. */
function pile(): RoomWorld<Yard> {
  const world = new RoomWorld(yard, 5);
  for (let i = 0; i < 5; i++) {
    world.spawn("crate", { pose: { x: -15 + (i % 3) * 1.02, y: 0.5 + 1.01 * Math.floor(i / 3) } });
  }
  world.openSeatStream(SEAT);
  world.spawn("walker", { pose: { x: -17.5, y: 1 } }, { owner: SEAT });
  world.commitStructure();
  return world;
}

const idsOf = (world: RoomWorld<Yard>) => [...world.all("crate")].map(({ id }) => id);

/** Takes the crates out and puts them back, as islands do in a page: their rows are the other way round then. */
function turnRows(world: RoomWorld<Yard>): void {
  const crates = [...world.all("crate")].map(({ id, epoch }) => {
    const { archetype, cells } = world.rowOf(id) as EntityRow;
    return { id, epoch, archetype, cells: cells.slice() };
  });
  for (const { id } of crates) world.remove(id);
  for (const { id, epoch, archetype, cells } of crates) {
    world.put(id, epoch, archetype, 0, cells[CELL_PRESENCE] as number, cells.subarray(HEADER_CELLS));
  }
}

it("[P1] a step doesn't depend on the order of rows, which is another one in each page", () => {
  const [one, other] = [pile(), pile()];
  turnRows(other);
  expect(idsOf(other)).toEqual(idsOf(one).reverse());
  const states = (world: RoomWorld<Yard>) =>
    idsOf(world)
      .sort()
      .map((id) => world.rowOf(id)?.cells);
  expect(states(other)).toEqual(states(one));
  for (let tick = 0; tick < 240; tick++) {
    const commands = new Map([[SEAT, { move: 1, jump: tick % 40 === 0 }]]);
    one.step(commands);
    other.step(commands);
  }
  expect(states(other)).toEqual(states(one));
});
