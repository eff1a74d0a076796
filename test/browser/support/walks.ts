import type { Page } from "playwright-core";
import { type Box, crosses, type Point } from "../../../demo/geometry.ts";
import { FLOOR, PLATFORMS, WALLS } from "../../../demo/level.ts";
import { nextStep } from "../../../demo/pathways.ts";
import { PLAYER_RADIUS } from "../../../demo/tuning.ts";

/** A way that nothing is in: neither walls nor where platforms pass. */
export interface Way {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  /** In metres. */
  readonly length: number;
}

const WAYS = [
  { key: "KeyD", x: 1, y: 0 },
  { key: "KeyA", x: -1, y: 0 },
  { key: "KeyS", x: 0, y: 1 },
  { key: "KeyW", x: 0, y: -1 },
];

const SWEEPS: readonly Box[] = PLATFORMS.map(({ slab, track }) => ({
  x: (track.fromX + track.toX) / 2,
  y: (track.fromY + track.toY) / 2,
  halfWidth: Math.abs(track.fromX - track.toX) / 2 + slab.halfWidth,
  halfHeight: Math.abs(track.fromY - track.toY) / 2 + slab.halfHeight,
}));

/** The longest straight way in the open from a place. */
export function longestWay(from: Point): Way {
  const ways = WAYS.map((way) => ({ ...way, length: openMetres(from, way) }));
  return ways.reduce((best, way) => (way.length > best.length ? way : best));
}

function openMetres(from: Point, way: { readonly x: number; readonly y: number }): number {
  const most = 2 * FLOOR.halfWidth;
  for (let metres = 0.5; metres < most; metres += 0.5) {
    const to = { x: from.x + way.x * metres, y: from.y + way.y * metres };
    if ([...WALLS, ...SWEEPS].some((box) => crosses(from, to, box, PLAYER_RADIUS + 0.05)))
      return metres - 0.5;
  }
  return most;
}

export async function ownPlace(page: Page): Promise<Point> {
  const shown = await page.evaluate(() => {
    const pose = globalThis.arenaProbe.room()?.view.own?.pose;
    return pose && { x: pose.x, y: pose.y };
  });
  if (!shown) throw new Error("the page shows no own player");
  return shown;
}

/** How far along a way a place is. */
export function along(way: Way, place: Point): number {
  return place.x * way.x + place.y * way.y;
}

/** Walks until the own player has come that far, then lets go of the key and waits until it stands. */
export async function walk(page: Page, way: Way, metres: number): Promise<void> {
  const goal = along(way, await ownPlace(page)) + metres;
  await page.keyboard.down(way.key);
  try {
    await page.waitForFunction(
      ({ x, y, least }) => {
        const pose = globalThis.arenaProbe.room()?.view.own?.pose;
        return pose !== undefined && pose.x * x + pose.y * y >= least;
      },
      { x: way.x, y: way.y, least: goal },
    );
  } finally {
    await page.keyboard.up(way.key);
  }
  await stands(page);
}

async function stands(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const pose = globalThis.arenaProbe.room()?.view.own?.pose;
    return pose !== undefined && pose.vx === 0 && pose.vy === 0;
  });
}

/** Walks around walls to a place and stands there. */
export async function walkTo(page: Page, goal: Point): Promise<void> {
  const corners: Point[] = [];
  let place = await ownPlace(page);
  while (place.x !== goal.x || place.y !== goal.y) {
    place = nextStep(place, goal);
    corners.push(place);
    if (corners.length > 40) throw new Error("there is no way to that place");
  }
  await page.evaluate(walkAlong, corners);
  await stands(page);
}

/**
 * Runs inside the page. It steers as a thumb on a stick would, slower towards a corner: keys know full speed only, and
 * where a frame takes long that misses any corner.
 */
function walkAlong(corners: readonly Point[]): Promise<void> {
  const input = globalThis.arenaProbe.room()?.input;
  if (!input) throw new Error("the page is in no room");
  const set = input.set;
  let stick = { moveX: 0, moveY: 0 };
  // The page sets its own wish in every frame.
  input.set = (controls) => set.call(input, { ...controls, ...stick });
  return new Promise((resolve) => {
    let next = 0;
    const step = () => {
      const pose = globalThis.arenaProbe.room()?.view.own?.pose;
      const corner = corners[next];
      if (!pose || !corner) {
        input.set = set;
        resolve();
        return;
      }
      const dx = corner.x - pose.x;
      const dy = corner.y - pose.y;
      const metres = Math.hypot(dx, dy);
      if (metres < 0.45) next++;
      const pace = Math.min(1, Math.max(0.15, metres / 2)) / (metres || 1);
      stick = { moveX: dx * pace, moveY: dy * pace };
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
}
