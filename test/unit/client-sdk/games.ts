import { angle, axis, defineGame, fragment, held, num, press, type ShapeOf } from "../../../sim/index.ts";

/** A line with a wall at 10: what the worked cases of the specification are played on. */
export const line = defineGame({
  name: "line",
  version: 1,
  tickRate: 60,
  input: { stride: held(), back: held(), leap: held() },
  fragments: { body: fragment({ x: num({ step: 1 / 256, tolerance: 0.05 }) }) },
  archetypes: { walker: { fragments: ["body"], predict: "owner" } },
  systems: {
    physics: [
      function walk({ driven }) {
        for (const { entity, command } of driven("walker")) {
          const step = (command.leap ? 5 : 0) + (command.stride ? 0.2 : 0) - (command.back ? 1 : 0);
          entity.body.x = Math.min(entity.body.x + step, 10);
        }
      },
    ],
  },
});

/** Free movement with momentum, a lift whose place follows from the tick, and luck of one's own. */
export const field = defineGame({
  name: "field",
  version: 1,
  tickRate: 60,
  input: { moveX: axis(), moveY: axis(), hop: press(), gamble: press() },
  fragments: {
    place: fragment({
      x: num({ step: 1 / 256, rate: "vx" }),
      y: num({ step: 1 / 256, rate: "vy" }),
      vx: num({ step: 1 / 64 }),
      vy: num({ step: 1 / 64 }),
      heading: angle(),
    }),
    luck: fragment({ won: num({ step: 1 }), hops: num({ step: 1 }) }),
    score: fragment({ points: num({ step: 1 }) }),
  },
  archetypes: {
    player: { fragments: ["place", "luck", "score"], predict: "owner", rollback: ["place", "luck"] },
    lift: { fragments: ["place"], external: true },
    spark: { fragments: ["place"] },
  },
  externals: {
    lift(entity, { tick }) {
      entity.place.x = 5 + Math.sin(tick / 30);
    },
  },
  systems: {
    input: [
      function steer({ driven, dt, random }) {
        for (const { entity, command } of driven("player")) {
          entity.place.vx += command.moveX * 30 * dt - entity.place.vx * 3 * dt;
          entity.place.vy += command.moveY * 30 * dt - entity.place.vy * 3 * dt;
          if (command.hop) entity.luck.hops += 1;
          if (command.gamble) entity.luck.won += Math.floor(random(entity) * 10);
        }
      },
    ],
    physics: [
      function move({ driven, dt, world }) {
        for (const { entity } of driven("player")) {
          entity.place.x += entity.place.vx * dt;
          entity.place.y += entity.place.vy * dt;
          // The lift carries whoever stands on it, as far above its middle as it is to the right of 5.
          for (const lift of world.all("lift")) {
            if (Math.abs(entity.place.y - 50) < 1) entity.place.y = 50 + (lift.place.x - 5) / 10;
          }
        }
      },
    ],
  },
});
export type Field = ShapeOf<typeof field>;
