import { describe, expect, it } from "vitest";
import {
  type CommandOf,
  defineGame,
  entityRef,
  fragment,
  num,
  quantiseCommand,
  RoomWorld,
  refId,
  type SeatId,
  type ShapeOf,
} from "../../../sim/index.ts";
import { everything } from "./games.ts";

type Everything = ShapeOf<typeof everything>;
const SEAT = 1 as SeatId;
const makeWorld = () => new RoomWorld(everything, 7);
const command = (values: Partial<CommandOf<Everything>>) =>
  new Map([[SEAT, quantiseCommand<Everything>(everything.schema, values)]]);

describe("phases and structural steps", () => {
  it("[T8] runs the phases in one order, gameplay never in prediction", () => {
    const ran: string[] = [];
    const note = (name: string) => () => void ran.push(name);
    const game = defineGame({
      name: "order",
      version: 1,
      tickRate: 60,
      input: {},
      fragments: { body: fragment({ x: num({ step: 1 }) }) },
      archetypes: { lift: { fragments: ["body"], external: true } },
      externals: { lift: note("externals") },
      systems: {
        gameplay: [note("gameplay")],
        postPhysics: [note("postPhysics")],
        physics: [note("physics")],
        prePhysics: [note("prePhysics")],
        input: [note("input 1"), note("input 2")],
      },
    });
    const world = new RoomWorld(game, 1);
    world.spawn("lift");
    world.step(new Map());
    const predicted = ["externals", "input 1", "input 2", "prePhysics", "physics", "postPhysics"];
    expect(ran.splice(0)).toEqual([...predicted, "gameplay"]);
    world.predict(2, new Map());
    expect(ran).toEqual(predicted);
  });

  it("[T8] lets spawns and despawns wait for the structural steps", () => {
    const seen: number[] = [];
    const game = defineGame({
      name: "structure",
      version: 1,
      tickRate: 60,
      input: {},
      fragments: { body: fragment({ x: num({ step: 1 }) }) },
      archetypes: { rock: { fragments: ["body"] } },
      systems: {
        physics: [
          ({ world, tick }) => {
            if (tick === 1) world.spawn("rock");
            if (tick === 3) for (const rock of world.all("rock")) world.despawn(rock);
            seen.push([...world.all("rock")].length);
          },
        ],
        gameplay: [({ world }) => void seen.push([...world.all("rock")].length)],
      },
    });
    const world = new RoomWorld(game, 1);
    const counts = [1, 2, 3, 4].map(() => {
      world.step(new Map());
      return world.count;
    });
    expect(seen).toEqual([0, 0, 1, 1, 1, 1, 0, 0]);
    expect(counts).toEqual([1, 1, 0, 0]);
  });

  it("[T8] skips the command of an entity that is about to go", () => {
    const world = makeWorld();
    const ref = world.spawn("player", {}, { owner: SEAT });
    world.step(new Map());
    const player = world.get(ref);
    if (!player) throw new Error("no player");
    world.despawn(player);
    const driven: number[] = [];
    const doomed = player.doomed;
    world.predict(2, command({ moveX: 1 }));
    for (const { transform } of world.all("player")) driven.push(transform.vx);
    expect([doomed, driven]).toEqual([true, [0]]);
  });

  it("[T8] drops a spawn that is despawned before it happened", () => {
    const world = makeWorld();
    world.despawn(world.spawn("bullet"));
    world.step(new Map());
    expect(world.count).toBe(0);
  });

  it("[R2] gives a recycled id a newer epoch, and an old reference no longer resolves", () => {
    const world = makeWorld();
    const first = world.spawn("bullet");
    world.step(new Map());
    world.despawn(first);
    world.step(new Map());
    const second = world.spawn("bullet");
    world.step(new Map());
    expect(refId(second)).toBe(refId(first));
    expect(second).toBe(entityRef(refId(first), 2));
    expect(world.get(first)).toBeUndefined();
    expect(world.get(second)?.epoch).toBe(2);
    world.despawn(first);
    world.step(new Map());
    expect(world.get(second)).toBeDefined();
  });

  it("tells a stale entity object that its entity is gone", () => {
    const world = makeWorld();
    const ref = world.spawn("bullet");
    world.step(new Map());
    const bullet = world.get(ref);
    world.despawn(ref);
    world.step(new Map());
    world.spawn("bullet");
    world.step(new Map());
    expect(bullet?.alive).toBe(false);
  });
});
