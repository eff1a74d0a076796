import { defineGame, fragment, held, int, num, press, type ShapeOf } from "../../../sim/index.ts";

/**
 * A game for the room's tests: each command of `step` moves a player by one, `boom` throws, `luck` draws
 * from both random streams.
 */
export const mover = defineGame({
  name: "mover",
  version: 1,
  tickRate: 60,
  input: { step: held(), boom: press(), luck: press() },
  fragments: {
    place: fragment({ x: num({ step: 1 / 64 }), ticks: int({ min: 0, max: 1_000_000 }) }),
    fortune: fragment({ own: num({ step: 1e-6 }), room: num({ step: 1e-6 }) }),
    mark: fragment({ since: int({ min: 0, max: 1_000_000 }) }),
  },
  archetypes: {
    player: { fragments: ["place", "fortune"], optional: ["mark"], predict: "owner" },
    crate: { fragments: ["place"] },
  },
  missingInput: { rule: "hold", maxTicks: 2 },
  systems: {
    input: [
      function walk(context) {
        for (const { entity, command } of context.driven("player")) {
          if (command.boom) throw new Error("boom");
          if (command.step) entity.place.x += 1;
          entity.place.ticks += 1;
          if (command.luck) entity.fortune.own = context.random(entity);
        }
      },
    ],
    gameplay: [
      function rollDice({ world, driven }) {
        for (const { entity, command } of driven("player")) {
          if (command.luck) entity.fortune.room = world.random();
        }
      },
    ],
  },
});

export type Mover = ShapeOf<typeof mover>;
