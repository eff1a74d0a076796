import { metresToPlayer, placeAt, type Trajectory } from "../ballistics.ts";
import type { Point } from "../geometry.ts";
import { BLOB_RADIUS, PAINT_SPEED, PLAYER_RADIUS } from "../tuning.ts";
import type { Glows } from "./lights.ts";
import { INK, paleTint, tint } from "./palette.ts";
import type { Particles } from "./particles.ts";
import { drawSplat, SPLAT_LIFE_MS, type Splat } from "./splats.ts";

const FLASH_MS = 90;
const PUFF_MS = 380;
const MARK_MS = 420;
const SEEN_MS = 1000;
const MOST_SPLATS = 120;
const TURN = 2 * Math.PI;

interface Shot {
  readonly key: string;
  readonly path: Trajectory;
  readonly hue: number;
  /** Entity that has fired: its own paint doesn't stop at it. */
  readonly shooter: number;
  readonly bornMs: number;
}

interface Moment extends Point {
  readonly bornMs: number;
}

/**
 * Paint that is light: a flash, a glowing drop on its way, what it leaves on the floor. Nothing but pixels; who was
 * hit is the room's word, and comes later.
 */
export class Paint {
  readonly #flying = new Map<string, Shot>();
  readonly #flashes: Shot[] = [];
  readonly #splats: Splat[] = [];
  readonly #puffs: Moment[] = [];
  readonly #marks: Moment[] = [];
  readonly #seen: Moment[] = [];
  readonly #particles: Particles;

  constructor(particles: Particles) {
    this.#particles = particles;
  }

  /** @param key the event's identity, by which it can be taken back */
  shoot(key: string, path: Trajectory, hue: number, shooter: number, nowMs: number): void {
    const shot = { key, path, hue, shooter, bornMs: nowMs };
    this.#flying.set(key, shot);
    this.#flashes.push(shot);
  }

  /** It never was: what flies goes out in a puff, and what has landed is wiped off. */
  fizzle(key: string, nowMs: number): void {
    const shot = this.#flying.get(key);
    const landed = this.#splats.findIndex((splat) => splat.key === key);
    const at = shot ? this.#placeOf(shot, nowMs) : this.#splats[landed];
    this.#flying.delete(key);
    if (landed >= 0) this.#splats.splice(landed, 1);
    if (at) this.#puffs.push({ x: at.x, y: at.y, bornMs: nowMs });
  }

  /** The room says that a shot has hit somebody there. */
  confirmHit(at: Point & { readonly seen?: Point }, hue: number, nowMs: number): void {
    this.#marks.push({ x: at.x, y: at.y, bornMs: nowMs });
    if (at.seen) this.#seen.push({ x: at.seen.x, y: at.seen.y, bornMs: nowMs });
    this.#particles.burst(at, hue, 10, nowMs);
  }

  /** Somebody else's paint has hit somebody. */
  splash(at: Point, hue: number, nowMs: number): void {
    this.#particles.burst(at, hue, 10, nowMs);
  }

  /** Where the room found others. */
  judged(places: readonly Point[], nowMs: number): void {
    for (const { x, y } of places) this.#seen.push({ x, y, bornMs: nowMs });
  }

  /** Lands what has come to a wall, to a player that is shown in its way, or to its end. Once a frame. */
  move(players: Iterable<{ readonly id: number; readonly pose: Point }>, nowMs: number): void {
    const standing = [...players];
    for (const shot of this.#flying.values()) {
      const metres = metresOf(shot, nowMs);
      let stop = shot.path.reach;
      for (const { id, pose } of standing)
        if (id !== shot.shooter) stop = Math.min(stop, metresToPlayer(shot.path, pose));
      if (metres < stop) continue;
      this.#flying.delete(shot.key);
      this.#land(shot, placeAt(shot.path, stop), nowMs);
    }
    forget(this.#flashes, FLASH_MS, nowMs);
    forget(this.#splats, SPLAT_LIFE_MS, nowMs);
    forget(this.#puffs, PUFF_MS, nowMs);
    forget(this.#marks, MARK_MS, nowMs);
    forget(this.#seen, SEEN_MS, nowMs);
  }

  /** What lies on the floor. */
  drawFloor(context: CanvasRenderingContext2D, nowMs: number): void {
    for (const splat of this.#splats) drawSplat(context, splat, nowMs);
  }

  /** What is in the air. */
  drawAir(context: CanvasRenderingContext2D, glows: Glows, nowMs: number): void {
    context.globalCompositeOperation = "lighter";
    for (const shot of this.#flying.values())
      glows.draw(context, shot.hue, this.#placeOf(shot, nowMs), 1.3, 0.75);
    for (const { path, hue, bornMs } of this.#flashes) {
      const left = 1 - (nowMs - bornMs) / FLASH_MS;
      glows.draw(context, hue, placeAt(path, muzzleOf(path)), 1.2 + 1.4 * left, 0.9 * left);
    }
    context.globalCompositeOperation = "source-over";
    for (const shot of this.#flying.values()) this.#drawDrop(context, shot, nowMs);
    for (const { path, hue, bornMs } of this.#flashes)
      drawFlash(context, path, hue, 1 - (nowMs - bornMs) / FLASH_MS);
    for (const puff of this.#puffs) drawPuff(context, puff, (nowMs - puff.bornMs) / PUFF_MS);
  }

  /** Above everything else: hits that the room has confirmed, and where it found who was hit when it looked back. */
  drawMarks(context: CanvasRenderingContext2D, nowMs: number): void {
    for (const place of this.#seen) drawSeen(context, place, (nowMs - place.bornMs) / SEEN_MS);
    for (const mark of this.#marks) drawMark(context, mark, (nowMs - mark.bornMs) / MARK_MS);
  }

  #land({ key, path, hue }: Shot, at: Point, nowMs: number): void {
    if (this.#splats.length >= MOST_SPLATS) this.#splats.shift();
    this.#splats.push({ key, ...at, dx: path.dx, dy: path.dy, hue, bornMs: nowMs });
    this.#particles.burst(at, hue, 7, nowMs);
  }

  #placeOf(shot: Shot, nowMs: number): Point {
    return placeAt(shot.path, Math.min(metresOf(shot, nowMs), shot.path.reach));
  }

  #drawDrop(context: CanvasRenderingContext2D, shot: Shot, nowMs: number): void {
    const head = metresOf(shot, nowMs);
    const tail = placeAt(shot.path, Math.max(muzzleOf(shot.path), head - 1.1));
    const at = this.#placeOf(shot, nowMs);
    const streak = context.createLinearGradient(tail.x, tail.y, at.x, at.y);
    streak.addColorStop(0, tint(shot.hue, 0));
    streak.addColorStop(1, tint(shot.hue, 0.9));
    context.strokeStyle = streak;
    context.lineWidth = 1.6 * BLOB_RADIUS;
    context.lineCap = "round";
    context.beginPath();
    context.moveTo(tail.x, tail.y);
    context.lineTo(at.x, at.y);
    context.stroke();
    context.fillStyle = paleTint(shot.hue);
    context.beginPath();
    context.arc(at.x, at.y, BLOB_RADIUS, 0, TURN);
    context.fill();
  }
}

/** It leaves the muzzle at once and is seen there for a frame, whatever the frame rate. */
function metresOf({ path, bornMs }: Shot, nowMs: number): number {
  return muzzleOf(path) + (PAINT_SPEED * Math.max(0, nowMs - bornMs)) / 1000;
}

function muzzleOf({ reach }: Trajectory): number {
  return Math.min(PLAYER_RADIUS + 0.1, reach);
}

function drawFlash(context: CanvasRenderingContext2D, path: Trajectory, hue: number, left: number): void {
  const at = placeAt(path, muzzleOf(path));
  context.save();
  context.translate(at.x, at.y);
  context.rotate(Math.atan2(path.dy, path.dx));
  context.globalAlpha = Math.min(1, 2 * left);
  for (const [colour, size] of [
    [tint(hue), 1],
    ["#ffffff", 0.62],
  ] as const) {
    const long = size * (0.35 + 0.4 * left);
    const wide = size * 0.22;
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(-0.12 * size, 0);
    context.quadraticCurveTo(0.1 * size, -wide, long, 0);
    context.quadraticCurveTo(0.1 * size, wide, -0.12 * size, 0);
    context.arc(0.05, 0, 0.15 * size, 0, TURN);
    context.fill();
  }
  context.restore();
}

function drawPuff(context: CanvasRenderingContext2D, { x, y }: Point, age: number): void {
  context.globalAlpha = 0.7 * (1 - age);
  context.strokeStyle = INK.textMuted;
  context.lineWidth = 0.06;
  context.setLineDash([0.12, 0.1]);
  context.beginPath();
  context.arc(x, y, 0.15 + 0.35 * age, 0, TURN);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/** The outline of a player. */
function drawSeen(context: CanvasRenderingContext2D, { x, y }: Point, age: number): void {
  context.globalAlpha = 0.8 * (1 - age);
  context.strokeStyle = INK.spark;
  context.lineWidth = 0.05;
  context.setLineDash([0.16, 0.12]);
  context.beginPath();
  context.arc(x, y, PLAYER_RADIUS, 0, TURN);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/** Four strokes that close in on what was hit. */
function drawMark(context: CanvasRenderingContext2D, { x, y }: Point, age: number): void {
  const near = 0.95 - 0.35 * Math.min(1, 3 * age);
  context.globalAlpha = 1 - age * age;
  context.strokeStyle = INK.spark;
  context.lineWidth = 0.09;
  context.lineCap = "round";
  context.beginPath();
  for (const [sx, sy] of [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const) {
    context.moveTo(x + sx * near, y + sy * near);
    context.lineTo(x + sx * (near - 0.25), y + sy * (near - 0.25));
  }
  context.stroke();
  context.globalAlpha = 1;
}

function forget(moments: { readonly bornMs: number }[], lifeMs: number, nowMs: number): void {
  while (moments[0] && nowMs - moments[0].bornMs > lifeMs) moments.shift();
}
