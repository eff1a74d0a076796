import { action, axis, defineGame, fragment, int, json, num } from "tickroom/sim";

export const FIELD = { width: 640, height: 360 };
const SPEED = 160;
const REACH = 40;
const BURNS_TICKS = 600;
const EMBER_TICKS = 120;
const MOST_EMBERS = 3;

export const lanterns = defineGame({
  name: "lanterns",
  version: 1,
  tickRate: 60,
  input: { moveX: axis(), moveY: axis() },
  fragments: {
    body: fragment({
      x: num({ step: 1 / 32, min: 0, max: FIELD.width, rate: "vx" }),
      y: num({ step: 1 / 32, min: 0, max: FIELD.height, rate: "vy" }),
      vx: num({ step: 1 }),
      vy: num({ step: 1 }),
    }),
    pouch: fragment({
      embers: int({ min: 0, max: MOST_EMBERS, default: MOST_EMBERS }),
      nextInTicks: int({ min: 0, max: EMBER_TICKS, default: EMBER_TICKS }),
    }),
    place: fragment({ x: num({ step: 1 }), y: num({ step: 1 }) }),
    flame: fragment({ burnsTicks: int({ min: 0, max: BURNS_TICKS }) }),
  },
  archetypes: {
    // Its owner's page runs the systems for it ahead of the room.
    walker: { fragments: ["body", "pouch"], predict: "owner", snapDistance: 100 },
    // The room alone runs it; pages show what they are told.
    lantern: { fragments: ["place", "flame"] },
  },
  actions: {
    light: action({
      capture: json<{ readonly x: number; readonly y: number }>(),
      result: json<{ readonly lit: boolean }>(),
    }),
  },
  actionRules: {
    light: {
      // In the page at once, and in the room with the same command: it costs an ember.
      admit({ entity, effect }) {
        if (entity.archetype !== "walker") return { reject: "not a walker" };
        const { body, pouch } = entity;
        if (pouch.embers === 0) return { reject: "no embers left" };
        pouch.embers -= 1;
        effect("spark", { x: body.x, y: body.y });
        return { admit: { x: body.x, y: body.y } };
      },
      // In the room only, which knows all lanterns.
      settle({ capture, world }) {
        for (const { place, flame } of world.all("lantern")) {
          const [dx, dy] = [place.x - capture.x, place.y - capture.y];
          if (flame.burnsTicks > 0 || dx * dx + dy * dy > REACH * REACH) continue;
          flame.burnsTicks = BURNS_TICKS;
          return { lit: true };
        }
        return { lit: false };
      },
    },
  },
  systems: {
    physics: [
      function walk({ driven, dt }) {
        for (const { entity, command } of driven("walker")) {
          const { body } = entity;
          body.vx = command.moveX * SPEED;
          body.vy = command.moveY * SPEED;
          body.x = Math.min(Math.max(body.x + body.vx * dt, 0), FIELD.width);
          body.y = Math.min(Math.max(body.y + body.vy * dt, 0), FIELD.height);
        }
      },
    ],
    postPhysics: [
      function gatherEmbers({ driven }) {
        for (const { entity } of driven("walker")) {
          const { pouch } = entity;
          if (pouch.embers === MOST_EMBERS) continue;
          pouch.nextInTicks -= 1;
          if (pouch.nextInTicks > 0) continue;
          pouch.embers += 1;
          pouch.nextInTicks = EMBER_TICKS;
        }
      },
    ],
    gameplay: [
      function burnDown({ world }) {
        for (const { flame } of world.all("lantern")) {
          if (flame.burnsTicks > 0) flame.burnsTicks -= 1;
        }
      },
    ],
  },
});
