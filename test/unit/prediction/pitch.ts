import type { RoomHooks } from "../../../room/core/index.ts";
import {
  axis,
  defineGame,
  fragment,
  held,
  int,
  num,
  type SeatId,
  type ShapeOf,
  type System,
} from "../../../sim/index.ts";

const SPEED = 6;
const TOUCH = 0.8;
/** Whoever is nearer than this has the ball in their island, and keeps it until it is further than the second. */
const NEAR = 2.5;
const FAR = 4;

const pose = fragment({
  x: num({ step: 1 / 256, rate: "vx" }),
  y: num({ step: 1 / 256, rate: "vy" }),
  vx: num({ step: 1 / 64 }),
  vy: num({ step: 1 / 64 }),
});
const shape = {
  name: "pitch",
  version: 1,
  tickRate: 60,
  input: { moveX: axis(), moveY: axis(), blink: held() },
  fragments: { pose, touches: fragment({ count: int({ min: 0, max: 30_000 }) }) },
  archetypes: {
    player: { fragments: ["pose"], predict: "owner" },
    ball: { fragments: ["pose", "touches"], predict: "island" },
  },
  actions: {},
  events: {},
} as const;
type Context = Parameters<System<typeof shape>>[0];

function run({ driven, dt }: Context): void {
  for (const { entity, command } of driven("player")) {
    const { pose: own } = entity;
    own.vx += (command.moveX * SPEED - own.vx) * 0.25;
    own.vy += (command.moveY * SPEED - own.vy) * 0.25;
    own.x += own.vx * dt;
    own.y += own.vy * dt;
    if (!command.blink) continue;
    own.x += 1;
    entity.teleported();
  }
}

/** Whoever touches the ball pushes it out of their way; it rolls to a stop. */
function roll({ world, dt }: Context): void {
  for (const { pose: ball, touches } of world.all("ball")) {
    for (const { pose: own } of world.all("player")) {
      const [dx, dy] = [ball.x - own.x, ball.y - own.y];
      const apart = Math.hypot(dx, dy) || 1;
      if (apart >= TOUCH) continue;
      ball.vx = own.vx + (dx / apart) * 4;
      ball.vy = own.vy + (dy / apart) * 4;
      touches.count++;
    }
    ball.vx *= 0.985;
    ball.vy *= 0.985;
    ball.x += ball.vx * dt;
    ball.y += ball.vy * dt;
  }
}

/** The nearest player has the ball, if anybody is near. */
function assign({ world }: Context): void {
  for (const ball of world.all("ball")) {
    let nearest: { seat: SeatId | 0; apart: number } = { seat: 0, apart: NEAR };
    for (const player of world.all("player")) {
      const apart = Math.hypot(player.pose.x - ball.pose.x, player.pose.y - ball.pose.y);
      if (player.owner === ball.island && apart < FAR) nearest = { seat: ball.island, apart: 0 };
      else if (apart < nearest.apart) nearest = { seat: player.owner, apart };
    }
    ball.island = nearest.seat;
  }
}

/** A ball that whoever is near it predicts. */
export const pitch = defineGame({ ...shape, systems: { physics: [run, roll], gameplay: [assign] } });
/** The same, where tests say who has the ball. */
export const loosePitch = defineGame({ ...shape, name: "loose-pitch", systems: { physics: [run, roll] } });
export type Pitch = ShapeOf<typeof pitch>;

/** Players come in a row from the left, 8 apart; the ball lies at 0. */
export const pitchHooks: RoomHooks<Pitch> = {
  onCreate(room) {
    room.world.spawn("ball", {});
  },
  onJoin(seat) {
    seat.spawn("player", { pose: { x: -6, y: (seat.id - 1) * 8 } });
  },
};
