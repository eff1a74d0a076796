import type { RoomHooks } from "../../../room/core/index.ts";
import {
  axis,
  defineGame,
  flag,
  fragment,
  held,
  int,
  num,
  press,
  ref,
  type SeatId,
  type ShapeOf,
} from "../../../sim/index.ts";

/** Everything that makes reconciliation hard in one game: deaths, attached fragments, chance, and code that throws. */
export const mortal = defineGame({
  name: "mortal",
  version: 1,
  tickRate: 60,
  input: { moveX: axis(), moveY: axis(), sprint: held(), dash: press(), poison: press() },
  fragments: {
    transform: fragment({
      x: num({ step: 1 / 256, rate: "vx", tolerance: 0.05 }),
      y: num({ step: 1 / 256, rate: "vy", tolerance: 0.05 }),
      vx: num({ step: 1 / 64, tolerance: 0.5 }),
      vy: num({ step: 1 / 64, tolerance: 0.5 }),
    }),
    life: fragment({
      lives: int({ min: 0, max: 30_000 }),
      steps: int({ min: 0, max: 2_000_000_000 }),
      hurt: flag(),
    }),
    shield: fragment({ charge: int({ min: 0, max: 200, default: 120 }), giver: ref() }),
    grave: fragment({
      seat: int({ min: 0, max: 65_535 }),
      ticksLeft: int({ min: 0, max: 600 }),
      lives: int({ min: 0, max: 30_000 }),
    }),
  },
  archetypes: {
    player: { fragments: ["transform", "life"], optional: ["shield"], predict: "owner" },
    lift: { fragments: ["transform"], external: true },
    grave: { fragments: ["grave"] },
  },
  externals: {
    lift(entity, { tick }) {
      entity.transform.x = Math.sin(tick / 50) * 3;
      entity.transform.y = Math.cos(tick / 50) * 3;
    },
  },
  systems: {
    input: [
      function steer({ driven, random }) {
        for (const { entity, command } of driven("player")) {
          if (command.poison) throw new Error("poison");
          const { transform, life, shield } = entity;
          const speed = command.sprint ? 9 : 5;
          transform.vx += (command.moveX * speed - transform.vx) * 0.25;
          transform.vy += (command.moveY * speed - transform.vy) * 0.25;
          if (command.dash) transform.vx += (random(entity) - 0.5) * 20;
          if (command.moveX !== 0 || command.moveY !== 0) life.steps++;
          if (shield && shield.charge > 0) shield.charge--;
        }
      },
    ],
    physics: [
      function move({ world, dt }) {
        for (const { transform } of world.all("player")) {
          transform.x = Math.min(9, Math.max(-9, transform.x + transform.vx * dt));
          transform.y = Math.min(9, Math.max(-9, transform.y + transform.vy * dt));
          for (const { transform: lift } of world.all("lift")) {
            if (Math.hypot(transform.x - lift.x, transform.y - lift.y) < 1) transform.y = lift.y + 1;
          }
        }
      },
    ],
    gameplay: [
      function bury({ world, tick }) {
        for (const player of world.all("player")) {
          const walking = Math.hypot(player.transform.vx, player.transform.vy) > 1;
          if (walking && tick % 31 === 0 && world.random() < 0.3) {
            const { owner, life } = player;
            world.spawn("grave", { grave: { seat: owner, ticksLeft: 20, lives: life.lives + 1 } });
            world.despawn(player);
          } else if (walking && tick % 17 === 0 && world.random() < 0.3) {
            if (player.shield) player.detach("shield");
            else player.attach("shield", { giver: player.ref });
          }
        }
      },
      function raise({ world }) {
        for (const mound of world.all("grave")) {
          mound.grave.ticksLeft--;
          if (mound.grave.ticksLeft > 0) continue;
          const { seat, lives } = mound.grave;
          world.spawn("player", { transform: { x: 1, y: 2 }, life: { lives } }, { owner: seat as SeatId });
          world.despawn(mound);
        }
      },
    ],
  },
});

export type Mortal = ShapeOf<typeof mortal>;

export const mortalHooks: RoomHooks<Mortal> = {
  onCreate({ world, addBot }) {
    world.spawn("lift");
    addBot("wander", { name: "bot" }).spawn("player", { transform: { x: 4, y: 4 } });
  },
  onJoin(seat) {
    seat.spawn("player", { transform: { x: -seat.id, y: seat.id } });
  },
  onLeave(seat, { world }) {
    for (const { ref: mound, grave } of world.all("grave")) if (grave.seat === seat.id) world.despawn(mound);
  },
  bots: {
    wander: ({ tick, random }) => ({ moveX: Math.sin(tick / 20) * random(), moveY: Math.cos(tick / 20) }),
  },
};
