import { expect, it } from "vitest";
import { Analytics } from "../../../room/analytics.ts";
import type { dataPoint } from "../../../room/core/index.ts";
import { mover } from "./mover.ts";
import { Rig } from "./rig.ts";

/** The platform's side of the binding. */
function boundDataset() {
  const points: ReturnType<typeof dataPoint>[] = [];
  const dataset = { writeDataPoint: (point: ReturnType<typeof dataPoint>) => void points.push(point) };
  return { points, env: { TICKROOM_ANALYTICS: dataset } };
}

it("[X4] a bound dataset gets one point a minute of a room in play, and no report is made for nothing", () => {
  const room = new Rig(mover, { hooks: { onJoin: (seat) => void seat.spawn("player") } });
  const ada = room.join(1);
  const { points, env } = boundDataset();
  const bound = new Analytics(env);
  const unbound = new Analytics({});
  let reports = 0;
  for (let second = 0; second < 180; second++) {
    room.pass(1000);
    room.send(ada, ada.input([]));
    bound.offer(room.nowMs, () => {
      reports++;
      return room.core.watch.report(room.nowMs);
    });
    unbound.offer(room.nowMs, () => {
      throw new Error("nobody reads it");
    });
  }
  expect(points).toHaveLength(3);
  expect(reports).toBe(3);
  expect(points[2]).toMatchObject({
    indexes: ["mover:test"],
    blobs: ["mover:test", "mover", "1", "running"],
  });
  expect(points[2]?.doubles?.[0]).toBe(1);
});
