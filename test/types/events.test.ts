import { describe, expectTypeOf, it } from "vitest";
import type { RoomEvents } from "../../client-sdk/index.ts";
import {
  axis,
  defineGame,
  type EventData,
  fragment,
  json,
  num,
  RoomWorld,
  type ShapeOf,
} from "../../sim/index.ts";

const game = defineGame({
  name: "types",
  version: 1,
  tickRate: 60,
  input: { move: axis() },
  fragments: { place: fragment({ x: num({ step: 1 }) }) },
  archetypes: { boat: { fragments: ["place"] } },
  events: { splash: json<{ readonly x: number }>(), horn: json<null>() },
});
type Types = ShapeOf<typeof game>;

describe("types of events", () => {
  it("[R9] are those of their declarations, in the room and in the page", () => {
    expectTypeOf<EventData<Types, "splash">>().toEqualTypeOf<{ readonly x: number }>();
    const world = new RoomWorld(game, 1);
    const used = (events: RoomEvents<Types>) => {
      world.emit("splash", { x: 1 });
      world.emit("horn", null);
      events.on("splash", ({ tick, data }) => expectTypeOf([tick, data.x]).toEqualTypeOf<number[]>());
      // @ts-expect-error a misspelt event
      world.emit("spalsh", { x: 1 });
      // @ts-expect-error other data than declared
      world.emit("splash", { y: 1 });
      // @ts-expect-error a misspelt event
      events.on("hron", String);
    };
    expectTypeOf(used).toBeFunction();
  });
});
