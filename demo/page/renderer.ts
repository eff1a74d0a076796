import type { SeatInfo, View, ViewEntity } from "tickroom/client";
import type { Arena } from "../game.ts";
import type { Box, Point } from "../geometry.ts";
import { isAtKiosk } from "../kiosk.ts";
import { PLATFORMS, WALLS } from "../level.ts";
import { platformAt } from "../platforms.ts";
import { COAT_TICKS, TICK_RATE } from "../tuning.ts";
import { Camera, type Frame, isVisible, toFloor } from "./camera.ts";
import { drawFigure, drawGhost, drawOwnRing, drawSpark } from "./figures.ts";
import { drawFloor, drawOutside, drawShade } from "./floor.ts";
import { drawLabels, Floats, type Label } from "./labels.ts";
import { Glows, Lantern } from "./lights.ts";
import { Paint } from "./paint.ts";
import { Particles } from "./particles.ts";
import { drawPlatform, drawWallShades, drawWalls } from "./slabs.ts";
import { drawKiosk, drawOffer } from "./stall.ts";
import { Trails } from "./trails.ts";

type Player = ViewEntity<Arena, "player">;

const SPARK_HUE = 65;

/** What the renderer needs besides the view. */
export interface Scene {
  readonly view: View<Arena>;
  readonly seats: readonly SeatInfo[];
  readonly showGhost: boolean;
  /** Newest tick that is predicted: paint dries by it. */
  readonly tick: number;
}

/** Draws the arena. It only reads: nothing that it does can reach the simulation [V1]. */
export class Renderer {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #camera = new Camera();
  readonly #glows = new Glows();
  readonly #lantern = new Lantern();
  readonly #trails = new Trails();
  readonly #particles = new Particles();
  readonly #floats = new Floats();
  /** What is shot by whom is told from outside; the renderer knows where it is seen. */
  readonly paint = new Paint(this.#particles);
  /** Sparks of the last frame, to notice those that were taken. */
  #sparks = new Map<number, Point & { readonly epoch: number }>();
  #ownSparks: number | undefined;
  #lastMs = 0;
  #frame: Frame | undefined;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d", { alpha: false }) as CanvasRenderingContext2D;
  }

  /** The place on the floor that a point of the screen shows. */
  placeAt(point: Point): Point | undefined {
    return this.#frame && toFloor(this.#frame, point);
  }

  /** Where a place on the floor is on the screen. */
  pointOf(place: Point): Point | undefined {
    const frame = this.#frame;
    if (!frame) return undefined;
    return {
      x: frame.width / 2 + (place.x - frame.centre.x) * frame.scale,
      y: frame.height / 2 + (place.y - frame.centre.y) * frame.scale,
    };
  }

  draw(scene: Scene | undefined, nowMs: number): void {
    const dtS = Math.min(Math.max(nowMs - this.#lastMs, 0), 100) / 1000;
    this.#lastMs = nowMs;
    const own = scene?.view.own;
    if (own) this.#camera.follow(own.pose, own.pose, dtS);
    const frame = this.#fit();
    this.#frame = frame;
    const context = this.#context;
    this.#toMetres(frame);
    drawOutside(context, frame);
    drawFloor(context, frame);
    const isServed = own !== undefined && isAtKiosk(own.pose);
    drawKiosk(context, this.#glows, nowMs, isServed);
    this.paint.drawFloor(context, nowMs);
    drawWallShades(context, frame);
    if (!scene) {
      for (const box of idlePlatforms(nowMs)) drawPlatform(context, frame, box);
      drawWalls(context, frame);
      return;
    }
    const players = [...scene.view.all("player")];
    this.#notice(scene.view, players, nowMs);
    this.#drawLight(scene.view, players, frame, nowMs);
    // The own one last: in a crowd it lies on top.
    for (const player of players.toSorted((a, b) => Number(a.own) - Number(b.own))) {
      drawFigure(context, figureOf(player, scene.tick));
    }
    this.paint.drawAir(context, this.#glows, nowMs);
    this.#particles.draw(context, nowMs, dtS);
    for (const platform of scene.view.all("platform")) drawPlatform(context, frame, boxOf(platform));
    drawWalls(context, frame);
    // Over the walls: it marks the own player wherever it is.
    if (own) this.#drawOwn(scene, own);
    this.paint.drawMarks(context, nowMs);
    context.setTransform(frame.density, 0, 0, frame.density, 0, 0);
    drawOffer(context, frame, isServed);
    drawLabels(context, frame, labelsOf(players, scene.seats, frame));
    this.#floats.draw(context, frame, nowMs);
  }

  /** Matches the canvas to its size on the screen in device pixels, so that lines stay sharp. */
  #fit(): Frame {
    const canvas = this.#canvas;
    // More than three pixels per point can't be seen, but would have to be filled.
    const density = Math.min(window.devicePixelRatio || 1, 3);
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    const pixelsAcross = Math.round(width * density);
    const pixelsDown = Math.round(height * density);
    if (canvas.width !== pixelsAcross || canvas.height !== pixelsDown) {
      canvas.width = pixelsAcross;
      canvas.height = pixelsDown;
    }
    return this.#camera.frame(width, height, density);
  }

  #toMetres(frame: Frame): void {
    const zoom = frame.scale * frame.density;
    this.#context.setTransform(
      zoom,
      0,
      0,
      zoom,
      (frame.width / 2) * frame.density - frame.centre.x * zoom,
      (frame.height / 2) * frame.density - frame.centre.y * zoom,
    );
  }

  /** Bursts where sparks went out, and what the own player gained. */
  #notice(view: View<Arena>, players: readonly Player[], nowMs: number): void {
    const sparks = new Map<number, Point & { readonly epoch: number }>();
    for (const { id, epoch, spot } of view.all("spark")) sparks.set(id, { x: spot.x, y: spot.y, epoch });
    for (const [id, spark] of this.#sparks) {
      if (sparks.get(id)?.epoch === spark.epoch) continue;
      this.#particles.burst(spark, SPARK_HUE, 14, nowMs);
    }
    this.#sparks = sparks;
    for (const { id, pose } of players) this.#trails.add(id, pose, nowMs);
    this.#trails.keepOnly(new Set(players.map(({ id }) => id)));
    this.paint.move(players, nowMs);
    const tally = view.own?.tally.sparks;
    if (view.own && tally !== undefined && this.#ownSparks !== undefined && tally > this.#ownSparks) {
      this.#floats.add(view.own.pose, `+${tally - this.#ownSparks}`, nowMs);
    }
    this.#ownSparks = tally;
  }

  #drawLight(view: View<Arena>, players: readonly Player[], frame: Frame, nowMs: number): void {
    const context = this.#context;
    const platforms = [...view.all("platform")].map(boxOf);
    if (view.own) this.#lantern.draw(context, view.own.pose, view.own.look.hue, [...WALLS, ...platforms]);
    for (const platform of platforms) drawShade(context, platform, 0.4);
    context.globalCompositeOperation = "lighter";
    for (const { id, pose, look, own, stride } of players) {
      if (!isVisible(frame, pose, 3)) continue;
      this.#trails.draw(context, id, look.hue, stride.sprinting ? 1.6 : 0.8, nowMs);
      this.#glows.draw(context, look.hue, pose, 2.3, own ? 0.5 : 0.34);
    }
    for (const { spot } of view.all("spark")) {
      if (isVisible(frame, spot, 2))
        this.#glows.draw(context, SPARK_HUE, spot, spot.worth > 1 ? 2 : 1.3, 0.4);
    }
    context.globalCompositeOperation = "source-over";
    for (const { id, spot } of view.all("spark")) drawSpark(context, spot, spot.worth, id, nowMs);
  }

  #drawOwn({ view, showGhost }: Scene, own: Player): void {
    drawOwnRing(this.#context, own.pose, own.stride.stamina, own.stride.winded);
    const ghost = showGhost ? view.server(own.id) : undefined;
    if (ghost?.archetype === "player") drawGhost(this.#context, ghost.pose, own.pose);
  }
}

/** Something moves already while a visitor reads and types: platforms need nothing but a time. */
function idlePlatforms(nowMs: number): Box[] {
  const tick = (nowMs * TICK_RATE) / 1000;
  return PLATFORMS.map(({ slab, track }) => ({ ...platformAt(track, tick), ...slab }));
}

function figureOf({ id, pose, facing, look, coat, stalled }: Player, tick: number) {
  const wet = (coat.until - tick) / COAT_TICKS;
  // At full strength for the first two thirds, then it dries.
  const painted = wet > 0 ? { id, hue: coat.hue, strength: Math.min(1, wet * 3) } : undefined;
  return { x: pose.x, y: pose.y, heading: facing.heading, hue: look.hue, stalled, coat: painted };
}

function boxOf({ pose, slab }: ViewEntity<Arena, "platform">) {
  return { x: pose.x, y: pose.y, halfWidth: slab.halfWidth, halfHeight: slab.halfHeight };
}

function labelsOf(players: readonly Player[], seats: readonly SeatInfo[], frame: Frame): Label[] {
  const most = Math.max(1, ...players.map(({ tally }) => tally.sparks));
  const bySeat = new Map(seats.map((seat) => [seat.seat, seat]));
  return players
    .filter(({ pose }) => isVisible(frame, pose, 2))
    .map(({ owner, own, pose, tally }) => {
      const seat = bySeat.get(owner);
      const tone = own ? "own" : seat?.kind === "bot" ? "bot" : "player";
      const away = seat && !seat.connected ? " …" : "";
      return { x: pose.x, y: pose.y, text: `${seat?.name ?? ""}${away}`, tone, leads: tally.sparks === most };
    });
}
