import {
  angle,
  axis,
  defineGame,
  flag,
  fragment,
  held,
  int,
  num,
  oneOf,
  press,
  ref,
} from "../../../sim/index.ts";

/** A game with every kind of field and control, and a system in every phase. */
export const everything = defineGame({
  name: "everything",
  version: 1,
  tickRate: 60,
  input: { moveX: axis(), aim: angle({ bits: 10 }), sprint: held(), fire: press() },
  fragments: {
    transform: fragment({
      x: num({ step: 1 / 64, min: -100, max: 100, rate: "vx" }),
      vx: num({ step: 1 / 16 }),
      heading: angle({ bits: 8 }),
    }),
    body: fragment({
      health: int({ min: -5, max: 100, default: 100 }),
      stunned: flag(),
      mode: oneOf(["walk", "fly", "swim"]),
      target: ref(),
    }),
    shield: fragment({ strength: int({ min: 0, max: 9, default: 9 }) }),
    path: fragment({ offset: num({ step: 0.25 }) }),
  },
  archetypes: {
    player: { fragments: ["transform", "body"], optional: ["shield"], predict: "owner" },
    lift: { fragments: ["transform", "path"], external: true },
    bullet: { fragments: ["transform"] },
  },
  externals: {
    lift(entity, { tick }) {
      entity.transform.x = entity.path.offset + Math.sin(tick / 7);
    },
  },
  systems: {
    input: [
      function steer({ driven }) {
        for (const { entity, command } of driven("player")) {
          entity.transform.vx = command.moveX * (command.sprint ? 8 : 4);
          entity.transform.heading = command.aim;
        }
      },
    ],
    physics: [
      function move({ world, dt }) {
        for (const { transform } of world.all("player")) transform.x += transform.vx * dt;
      },
    ],
    postPhysics: [
      function jitter(context) {
        for (const { entity } of context.driven("player")) {
          if (entity.body.stunned) entity.transform.x += context.random(entity) - 0.5;
        }
      },
    ],
    gameplay: [
      function shoot({ world, driven }) {
        for (const { entity, command } of driven("player")) {
          if (!command.fire) continue;
          world.spawn("bullet", { transform: { x: entity.transform.x, vx: world.random() } });
        }
        for (const bullet of world.all("bullet")) if (bullet.transform.x > 90) world.despawn(bullet);
      },
    ],
  },
});
