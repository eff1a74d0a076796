import { describe, expectTypeOf, it } from "vitest";
import {
  angle,
  axis,
  type CommandOf,
  defineGame,
  type Entity,
  type EntityRef,
  flag,
  fragment,
  held,
  int,
  num,
  oneOf,
  press,
  RoomWorld,
  ref,
  type ShapeOf,
  type System,
} from "../../sim/index.ts";

const game = defineGame({
  name: "types",
  version: 1,
  tickRate: 60,
  input: { moveX: axis(), aim: angle(), sprint: held(), fire: press() },
  fragments: {
    transform: fragment({
      x: num({ step: 0.01, rate: "vx" }),
      vx: num({ step: 0.1 }),
      heading: angle(),
    }),
    body: fragment({
      health: int({ min: 0, max: 100 }),
      alive: flag(),
      mode: oneOf(["walk", "fly"]),
      on: ref(),
    }),
    shield: fragment({ strength: int({ min: 0, max: 3 }) }),
    path: fragment({ phase: num({ step: 0.5 }) }),
  },
  archetypes: {
    player: {
      fragments: ["transform", "body"],
      optional: ["shield"],
      predict: "owner",
      rollback: ["transform"],
    },
    door: { fragments: ["transform", "path"], external: true },
  },
  externals: {
    door(entity, { tick }) {
      expectTypeOf(entity.path.phase).toEqualTypeOf<number>();
      entity.transform.x = Math.sin(tick);
      // @ts-expect-error a door has no body
      entity.body.health = 1;
    },
  },
  systems: {
    input: [
      function steer({ driven, dt }) {
        for (const { entity, command } of driven("player")) {
          entity.transform.vx = command.moveX;
          entity.transform.x += entity.transform.vx * dt;
          // @ts-expect-error a misspelt field
          entity.transform.xx = 1;
          // @ts-expect-error a misspelt fragment
          entity.transfrom.x = 1;
          // @ts-expect-error a misspelt control
          command.moveZ;
          // @ts-expect-error a value outside the enumeration
          entity.body.mode = "swim";
          // @ts-expect-error an optional fragment may be absent
          entity.shield.strength = 1;
        }
        // @ts-expect-error a misspelt archetype
        driven("palyer");
      },
    ],
  },
});
type Types = ShapeOf<typeof game>;

describe("types of a definition", () => {
  it("gives commands and entities the types of their declarations", () => {
    expectTypeOf<CommandOf<Types>>().toEqualTypeOf<{
      readonly moveX: number;
      readonly aim: number;
      readonly sprint: boolean;
      readonly fire: boolean;
    }>();
    type Player = Entity<Types, "player">;
    expectTypeOf<Player["body"]["mode"]>().toEqualTypeOf<"walk" | "fly">();
    expectTypeOf<Player["body"]["alive"]>().toEqualTypeOf<boolean>();
    expectTypeOf<Player["body"]["on"]>().toEqualTypeOf<EntityRef>();
    expectTypeOf<Player["shield"]>().toEqualTypeOf<{ strength: number } | undefined>();
    expectTypeOf<Player["archetype"]>().toEqualTypeOf<"player">();
  });

  it("lets a system live in a file of its own", () => {
    const system: System<Types> = ({ world }) => {
      for (const door of world.all("door")) expectTypeOf(door.path.phase).toEqualTypeOf<number>();
    };
    expectTypeOf(system).toBeFunction();
  });

  it("refuses misspelt names where entities are made", () => {
    const world = new RoomWorld(game, 1);
    world.spawn("player", { transform: { x: 1 }, body: { mode: "fly" } });
    const refused = () => {
      // @ts-expect-error a misspelt archetype
      world.spawn("plyer");
      // @ts-expect-error a misspelt field
      world.spawn("player", { transform: { z: 1 } });
      // @ts-expect-error a fragment of another archetype
      world.spawn("player", { path: { phase: 1 } });
      // @ts-expect-error a required fragment can't be detached
      for (const player of world.all("player")) player.detach("body");
    };
    expectTypeOf(refused).toBeFunction();
  });

  it("refuses misspelt names in the definition itself", () => {
    const refused = () => {
      // @ts-expect-error the rate names no field of the fragment
      fragment({ x: num({ step: 1, rate: "vy" }), vx: num({ step: 1 }) });
      // @ts-expect-error the default is none of the values
      oneOf(["a", "b"], { default: "c" });
      defineGame({
        name: "bad",
        version: 1,
        tickRate: 60,
        input: {},
        fragments: { transform: fragment({ x: num({ step: 1 }) }) },
        // @ts-expect-error a misspelt fragment
        archetypes: { rock: { fragments: ["transfrom"] } },
      });
    };
    expectTypeOf(refused).toBeFunction();
  });
});
