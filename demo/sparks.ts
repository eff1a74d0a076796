import type { System, World } from "tickroom/sim";
import { freePlace } from "./level.ts";
import type { Arena } from "./shape.ts";
import { BRIGHT_SPARK_EVERY, BRIGHT_SPARK_WORTH, PLAYER_RADIUS, SPARK_RADIUS } from "./tuning.ts";

const REACH = PLAYER_RADIUS + SPARK_RADIUS;

/** Puts a spark somewhere on the free floor. */
export function scatterSpark(world: World<Arena>): void {
  const { x, y } = freePlace(() => world.random(), 1);
  const bright = world.random() * BRIGHT_SPARK_EVERY < 1;
  world.spawn("spark", { spot: { x, y, worth: bright ? BRIGHT_SPARK_WORTH : 1 } });
}

/** Whoever touches a spark has it, and another one lights up elsewhere. The room alone decides this. */
export const collect: System<Arena> = function collect({ world }) {
  for (const spark of world.all("spark")) {
    const { x, y, worth } = spark.spot;
    for (const { pose, tally } of world.all("player")) {
      const dx = pose.x - x;
      const dy = pose.y - y;
      if (dx * dx + dy * dy > REACH * REACH) continue;
      tally.sparks += worth;
      world.despawn(spark);
      scatterSpark(world);
      // One spark, one finder, also when two arrive in the same tick.
      break;
    }
  }
};
