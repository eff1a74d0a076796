import type { GameShape } from "../../sim/index.ts";
import type { RoomClient, ViewEntity } from "../index.ts";

export interface ScreenPoint {
  readonly x: number;
  readonly y: number;
}

/** Where an entity is on the screen, in CSS pixels from the top left corner; undefined when it isn't to be marked. */
export type Project<S extends GameShape> = {
  project(entity: ViewEntity<S>): ScreenPoint | undefined;
}["project"];

interface Vector {
  readonly from: ScreenPoint;
  readonly to: ScreenPoint;
  readonly atMs: number;
}

const VECTOR_MS = 1000;
const RADIUS = 14;
const TURN = 2 * Math.PI;

/** Draws where the room has the own entity, and how corrections moved it. */
export class Ghosts<S extends GameShape> {
  readonly canvas = document.createElement("canvas");
  readonly #room: RoomClient<S>;
  readonly #project: Project<S>;
  #vectors: Vector[] = [];

  constructor(room: RoomClient<S>, project: Project<S>) {
    this.canvas.className = "ghosts";
    this.#room = room;
    this.#project = project;
  }

  /** A correction: from where the page had the own entity to where the room has it. */
  corrected(nowMs: number): void {
    const [ghost, shown] = this.#places();
    if (ghost && shown) this.#vectors.push({ from: shown, to: ghost, atMs: nowMs });
  }

  draw(nowMs: number): void {
    const { canvas } = this;
    const density = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth * density, canvas.clientHeight * density];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const context = canvas.getContext("2d");
    if (!context) return;
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    const [ghost, shown] = this.#places();
    context.lineWidth = 2;
    context.strokeStyle = "#7cc4ff";
    if (ghost) {
      context.setLineDash([4, 3]);
      context.beginPath();
      context.arc(ghost.x, ghost.y, RADIUS, 0, TURN);
      context.stroke();
      context.setLineDash([]);
      if (shown) line(context, ghost, shown);
    }
    this.#vectors = this.#vectors.filter(({ atMs }) => nowMs - atMs < VECTOR_MS);
    context.strokeStyle = "#ffb454";
    for (const { from, to, atMs } of this.#vectors) {
      context.globalAlpha = 1 - (nowMs - atMs) / VECTOR_MS;
      line(context, from, to);
    }
    context.globalAlpha = 1;
  }

  #places(): readonly [ghost: ScreenPoint | undefined, shown: ScreenPoint | undefined] {
    const own = this.#room.view.own as ViewEntity<S> | undefined;
    const ghost = own && this.#room.view.server(own.id);
    return [ghost && this.#project(ghost), own && this.#project(own)];
  }
}

function line(context: CanvasRenderingContext2D, from: ScreenPoint, to: ScreenPoint): void {
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
}
