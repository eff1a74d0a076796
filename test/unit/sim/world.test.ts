import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CommandOf,
  defineGame,
  fragment,
  held,
  num,
  quantiseCommand,
  RoomWorld,
  refId,
  type SeatId,
  type ShapeOf,
  SystemFault,
  World,
} from "../../../sim/index.ts";
import { everything } from "./games.ts";

type Everything = ShapeOf<typeof everything>;
type Commands = ReadonlyMap<SeatId, CommandOf<Everything>>;
const SEAT = 1 as SeatId;

const makeWorld = (seed = 7) => new RoomWorld(everything, seed);
const command = (values: Partial<CommandOf<Everything>>): Commands =>
  new Map([[SEAT, quantiseCommand<Everything>(everything.schema, values)]]);

/** What a random session does before each tick. */
const action = fc.record({
  moveX: fc.double({ min: -1, max: 1, noNaN: true }),
  fire: fc.boolean(),
  spawn: fc.constantFrom(undefined, "player" as const, "lift" as const, "bullet" as const),
  despawn: fc.option(fc.nat(20), { nil: undefined }),
  shield: fc.boolean(),
  stunned: fc.boolean(),
});
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

function play(world: RoomWorld<Everything>, actions: readonly Action[]): void {
  for (const { moveX, fire, spawn, despawn, shield, stunned } of actions) {
    if (spawn) world.spawn(spawn, {}, { owner: SEAT });
    if (despawn !== undefined) {
      const entity = world.byId(despawn);
      if (entity) world.despawn(entity);
    }
    for (const player of world.all("player")) {
      if (shield) player.attach("shield");
      else player.detach("shield");
      player.body.stunned = stunned;
    }
    world.step(command({ moveX, fire }));
  }
}

describe("World", () => {
  it("[T1] gives equal states for equal seeds and commands, and other ones for other seeds", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const [a, b] = [makeWorld(), makeWorld()];
        play(a, actions);
        play(b, actions);
        expect(a.hash()).toBe(b.hash());
        expect(makeWorld(8).hash()).not.toBe(makeWorld(7).hash());
      }),
      { numRuns: 50 },
    );
  });

  it("[T1][D3] goes on from a saved state exactly as the world that wrote it", () => {
    fc.assert(
      fc.property(
        fc.array(action, { maxLength: 30 }),
        fc.array(action, { maxLength: 30 }),
        (before, after) => {
          const original = makeWorld();
          play(original, before);
          const saved = original.save();
          const restored = makeWorld(99);
          play(restored, after.slice(0, 5));
          restored.restore(saved);
          expect(restored.save()).toEqual(saved);
          play(original, after);
          play(restored, after);
          expect(restored.save()).toEqual(original.save());
          expect(restored.tick).toBe(original.tick);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("[T1] restores thousands of entities bit for bit", () => {
    const world = makeWorld();
    for (let i = 0; i < 5000; i++) world.spawn("bullet", { transform: { x: i / 77, vx: -i } });
    world.step(new Map());
    const restored = makeWorld();
    restored.restore(world.save());
    expect(restored.save()).toEqual(world.save());
    expect(restored.count).toBe(5000);
  });

  it("[T1] refuses bytes that are no saved world of the game", () => {
    const world = makeWorld();
    world.spawn("player");
    world.step(new Map());
    const saved = world.save();
    for (let length = 0; length < saved.length; length += 1) {
      expect(() => makeWorld().restore(saved.slice(0, length))).toThrow(RangeError);
    }
    expect(() => makeWorld().restore(new Uint8Array([...saved, 0, 0, 0, 0]))).toThrow(RangeError);
  });

  it("[T1] keeps the room's stream out of predicted phases and out of clients", () => {
    const game = defineGame({
      name: "leak",
      version: 1,
      tickRate: 60,
      input: { go: held() },
      fragments: { body: fragment({ x: num({ step: 1 }) }) },
      archetypes: { player: { fragments: ["body"], predict: "owner" } },
      systems: { physics: [({ world }) => void world.random()] },
    });
    expect(() => new RoomWorld(game, 1).step(new Map())).toThrow(/room's own stream/);
    expect(() => new World(everything).random()).toThrow(/room's own stream/);
  });

  it("[T1] gives a seat's predicted stream the same numbers in the room and in the client", () => {
    const room = makeWorld();
    room.openSeatStream(SEAT);
    const ref = room.spawn("player", { body: { stunned: true } }, { owner: SEAT });
    room.step(new Map());
    const client = new World(everything);
    const row = room.rowOf(refId(ref));
    client.put(refId(ref), 1, row?.archetype ?? 0, SEAT, 3, row?.cells.slice(4) ?? new Uint32Array());
    client.setSeatRandomState(SEAT, room.seatRandomState(SEAT));
    for (let tick = 2; tick < 50; tick++) {
      const commands = command({ moveX: Math.sin(tick) });
      room.step(commands);
      client.predict(tick, commands);
      expect(client.rowOf(refId(ref))?.cells).toEqual(room.rowOf(refId(ref))?.cells);
      expect(client.seatRandomState(SEAT)).toBe(room.seatRandomState(SEAT));
    }
  });

  it("[T6] says in which tick, phase and system the game's code threw, and whose entity it had in hand", () => {
    const game = defineGame({
      name: "thrower",
      version: 1,
      tickRate: 60,
      input: { go: held() },
      fragments: { body: fragment({ x: num({ step: 1 }) }) },
      archetypes: { player: { fragments: ["body"] } },
      systems: {
        physics: [
          function explode({ driven }) {
            for (const { command, seat } of driven("player")) if (command.go) throw new Error(`boom ${seat}`);
          },
        ],
      },
    });
    const world = new RoomWorld(game, 1);
    for (const owner of [1, 2, 3] as SeatId[]) world.spawn("player", {}, { owner });
    const commands = new Map([1, 2, 3].map((seat) => [seat as SeatId, { go: seat === 2 }]));
    let fault: unknown;
    try {
      world.step(commands);
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(SystemFault);
    expect(fault).toMatchObject({ tick: 1, phase: "physics", system: "explode", seat: 2 });
  });

  it("keeps external entities on the wire's grid, so that prediction computes the room's exact pose", () => {
    const room = makeWorld();
    const ref = room.spawn("lift", { path: { offset: 0.3 } });
    const client = new World(everything);
    for (let tick = 1; tick < 60; tick++) {
      room.step(new Map());
      const state = room.quantise();
      if (tick === 1) client.putQuantised(state, state.find(refId(ref)));
      else client.predict(tick, new Map());
      expect(client.rowOf(refId(ref))?.cells).toEqual(room.rowOf(refId(ref))?.cells);
    }
  });

  it("refuses unknown fragments, fields and values at run time too", () => {
    const world = makeWorld();
    const loose = world as unknown as { spawn(archetype: string, init?: unknown): number };
    expect(() => loose.spawn("plane")).toThrow(/no archetype "plane"/);
    loose.spawn("player", { body: { mode: "crawl" } });
    expect(() => world.step(new Map())).toThrow(/can be walk, fly, swim, not crawl/);
    const other = makeWorld() as unknown as typeof loose & RoomWorld<Everything>;
    other.spawn("player", { body: { helth: 3 } });
    expect(() => other.step(new Map())).toThrow(/no field "helth"/);
  });
});
