import { angle, axis, defineGame, fragment, held, int, num } from "../../sim/index.ts";

const WORLD_SIZE = 2048;
const MAX_SPEED = 220;

const within = (value: number) => Math.min(Math.max(value, 0), WORLD_SIZE);

/** The workload that every system of `bench -- room` serves: each player brings one prop along. */
export const loadGame = defineGame({
  name: "live-bench",
  version: 1,
  tickRate: 60,
  input: { x: axis(), y: axis(), a: held(), b: held(), c: held(), d: held() },
  fragments: {
    body: fragment({
      x: num({ step: 1 / 32, min: 0, max: WORLD_SIZE, rate: "vx" }),
      y: num({ step: 1 / 32, min: 0, max: WORLD_SIZE, rate: "vy" }),
      vx: num({ step: 2, min: -256, max: 256 }),
      vy: num({ step: 2, min: -256, max: 256 }),
      heading: angle({ bits: 8 }),
      health: int({ min: 0, max: 100 }),
    }),
  },
  archetypes: {
    player: { fragments: ["body"], predict: "owner", snapDistance: 100 },
    prop: { fragments: ["body"] },
  },
  systems: {
    physics: [
      function steer({ driven, dt }) {
        for (const { entity, command } of driven("player")) {
          const { body } = entity;
          body.vx = command.x * MAX_SPEED;
          body.vy = command.y * MAX_SPEED;
          body.x = within(body.x + body.vx * dt);
          body.y = within(body.y + body.vy * dt);
        }
      },
    ],
    gameplay: [
      function drift({ world, dt }) {
        for (const { body } of world.all("prop")) {
          const chance = world.random();
          if (chance < 1 / 84) {
            body.vx = 0;
            body.vy = 0;
          } else if (chance < 1 / 42) {
            body.vx = (world.random() - 0.5) * 2 * MAX_SPEED;
            body.vy = (world.random() - 0.5) * 2 * MAX_SPEED;
          }
          if (body.x <= 0 || body.x >= WORLD_SIZE) body.vx = -body.vx;
          if (body.y <= 0 || body.y >= WORLD_SIZE) body.vy = -body.vy;
          body.x = within(body.x + body.vx * dt);
          body.y = within(body.y + body.vy * dt);
        }
      },
    ],
  },
});
