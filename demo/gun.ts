import type { ActionRules, Entity, PastEntity, System, World } from "tickroom/sim";
import type { ShotCapture } from "./actions.ts";
import { flightTicks, metresToPlayer, placeAt, type Trajectory, trajectory } from "./ballistics.ts";
import type { ShotSight } from "./events.ts";
import { type Box, distance, type Point, wrapAngle } from "./geometry.ts";
import type { Arena } from "./shape.ts";
import { COAT_TICKS, COOLDOWN_TICKS, HIT_WORTH, MOST_SPARKS, REFILL_TICKS, SPREAD, TANK } from "./tuning.ts";

/** More than a handful in one line can't all be missed by the first of them leaving. */
const MOST_TARGETS = 6;
/** Who is shown to a shooter as the room found them: the nearest. */
const MOST_JUDGED = 12;

export const fire: ActionRules<Arena, "fire"> = {
  /** The same in the room and in prediction, as far as both know the others. */
  admit({ world, seat, entity, params, random, effect, rewind }) {
    if (entity.archetype !== "player") return { reject: "no-gun" };
    const { gun, pose, facing, look } = entity;
    if (gun.cooldown > 0) return { reject: "cooling-down" };
    if (gun.paint === 0) return { reject: "no-paint" };
    gun.paint--;
    gun.cooldown = COOLDOWN_TICKS;
    facing.heading = wrapAngle(params.aim + (random() - 0.5) * SPREAD);
    const path = trajectory(pose, facing.heading, platformsOf(world));
    const shot: ShotSight = { ...path, hue: look.hue };
    effect("shot", shot);
    world.emit("shot", { ...shot, shooter: entity.id }, { except: seat });
    const others = [...(params.live ? world.all("player") : rewind.all("player"))];
    world.emit("judged", judged(entity, others), { only: seat });
    return { admit: { ...shot, targets: targetsOf(path, entity, others) } };
  },

  /** Poses are those that the shooter saw; time is that of the landing, so that nobody hits who has left meanwhile. */
  settle({ world, tick, admittedTick, seat, capture, entity }) {
    const flown = tick - admittedTick;
    for (const { ref, metres, x, y } of capture.targets) {
      const target = world.get(ref);
      if (target?.archetype !== "player" || target.doomed) continue;
      if (flown < flightTicks(metres)) return undefined;
      target.coat.hue = capture.hue;
      target.coat.until = tick + COAT_TICKS;
      if (entity?.archetype === "player") {
        entity.tally.sparks = Math.min(MOST_SPARKS, entity.tally.sparks + HIT_WORTH);
      }
      const at = placeAt(capture, metres);
      world.emit("hit", { ...at, hue: capture.hue }, { except: seat });
      return { hit: target.owner, ...at, seen: { x, y } };
    }
    if (flown < flightTicks(capture.reach)) return undefined;
    return { hit: 0, ...placeAt(capture, capture.reach) };
  },
};

/** The gun gets ready again, and paint slowly gathers in the tank. */
export const recover: System<Arena> = function recover({ world }) {
  for (const { gun, till } of world.all("player")) {
    if (gun.cooldown > 0) gun.cooldown--;
    if (till.pause > 0) till.pause--;
    if (gun.paint >= TANK) {
      gun.refill = 0;
    } else if (gun.refill === 0) {
      gun.refill = REFILL_TICKS;
    } else {
      gun.refill--;
      if (gun.refill === 0) gun.paint++;
    }
  }
};

function* platformsOf(world: World<Arena>): Generator<Box> {
  for (const { pose, slab } of world.all("platform")) {
    yield { x: pose.x, y: pose.y, halfWidth: slab.halfWidth, halfHeight: slab.halfHeight };
  }
}

function targetsOf(
  path: Trajectory,
  shooter: Entity<Arena>,
  others: Iterable<PastEntity<Arena, "player">>,
): ShotCapture["targets"] {
  const targets: ShotCapture["targets"][number][] = [];
  for (const { id, ref, pose } of others) {
    if (id === shooter.id) continue;
    const metres = metresToPlayer(path, pose);
    if (metres < path.reach) targets.push({ ref, metres, x: pose.x, y: pose.y });
  }
  return targets.sort((a, b) => a.metres - b.metres).slice(0, MOST_TARGETS);
}

/** To the centimetre: nobody looks closer. */
function judged(
  { id, pose }: Entity<Arena, "player">,
  others: readonly PastEntity<Arena, "player">[],
): Point[] {
  return others
    .filter((other) => other.id !== id)
    .map((other) => ({ x: rounded(other.pose.x), y: rounded(other.pose.y) }))
    .sort((a, b) => distance(a, pose) - distance(b, pose))
    .slice(0, MOST_JUDGED);
}

function rounded(metres: number): number {
  return Math.round(metres * 100) / 100;
}
