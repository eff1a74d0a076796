import { join } from "tickroom/client";
import { FIELD, lanterns } from "./game.ts";

const canvas = document.querySelector("canvas") as HTMLCanvasElement;
const context = canvas.getContext("2d") as CanvasRenderingContext2D;
const output = document.querySelector("output") as HTMLOutputElement;

const room = await join(lanterns, { room: "lanterns:lobby", name: "me" });

const keys = new Set<string>();
addEventListener("keydown", ({ code, repeat }) => {
  keys.add(code);
  if (code === "Space" && !repeat) void light();
});
addEventListener("keyup", ({ code }) => keys.delete(code));
addEventListener("blur", () => keys.clear());
const between = (less: string, more: string) => Number(keys.has(more)) - Number(keys.has(less));

let answer = "Walk with the arrow keys, light a lantern with the space bar.";
async function light() {
  const outcome = await room.actions.light().settled;
  if (outcome.status === "rejected") answer = outcome.reason;
  else if (outcome.status === "settled")
    answer = outcome.result.lit ? "It burns." : "No dark lantern in reach.";
}

const sparks: { x: number; y: number; frames: number }[] = [];
room.effects.on<{ x: number; y: number }>("spark", {
  play: ({ data }) => void sparks.push({ ...data, frames: 15 }),
});

function square(x: number, y: number, size: number, colour: string) {
  context.fillStyle = colour;
  context.fillRect(x - size / 2, y - size / 2, size, size);
}

function draw() {
  room.input.set({ moveX: between("ArrowLeft", "ArrowRight"), moveY: between("ArrowUp", "ArrowDown") });
  room.frame();
  context.clearRect(0, 0, FIELD.width, FIELD.height);
  for (const { place, flame } of room.view.all("lantern")) {
    square(place.x, place.y, 24, flame.burnsTicks > 0 ? "gold" : "dimgray");
  }
  for (const { body, own } of room.view.all("walker")) {
    square(body.x, body.y, 16, own ? "crimson" : "steelblue");
  }
  for (const spark of sparks) {
    spark.frames -= 1;
    if (spark.frames > 0) square(spark.x, spark.y, 40 - spark.frames, "orange");
  }
  const own = room.view.own;
  output.value = `Embers: ${own ? own.pouch.embers : "–"}. ${answer}`;
  requestAnimationFrame(draw);
}
draw();
