import type { RoomHooks } from "../../room/core/index.ts";
import {
  type ActionRules,
  action,
  angle,
  axis,
  defineGame,
  detMath,
  fragment,
  held,
  int,
  json,
  num,
  type ShapeOf,
  type SystemContext,
} from "../../sim/index.ts";

const { cos, sin } = detMath;

const SPEED = 6;
const WALL = 8;
const COOLDOWN = 9;
export const MAGAZINE = 12;
/** A shot flies for this many ticks at least. */
const FLIGHT = 4;
export const SHELLS = 3;
const PRICE = 5;

const transform = fragment({
  x: num({ step: 1 / 256, rate: "vx", tolerance: 0.05 }),
  y: num({ step: 1 / 256, rate: "vy", tolerance: 0.05 }),
  vx: num({ step: 1 / 64, tolerance: 0.5 }),
  vy: num({ step: 1 / 64, tolerance: 0.5 }),
});
const gun = fragment({
  ammo: int({ min: 0, max: 30_000, default: MAGAZINE }),
  cooldown: int({ min: 0, max: COOLDOWN }),
  spread: num({ step: 1 / 1024 }),
  fired: int({ min: 0, max: 30_000 }),
  hits: int({ min: 0, max: 30_000 }),
  bought: int({ min: 0, max: 30_000 }),
  gusts: int({ min: 0, max: 30_000 }),
});

const shape = {
  name: "fault-range",
  version: 1,
  tickRate: 60,
  input: { moveX: axis(), moveY: axis(), brace: held() },
  fragments: { transform, gun },
  archetypes: {
    player: { fragments: ["transform", "gun"], predict: "owner" },
    lift: { fragments: ["transform"], external: true },
  },
  events: {},
  actions: {
    /** Settles some ticks later, or never: then its deadline ends it. */
    fire: action({
      params: { aim: angle({ bits: 9 }) },
      capture: json<{ readonly x: number; readonly y: number; readonly lands: number }>(),
      result: json<{ readonly hit: boolean; readonly luck: number }>(),
      deadlineTicks: 24,
    }),
    /** Settled by the tick that admits it. */
    wave: action(),
    /** Settled by a service elsewhere. */
    buy: action({
      params: { amount: held() },
      capture: json<{ readonly price: number }>(),
      result: json<{ readonly paid: number }>(),
      deadlineTicks: 150,
      call: true,
    }),
  },
} as const;

type Shape = typeof shape;
type Context = SystemContext<Shape>;

/** What runs inside ticks, and lets a test interfere there. */
export type Probe = (place: string) => void;

function fireRules(probe: Probe): ActionRules<Shape, "fire"> {
  return {
    admit({ entity, params, random, effect, tick, authority }) {
      if (authority) probe("admit");
      if (entity.archetype !== "player") return { reject: "no-gun" };
      const { gun: own, transform: pose } = entity;
      own.spread = random() - 0.5;
      if (own.cooldown > 0) return { reject: "cooling-down" };
      if (own.ammo === 0) return { reject: "no-ammo" };
      own.ammo--;
      own.fired++;
      own.cooldown = COOLDOWN;
      effect("muzzle", { aim: params.aim + own.spread });
      // One in eight shots flies past its deadline.
      const dud = Math.floor(params.aim * 8) % 8 === 0;
      return {
        admit: { x: pose.x, y: pose.y, lands: tick + FLIGHT + (dud ? 1000 : Math.floor(params.aim)) },
      };
    },
    settle({ capture, tick, entity, world }) {
      probe("settle");
      if (tick < capture.lands) return undefined;
      const luck = world.random();
      const hit = luck < 0.5;
      if (hit && entity?.archetype === "player") entity.gun.hits++;
      return { hit, luck };
    },
  };
}

function buyRules(probe: Probe): ActionRules<Shape, "buy"> {
  return {
    admit({ params, authority }) {
      if (authority) probe("admit");
      return { admit: { price: params.amount ? 2 * PRICE : PRICE } };
    },
    settle({ answer, entity }) {
      probe("settle");
      if (answer === undefined) return undefined;
      const { paid } = answer as { paid: number };
      if (entity?.archetype === "player") {
        entity.gun.bought++;
        entity.gun.ammo += SHELLS;
      }
      return { paid };
    },
  };
}

function steer({ driven, dt }: Context): void {
  for (const { entity, command } of driven("player")) {
    const { transform: pose, gun: own } = entity;
    const speed = SPEED * (command.brace ? 0.5 : 1);
    pose.vx += (command.moveX * speed - pose.vx) * 0.2;
    pose.vy += (command.moveY * speed - pose.vy) * 0.2;
    pose.x += pose.vx * dt;
    own.cooldown = Math.max(0, own.cooldown - 1);
  }
}

function slide({ world, dt }: Context): void {
  for (const { transform: pose } of world.all("player")) {
    pose.x = Math.min(WALL, Math.max(-WALL, pose.x));
    pose.y = Math.min(WALL, Math.max(-WALL, pose.y + pose.vy * dt));
    for (const { transform: lift } of world.all("lift")) {
      if (Math.abs(pose.x - lift.x) < 1 && Math.abs(pose.y - lift.y) < 1) pose.y = lift.y + 1;
    }
  }
}

/** What nobody can predict: now and then the room shoves somebody who walks. */
function gust({ world, tick }: Context): void {
  for (const { transform: pose, gun: own } of world.all("player")) {
    if (tick % 23 !== 0 || pose.vx ** 2 + pose.vy ** 2 < 1 || world.random() < 0.5) continue;
    pose.x += world.random() * 2 - 1;
    own.gusts++;
  }
}

/** A range in which everything happens that a crash could double or lose. The probe is asked inside the room's ticks. */
export function makeRange(probe: Probe) {
  return defineGame({
    ...shape,
    externals: {
      lift(entity: { readonly transform: { x: number; y: number } }, { tick }: { tick: number }) {
        entity.transform.x = 3;
        entity.transform.y = sin(tick / 40) * 4;
      },
    },
    systems: {
      input: [
        (context: Context) => {
          if (context.authority) probe("input");
          steer(context);
        },
      ],
      physics: [slide],
      gameplay: [
        (context: Context) => {
          gust(context);
          probe("gameplay");
        },
      ],
    },
    actionRules: { fire: fireRules(probe), wave: { admit: () => ({ admit: null }) }, buy: buyRules(probe) },
  });
}

export type Range = ShapeOf<ReturnType<typeof makeRange>>;

/** The probe is asked wherever they may throw without anybody being turned away for it. */
export const rangeHooks = (probe: Probe): RoomHooks<Range> => ({
  onCreate(room) {
    room.world.spawn("lift", {});
    room.addBot("circle", { name: "bot" }).spawn("player", { transform: { x: 0, y: -4 } });
  },
  onJoin(seat) {
    seat.spawn("player", { transform: { x: -seat.id, y: seat.id } });
  },
  onLeave(seat, { world }) {
    world.random();
    probe("leave");
    if (seat.entity) world.despawn(seat.entity);
  },
  bots: {
    circle({ tick, random }) {
      probe("bot");
      return { moveX: cos(tick / 30), moveY: sin(tick / 30) + random() / 8 };
    },
  },
});
