import type { Point } from "../geometry.ts";
import { isAtKiosk } from "../kiosk.ts";
import { Gunner } from "./gunner.ts";
import { Hud } from "./hud.ts";
import { rememberedName, rememberName, suggestName } from "./identity.ts";
import { Keyboard } from "./keyboard.ts";
import { Kit } from "./kit.ts";
import { Mouse } from "./mouse.ts";
import { Notice } from "./notice.ts";
import { overlayOnKey } from "./overlay-key.ts";
import { ReceiptLog } from "./receipt-log.ts";
import { Renderer } from "./renderer.ts";
import { Scores } from "./scores.ts";
import { Session } from "./session.ts";
import { Settings } from "./settings.ts";
import { Touch } from "./touch.ts";

function find<E extends HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element #${id}`);
  return element as E;
}

const query = new URLSearchParams(location.search);
const roomName = query.get("room") ?? "arena:lobby";

const canvas = find<HTMLCanvasElement>("stage");
const renderer = new Renderer(canvas);
const notice = new Notice(find("notice"), find("lamp"));
const session = new Session(roomName, notice);
const keyboard = new Keyboard(buy);
const touch = new Touch(canvas, find("touch"), buy);
const mouse = new Mouse(canvas);
const receiptLog = new ReceiptLog(find("log"));
const gunner = new Gunner(renderer.paint, receiptLog);
const kit = new Kit(find("kit"));
const settings = new Settings(find<HTMLFormElement>("controls"));
const hud = new Hud(find<HTMLDetailsElement>("figures"), find("stats"));
const scores = new Scores(find("scores"));

find("place").textContent = roomName;
find("hint").hidden = window.matchMedia("(pointer: coarse)").matches;
// On a phone panels would cover the game: closed at first, and never both open.
const wide = window.matchMedia("(min-width: 900px)").matches;
for (const id of ["figures", "settings"]) {
  const panel = find<HTMLDetailsElement>(id);
  panel.open = wide;
  if (!wide) panel.name = "panel";
}

function play(name: string): void {
  rememberName(name);
  find("entry").hidden = true;
  void session.start(name);
}

function askName(): void {
  const form = find<HTMLFormElement>("entry");
  const input = find<HTMLInputElement>("name");
  input.value = rememberedName() ?? suggestName();
  form.hidden = false;
  input.select();
  form.addEventListener(
    "submit",
    (event) => {
      event.preventDefault();
      play(input.value.trim() || suggestName());
    },
    { once: true },
  );
}

function buy(): void {
  // Elsewhere the key means nothing; the room would only say no.
  const own = session.room?.view.own;
  if (session.room && own && isAtKiosk(own.pose)) gunner.buy(session.room);
}

/** Towards the mouse; without one, where the player looks. */
function aim(
  own: { readonly pose: Point; readonly facing: { readonly heading: number } },
  nowMs: number,
): number {
  const pointer = mouse.at(nowMs);
  const place = pointer && renderer.placeAt(pointer);
  return place ? Math.atan2(place.y - own.pose.y, place.x - own.pose.x) : own.facing.heading;
}

/** Frames of walking after which nobody needs to be told the keys any more. */
const LEARNT_FRAMES = 180;
let walkedFrames = 0;

overlayOnKey(
  () => session.room,
  (entity) => (entity.archetype === "player" ? renderer.pointOf(entity.pose) : undefined),
);

function frame(nowMs: number): void {
  requestAnimationFrame(frame);
  const { room } = session;
  if (!room) {
    renderer.draw(undefined, nowMs);
    return;
  }
  const hand = touch.wish;
  const keys = keyboard.wish;
  const touched = hand.moveX !== 0 || hand.moveY !== 0;
  settings.apply(room);
  room.input.set({
    moveX: touched ? hand.moveX : keys.moveX,
    moveY: touched ? hand.moveY : keys.moveY,
    sprint: hand.sprint || keys.sprint,
  });
  if ((keys.moveX !== 0 || keys.moveY !== 0) && ++walkedFrames === LEARNT_FRAMES) find("hint").hidden = true;
  const { own } = room.view;
  const fire = hand.fire || keys.fire || mouse.fires;
  gunner.showsJudged = settings.showGhost;
  gunner.update(room, { fire, aim: own ? aim(own, nowMs) : 0, live: !settings.compensates }, nowMs);
  touch.sells = own !== undefined && isAtKiosk(own.pose);
  room.frame(nowMs);
  const seats = room.seats();
  const stats = room.stats();
  renderer.draw({ view: room.view, seats, showGhost: settings.showGhost, tick: stats.tick }, nowMs);
  hud.update(() => stats, nowMs);
  scores.update(room.view, seats, nowMs);
  receiptLog.update(seats, nowMs);
  kit.update(room.view, fire);
}

requestAnimationFrame(frame);
const known = query.get("name") ?? rememberedName();
if (known) play(known);
else askName();
