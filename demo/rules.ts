import type { RoomHooks, Seat } from "tickroom/room";
import type { World } from "tickroom/sim";
import { botName, wander } from "./bots.ts";
import { angleOf, distance, type Point } from "./geometry.ts";
import { chargeWallet, refundWallet } from "./kiosk.ts";
import { freePlace, PLATFORMS, SPAWN_POINTS } from "./level.ts";
import { platformAt } from "./platforms.ts";
import type { Arena } from "./shape.ts";
import { scatterSpark } from "./sparks.ts";
import { DEFAULT_BOTS, SPARK_COUNT } from "./tuning.ts";

const MAX_BOTS = 200;

/** What the arena's room decides besides the systems: who is in it, where they appear, who goes. */
export const rules: RoomHooks<Arena> = {
  bots: { wander },
  calls: { buy: chargeWallet },
  compensations: { buy: refundWallet },

  onCreate(room, options) {
    const { world } = room;
    for (const { slab, track } of PLATFORMS) {
      world.spawn("platform", { pose: platformAt(track, world.tick), slab, track });
    }
    for (let i = 0; i < SPARK_COUNT; i++) scatterSpark(world);
    for (let i = 0; i < botsAskedFor(options); i++) {
      const place = freePlace(() => world.random(), 1);
      // Nobody exists before this callback ends, so `freeHue` would see no colour taken: bots have the odd ones.
      appear(room.addBot("wander", { name: botName(i) }), place, hueOf(2 * i + 1));
    }
  },

  onJoin(seat, { world }) {
    appear(seat, freeSpawnPoint(seat, world), freeHue(seat, world));
  },

  onLeave(seat, { world }) {
    if (seat.entity) world.despawn(seat.entity);
  },
};

/** `{ "bots": 32 }` from whoever creates the room; anything else means the default. */
function botsAskedFor(options: unknown): number {
  const asked = (options as { bots?: unknown } | null | undefined)?.bots;
  return Number.isInteger(asked) ? Math.min(Math.max(asked as number, 0), MAX_BOTS) : DEFAULT_BOTS;
}

function appear(seat: Seat<Arena>, { x, y }: Point, hue: number): void {
  // Facing the middle, where the game is.
  seat.spawn("player", { pose: { x, y }, facing: { heading: angleOf(-x, -y) }, look: { hue } });
}

/**
 * The search begins at another point for each seat: two who join in the same window don't see each other here
 * yet, and would be put on top of one another.
 */
function freeSpawnPoint(seat: Seat<Arena>, world: World<Arena>): Point {
  const players = [...world.all("player")];
  const points = rotated(SPAWN_POINTS, seat.id);
  return (
    points.find((point) => players.every(({ pose }) => distance(pose, point) > 2)) ?? (points[0] as Point)
  );
}

const HUES = 12;

/** A colour that few others have, one of those that bots don't take if possible. */
function freeHue(seat: Seat<Arena>, world: World<Arena>): number {
  const users = Array.from({ length: HUES }, (_, slot) => slot % 2);
  for (const { look } of world.all("player")) {
    const slot = Math.floor((look.hue * HUES) / 360);
    users[slot] = (users[slot] ?? 0) + 1;
  }
  const rarest = Math.min(...users);
  const slots = rotated([...users.keys()], 2 * seat.id);
  return hueOf(slots.find((slot) => users[slot] === rarest) ?? 0);
}

function rotated<T>(items: readonly T[], by: number): T[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

function hueOf(slot: number): number {
  return ((slot % HUES) * 360) / HUES;
}
