import { clamp, type Point } from "../geometry.ts";
import { FLOOR } from "../level.ts";

/** What part of the floor is on the screen, and at which scale. */
export interface Frame {
  /** Screen size in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly density: number;
  /** CSS pixels per metre. */
  readonly scale: number;
  /** The place in the middle of the screen. */
  readonly centre: Point;
}

/** Of the geometric mean of the screen's sides: how many metres of floor it shows. */
const METRES_ACROSS = 21.5;
/** How far ahead of a walk the camera looks, in seconds of it. */
const LOOK_AHEAD_S = 0.32;
/** Times in which the camera makes up half of its distance. */
const FOLLOW_HALF_LIFE_S = 0.07;
const LOOK_HALF_LIFE_S = 0.3;
/** Metres beyond the floor that may show, so that a player in a corner isn't under the panels there. */
const OVERSCAN = 5.5;

/** Follows the own player softly and looks a little ahead. */
export class Camera {
  #x = 0;
  #y = 0;
  #aheadX = 0;
  #aheadY = 0;

  follow(target: Point, velocity: { readonly vx: number; readonly vy: number }, dtS: number): void {
    const look = 1 - 0.5 ** (dtS / LOOK_HALF_LIFE_S);
    this.#aheadX += (velocity.vx * LOOK_AHEAD_S - this.#aheadX) * look;
    this.#aheadY += (velocity.vy * LOOK_AHEAD_S - this.#aheadY) * look;
    const wantX = target.x + this.#aheadX;
    const wantY = target.y + this.#aheadY;
    // A jump (a new life, a teleport) isn't travelled.
    const jumped = Math.abs(wantX - this.#x) + Math.abs(wantY - this.#y) > 12;
    const share = jumped ? 1 : 1 - 0.5 ** (dtS / FOLLOW_HALF_LIFE_S);
    this.#x += (wantX - this.#x) * share;
    this.#y += (wantY - this.#y) * share;
  }

  frame(width: number, height: number, density: number): Frame {
    const scale = Math.sqrt(width * height) / METRES_ACROSS;
    return {
      width,
      height,
      density,
      scale,
      centre: {
        x: within(this.#x, FLOOR.halfWidth + OVERSCAN, width / scale / 2),
        y: within(this.#y, FLOOR.halfHeight + OVERSCAN, height / scale / 2),
      },
    };
  }
}

/** Keeps the view on the floor; a floor smaller than the screen is centred. */
function within(value: number, half: number, halfView: number): number {
  const most = half - halfView;
  return most <= 0 ? 0 : clamp(value, -most, most);
}

export function toScreen(frame: Frame, point: Point): Point {
  return {
    x: (point.x - frame.centre.x) * frame.scale + frame.width / 2,
    y: (point.y - frame.centre.y) * frame.scale + frame.height / 2,
  };
}

/** The place on the floor under a point of the screen. */
export function toFloor(frame: Frame, point: Point): Point {
  return {
    x: (point.x - frame.width / 2) / frame.scale + frame.centre.x,
    y: (point.y - frame.height / 2) / frame.scale + frame.centre.y,
  };
}

/** Whether something of that reach around a place is on the screen. */
export function isVisible(frame: Frame, point: Point, reach: number): boolean {
  return (
    Math.abs(point.x - frame.centre.x) < frame.width / frame.scale / 2 + reach &&
    Math.abs(point.y - frame.centre.y) < frame.height / frame.scale / 2 + reach
  );
}
