import type { SeatInfo, View, ViewEntity } from "tickroom/client";
import { BLOCKS, type Block, LIFT, YARD } from "../../yard/level.ts";
import type { Yard } from "../../yard/shape.ts";
import { BALL_RADIUS, CRATE_HALF, WALKER } from "../../yard/tuning.ts";

type Context = CanvasRenderingContext2D;
type Walker = ViewEntity<Yard, "walker">;

const TURN = 2 * Math.PI;
const FULL = WALKER.halfHeight + WALKER.radius;
const EARTH = "#1b2338";
/** Metres that are at least visible. */
const LEAST = { across: 20, down: 12 } as const;

/** Draws the yard from a view; reads only. */
export class Painter {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: Context;
  #centreX = 0;
  /** Pixels of the page per metre, and where its origin would be. */
  #place = { scale: 1, x: 0, y: 0 };

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d", { alpha: false }) as Context;
  }

  draw(view: View<Yard> | undefined, seats: readonly SeatInfo[]): void {
    const context = this.#context;
    const { width, height } = this.#fit();
    drawSky(context, width, height, this.#centreX);
    const scale = Math.min(width / LEAST.across, height / LEAST.down);
    const half = width / scale / 2;
    const wanted = view?.own?.pose.x ?? 0;
    const [from, to] = [YARD.left - 1 + half, YARD.right + 1 - half];
    this.#centreX += (Math.min(Math.max(wanted, from), Math.max(from, to)) - this.#centreX) * 0.12;
    context.setTransform(scale, 0, 0, -scale, width / 2 - this.#centreX * scale, height - 1.6 * scale);
    const density = width / this.#canvas.clientWidth;
    this.#place = {
      scale: scale / density,
      x: (width / 2 - this.#centreX * scale) / density,
      y: (height - 1.6 * scale) / density,
    };
    for (const block of BLOCKS) drawUnder(context, block);
    // The ground last: slopes reach into it.
    for (const block of BLOCKS.toReversed()) drawBlock(context, block);
    if (!view) return;
    for (const { pose } of view.all("lift")) drawLift(context, pose);
    for (const crate of view.all("crate")) drawCrate(context, crate);
    for (const ball of view.all("ball")) drawBall(context, ball);
    for (const walker of view.all("walker")) drawWalker(context, walker, seats);
  }

  /** Where a place of the yard is in the page, in CSS pixels. */
  pointOf({ x, y }: { readonly x: number; readonly y: number }): { readonly x: number; readonly y: number } {
    const { scale, x: left, y: bottom } = this.#place;
    return { x: left + x * scale, y: bottom - y * scale };
  }

  #fit(): { readonly width: number; readonly height: number } {
    const density = Math.min(devicePixelRatio || 1, 3);
    const width = Math.round(this.#canvas.clientWidth * density);
    const height = Math.round(this.#canvas.clientHeight * density);
    if (this.#canvas.width !== width || this.#canvas.height !== height)
      Object.assign(this.#canvas, { width, height });
    return { width, height };
  }
}

function drawSky(context: Context, width: number, height: number, x: number): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  const sky = context.createLinearGradient(0, 0, 0, height);
  sky.addColorStop(0, "#16213f");
  sky.addColorStop(0.55, "#514470");
  sky.addColorStop(0.85, "#c46a5e");
  sky.addColorStop(1, "#f3a66b");
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height);
  for (const [depth, colour, base] of [
    [4, "#3a3560", 0.62],
    [9, "#2a2a50", 0.74],
  ] as const) {
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(0, height);
    for (let i = 0; i <= 60; i++) {
      const at = (i * width) / 60;
      const far = (at / width) * 7 + (x * depth) / 60;
      context.lineTo(at, height * (base - 0.05 * Math.sin(far) - 0.03 * Math.sin(2.3 * far + depth)));
    }
    context.lineTo(width, height);
    context.fill();
  }
}

function at(context: Context, x: number, y: number, turn: number, draw: () => void): void {
  context.save();
  context.translate(x, y);
  context.rotate(turn);
  draw();
  context.restore();
}

/** A slope stands on earth down to the ground. */
function drawUnder(context: Context, { x, y, halfWidth, halfHeight, turn }: Block): void {
  if (turn === 0) return;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const lift = halfHeight - 0.07;
  context.fillStyle = EARTH;
  context.beginPath();
  for (const side of [-1, 1]) {
    const [across, up] = [side * halfWidth * cos - lift * sin, side * halfWidth * sin + lift * cos];
    const corners = [
      [x + across, y + up],
      [x + across, -1],
    ] as const;
    for (const [cornerX, cornerY] of side < 0 ? corners.toReversed() : corners)
      context.lineTo(cornerX, cornerY);
  }
  context.fill();
}

function drawBlock(context: Context, { x, y, halfWidth, halfHeight, turn }: Block): void {
  at(context, x, y, turn, () => {
    context.fillStyle = EARTH;
    context.fillRect(-halfWidth, -halfHeight, 2 * halfWidth, 2 * halfHeight);
    context.fillStyle = "#4f8f6b";
    context.fillRect(-halfWidth, halfHeight - 0.14, 2 * halfWidth, 0.14);
  });
}

function drawLift(context: Context, { x, y }: { readonly x: number; readonly y: number }): void {
  at(context, x, y, 0, () => {
    context.fillStyle = "#ffd9a8";
    context.beginPath();
    context.roundRect(-LIFT.halfWidth, -LIFT.halfHeight, 2 * LIFT.halfWidth, 2 * LIFT.halfHeight, 0.15);
    context.fill();
    context.fillStyle = "#b4703f";
    for (let i = -1; i <= 1; i++) context.fillRect(i - 0.28, -0.06, 0.56, 0.12);
  });
}

function drawCrate(context: Context, { pose, spin }: ViewEntity<Yard, "crate">): void {
  at(context, pose.x, pose.y, spin.turn, () => {
    const size = 2 * CRATE_HALF;
    context.fillStyle = "#a9743f";
    context.fillRect(-CRATE_HALF, -CRATE_HALF, size, size);
    context.strokeStyle = "#6f4823";
    context.lineWidth = 0.1;
    context.strokeRect(-CRATE_HALF + 0.05, -CRATE_HALF + 0.05, size - 0.1, size - 0.1);
    context.beginPath();
    context.moveTo(-CRATE_HALF + 0.1, -CRATE_HALF + 0.1);
    context.lineTo(CRATE_HALF - 0.1, CRATE_HALF - 0.1);
    context.stroke();
  });
}

function drawBall(context: Context, { pose, spin }: ViewEntity<Yard, "ball">): void {
  at(context, pose.x, pose.y, spin.turn, () => {
    for (let i = 0; i < 6; i++) {
      context.fillStyle = i % 2 === 0 ? "#f6f1e7" : (["#e4572e", "#2e86ab", "#f3c13a"][i >> 1] ?? "#e4572e");
      context.beginPath();
      context.moveTo(0, 0);
      context.arc(0, 0, BALL_RADIUS, (i * TURN) / 6, ((i + 1) * TURN) / 6);
      context.fill();
    }
    context.fillStyle = "#f6f1e7";
    context.beginPath();
    context.arc(0, 0, BALL_RADIUS / 5, 0, TURN);
    context.fill();
  });
}

function drawWalker(
  context: Context,
  { pose, look, own, owner, stalled }: Walker,
  seats: readonly SeatInfo[],
): void {
  at(context, pose.x, pose.y, 0, () => {
    context.globalAlpha = stalled ? 0.5 : 1;
    context.fillStyle = `hsl(${look.hue} 75% 62%)`;
    context.beginPath();
    context.roundRect(-WALKER.radius, -FULL, 2 * WALKER.radius, 2 * FULL, WALKER.radius);
    context.fill();
    if (own) {
      context.strokeStyle = "#fff";
      context.lineWidth = 0.05;
      context.stroke();
    }
    context.fillStyle = "#11182b";
    const facing = Math.sign(Math.round(pose.vx)) * 0.09;
    for (const side of [-0.1, 0.1]) {
      context.beginPath();
      context.arc(side + facing, 0.3, 0.06, 0, TURN);
      context.fill();
    }
    context.scale(1, -1);
    context.fillStyle = "#fff";
    context.font = "600 0.32px ui-sans-serif, system-ui, sans-serif";
    context.textAlign = "center";
    context.fillText(seats.find(({ seat }) => seat === owner)?.name ?? "", 0, -FULL - 0.2);
    context.globalAlpha = 1;
  });
}
