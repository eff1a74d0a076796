import type { Page } from "playwright-core";
import { type Box, crosses, type Point } from "../../../demo/geometry.ts";
import { FLOOR, PLATFORMS, WALLS } from "../../../demo/level.ts";
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
