import type { RoomHooks } from "../../../room/core/index.ts";
import {
  action,
  axis,
  defineGame,
  fragment,
  int,
  num,
  press,
  type ShapeOf,
  type System,
} from "../../../sim/index.ts";

const pose = fragment({
  x: num({ step: 1 / 256, rate: "vx" }),
  vx: num({ step: 1 / 64 }),
});
const shape = {
  name: "yard",
  version: 1,
  tickRate: 60,
  input: { moveX: axis(), hop: press() },
  fragments: {
    pose,
    count: fragment({ hops: int({ min: 0, max: 30_000 }), shots: int({ min: 0, max: 30_000 }) }),
    flight: fragment({ left: int({ min: 0, max: 60 }) }),
  },
  archetypes: {
    player: { fragments: ["pose", "count"], predict: "owner" },
    ball: { fragments: ["pose"], predict: "island" },
    cart: { fragments: ["pose"], external: "history" },
    stone: { fragments: ["pose", "flight"], predict: "owner" },
  },
  actions: { throw: action({ params: { high: axis() } }) },
  events: {},
} as const;
type Context = Parameters<System<typeof shape>>[0];

function walk({ driven, world, dt, random }: Context): void {
  for (const { entity, command } of driven("player")) {
    const { pose: own, count } = entity;
    own.vx += (command.moveX * 5 - own.vx) * 0.3;
    own.x = Math.min(20, Math.max(-20, own.x + own.vx * dt));
    if (command.hop) {
      count.hops++;
      own.x += random(entity) - 0.5;
    }
    // Carts bump whoever stands in their way, by whole metres: no rounding on the wire reaches the player.
    for (const cart of world.all("cart")) {
      if (Math.abs(cart.pose.x - own.x) < 0.5) own.x = Math.round(own.x) + (cart.pose.vx < 0 ? -1 : 1);
    }
  }
}

function roll({ world, dt }: Context): void {
  for (const { pose: ball } of world.all("ball")) {
    for (const { pose: own } of world.all("player")) {
      if (Math.abs(ball.x - own.x) < 0.6) ball.vx = own.vx * 1.5;
    }
    ball.vx *= 0.97;
    ball.x = Math.min(20, Math.max(-20, ball.x + ball.vx * dt));
  }
}

function fly({ world, dt }: Context): void {
  for (const stone of world.all("stone")) {
    stone.pose.x += stone.pose.vx * dt;
    stone.flight.left--;
    if (stone.flight.left <= 0) world.despawn(stone);
  }
}

function drive({ world, dt, tick }: Context): void {
  for (const { pose: cart } of world.all("cart")) {
    cart.x += cart.vx * dt;
    if (Math.abs(cart.x) > 15) cart.vx = -Math.sign(cart.x) * 2;
    // Nobody can foresee it.
    if (tick % 97 === 0 && world.random() < 0.3) cart.vx = -cart.vx;
  }
}

function assign({ world }: Context): void {
  for (const ball of world.all("ball")) {
    const near = [...world.all("player")].find(({ pose: own }) => Math.abs(own.x - ball.pose.x) < 2.5);
    ball.island = near?.owner ?? 0;
  }
}

/** Everything that prediction can have to do with at once: a ball, a cart, thrown stones. */
export const yard = defineGame({
  ...shape,
  actionRules: {
    throw: {
      admit({ entity, params, spawn, effect, authority, tick }) {
        if (entity.archetype !== "player") return { reject: "no-player" };
        entity.count.shots++;
        effect("whoosh");
        const vx = params.high > 0 ? 4 : 8;
        spawn("stone", { pose: { x: entity.pose.x, vx }, flight: { left: 40 } });
        // Only the room knows that this one slips.
        if (authority && tick % 5 === 0) return { reject: "slipped" };
        return { admit: null };
      },
    },
  },
  systems: { physics: [walk, roll, fly], gameplay: [drive, assign] },
});
export type Yard = ShapeOf<typeof yard>;

export const yardHooks: RoomHooks<Yard> = {
  onCreate(room) {
    room.world.spawn("ball", { pose: { x: 3 } });
    room.world.spawn("cart", { pose: { x: -8, vx: 2 } });
  },
  onJoin(seat) {
    seat.spawn("player", { pose: { x: -seat.id } });
  },
};
