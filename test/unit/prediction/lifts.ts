import type { RoomHooks } from "../../../room/core/index.ts";
import {
  axis,
  defineGame,
  flag,
  fragment,
  held,
  int,
  num,
  type ShapeOf,
  type System,
} from "../../../sim/index.ts";

const GRAVITY = 20;
const HALF_WIDTH = 2;

const pose = fragment({
  x: num({ step: 1 / 256, rate: "vx" }),
  y: num({ step: 1 / 256, rate: "vy" }),
  vx: num({ step: 1 / 64 }),
  vy: num({ step: 1 / 64 }),
});
const shape = {
  name: "lifts",
  version: 1,
  tickRate: 60,
  input: { moveX: axis(), jump: held() },
  fragments: {
    pose,
    legs: fragment({ grounded: flag(), hops: int({ min: 0, max: 30_000 }) }),
    track: fragment({ offset: int({ min: 0, max: 10_000 }) }),
  },
  archetypes: {
    player: { fragments: ["pose", "legs"], predict: "owner" },
    lift: { fragments: ["pose", "track"], external: true },
    cart: { fragments: ["pose"], external: "history" },
  },
  actions: {},
  events: {},
} as const;
type Context = Parameters<System<typeof shape>>[0];

function move({ driven, world, dt }: Context): void {
  for (const { entity, command } of driven("player")) {
    const { pose: own, legs } = entity;
    if (command.jump && legs.grounded) {
      own.vy = 7;
      legs.hops++;
    }
    own.vx = command.moveX * 4;
    own.vy -= GRAVITY * dt;
    own.x += own.vx * dt;
    own.y += own.vy * dt;
    legs.grounded = own.y <= 0;
    if (legs.grounded) {
      own.y = 0;
      own.vy = 0;
    }
    for (const kind of ["lift", "cart"] as const) {
      for (const { pose: under } of world.all(kind)) {
        const sinks = own.y <= under.y + 0.05 && own.y > under.y - 0.6 && own.vy <= under.vy;
        if (Math.abs(own.x - under.x) > HALF_WIDTH || !sinks) continue;
        own.y = under.y;
        own.vy = under.vy;
        own.x += under.vx * dt;
        legs.grounded = true;
      }
    }
  }
}

/** Carts run to and fro, which is known only to the room. */
function drive({ world, dt }: Context): void {
  for (const { pose: cart } of world.all("cart")) {
    cart.x += cart.vx * dt;
    if (Math.abs(cart.x) > 6) cart.vx = -Math.sign(cart.x) * Math.abs(cart.vx);
  }
}

/** A lift whose way is a function of the tick, and a cart that only the room moves. */
export const lifts = defineGame({
  ...shape,
  externals: {
    lift(entity, { tick }) {
      const at = (time: number) => 3 + 2 * Math.sin((time + entity.track.offset) / 40);
      entity.pose.x = 20;
      entity.pose.y = at(tick);
      entity.pose.vy = (at(tick + 1) - at(tick - 1)) * 30;
    },
  },
  systems: { physics: [move], gameplay: [drive] },
});
export type Lifts = ShapeOf<typeof lifts>;

/** A player above the lift (seat 1), or above the cart (seat 2). */
export const liftHooks: RoomHooks<Lifts> = {
  onCreate(room) {
    room.world.spawn("lift", {});
    room.world.spawn("cart", { pose: { x: 0, y: 1, vx: 2 } });
  },
  onJoin(seat) {
    seat.spawn("player", { pose: { x: seat.id === 1 ? 20 : 0, y: 6 } });
  },
};
