import type { RoomHooks } from "../../../room/core/index.ts";
import {
  angle,
  axis,
  defineGame,
  fragment,
  held,
  int,
  num,
  press,
  type ShapeOf,
  type System,
} from "../../../sim/index.ts";

const SPEED = 6;
const WALL = 8;
const DASH_COOLDOWN = 20;

const transform = fragment({
  x: num({ step: 1 / 256, rate: "vx", tolerance: 0.05 }),
  y: num({ step: 1 / 256, rate: "vy", tolerance: 0.05 }),
  vx: num({ step: 1 / 64, tolerance: 0.5 }),
  vy: num({ step: 1 / 64, tolerance: 0.5 }),
  heading: angle(),
});
const legs = fragment({
  stamina: num({ step: 1 / 64, default: 1, tolerance: 0.05 }),
  cooldown: int({ min: 0, max: DASH_COOLDOWN }),
  dashes: int({ min: 0, max: 30_000 }),
  shoves: int({ min: 0, max: 30_000 }),
});
const shape = {
  name: "field",
  version: 1,
  tickRate: 60,
  input: { moveX: axis(), moveY: axis(), aim: angle({ bits: 10 }), sprint: held(), dash: press() },
  fragments: { transform, legs },
  archetypes: {
    player: { fragments: ["transform", "legs"], predict: "owner" },
    lift: { fragments: ["transform"], external: true },
  },
  actions: {},
  events: {},
} as const;

function steer({ driven, dt, random }: Parameters<System<typeof shape>>[0]): void {
  for (const { entity, command } of driven("player")) {
    const { transform: pose, legs: own } = entity;
    const sprinting = command.sprint && own.stamina > 0.1;
    own.stamina = Math.min(1, Math.max(0, own.stamina + (sprinting ? -0.6 : 0.3) * dt));
    const speed = SPEED * (sprinting ? 1.7 : 1);
    pose.vx += (command.moveX * speed - pose.vx) * 0.2;
    pose.vy += (command.moveY * speed - pose.vy) * 0.2;
    pose.heading = command.aim;
    own.cooldown = Math.max(0, own.cooldown - 1);
    if (!command.dash || own.cooldown > 0) continue;
    // A dash scatters by the seat's own random stream, so a stream that parts ways shows.
    const scatter = random(entity) - 0.5;
    pose.vx += Math.cos(pose.heading + scatter) * 12;
    pose.vy += Math.sin(pose.heading + scatter) * 12;
    own.cooldown = DASH_COOLDOWN;
    own.dashes++;
  }
}

function slide({ world, dt }: Parameters<System<typeof shape>>[0]): void {
  for (const { transform: pose } of world.all("player")) {
    pose.x = Math.min(WALL, Math.max(-WALL, pose.x + pose.vx * dt));
    pose.y = Math.min(WALL, Math.max(-WALL, pose.y + pose.vy * dt));
    for (const { transform: lift } of world.all("lift")) {
      if (Math.abs(pose.x - lift.x) < 1 && Math.abs(pose.y - lift.y) < 1) pose.y = lift.y + 1;
    }
  }
}

/**
 * What nobody can predict: now and then the room shoves somebody who walks. The count is compared exactly, so that
 * also a shove that ends within tolerance (against a wall) is corrected.
 */
function gust({ world, tick }: Parameters<System<typeof shape>>[0]): void {
  for (const { transform: pose, legs: own } of world.all("player")) {
    if (tick % 23 !== 0 || Math.hypot(pose.vx, pose.vy) < 1 || world.random() < 0.5) continue;
    pose.x += world.random() * 2 - 1;
    own.shoves++;
  }
}

function liftAt(entity: { readonly transform: { x: number; y: number } }, { tick }: { tick: number }): void {
  entity.transform.x = 3;
  entity.transform.y = Math.sin(tick / 40) * 4;
}

/** A flat field between four walls, where nothing moves but the players. */
export const field = defineGame({
  ...shape,
  externals: { lift: liftAt },
  systems: { input: [steer], physics: [slide] },
});

/** The same with shoves that prediction can't know of. */
export const windyField = defineGame({
  ...shape,
  name: "windy-field",
  externals: { lift: liftAt },
  systems: { input: [steer], physics: [slide], gameplay: [gust] },
});

export type Field = ShapeOf<typeof field>;

export const fieldHooks: RoomHooks<Field> = {
  onJoin(seat) {
    seat.spawn("player", { transform: { x: -seat.id, y: seat.id } });
  },
  bots: {
    circle: ({ tick }) => ({ moveX: Math.cos(tick / 30), moveY: Math.sin(tick / 30) }),
  },
};

/** With a lift that pushes players out of its way, and as many bots as asked for. */
export const busyHooks: RoomHooks<Field> = {
  ...fieldHooks,
  onCreate(room, options) {
    room.world.spawn("lift", {});
    const { bots = 0 } = options as { bots?: number };
    for (let i = 0; i < bots; i++) {
      room.addBot("circle", { name: `bot ${i + 1}` }).spawn("player", { transform: { x: i, y: -i } });
    }
  },
};
