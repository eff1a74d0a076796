import wasmUrl from "@dimforge/rapier2d-deterministic/rapier_wasm2d_bg.wasm?url";
import { JoinError, join, type RoomClient } from "tickroom/client";
import { type Yard, yard } from "../../yard/game.ts";
import { startRapier } from "../../yard/rapier.ts";
import { rememberedName, suggestName } from "../identity.ts";
import { Controls } from "./controls.ts";
import { Painter } from "./draw.ts";

function find<E extends HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element #${id}`);
  return element as E;
}

const RETRY_MS = 1500;
const roomName = new URLSearchParams(location.search).get("room") ?? "yard:lobby";
const painter = new Painter(find<HTMLCanvasElement>("stage"));
const latency = find<HTMLInputElement>("latency");
let room: RoomClient<Yard> | undefined;
const controls = new Controls(find("pads"), () => room?.input.press("jump"));

function say(text: string): void {
  find("notice").textContent = text;
  find("notice").hidden = text === "";
}

async function play(): Promise<void> {
  try {
    const joined = await join(yard, { room: roomName, name: rememberedName() ?? suggestName() });
    joined.on("reconnecting", () => say("Connection lost. Reconnecting …"));
    joined.on("joined", () => say(""));
    joined.on("closed", ({ reason }) => say(`Out of the room: ${reason}. Reload to join again.`));
    room = joined;
    say("");
  } catch (error) {
    const refused = error instanceof JoinError && error.failure !== "unreachable";
    say(refused ? error.message : "The server doesn’t answer. Trying again …");
    if (!refused) setTimeout(() => void play(), RETRY_MS);
  }
}

function showFigures({
  rttMs,
  corrections,
  correctionP95,
  replayedTicks,
  interpolationDelayMs,
}: ReturnType<RoomClient<Yard>["stats"]>): void {
  const rows = {
    "Round trip": `${Math.round(rttMs)} ms`,
    Corrections: `${corrections}`,
    "95 % below": `${correctionP95.toFixed(2)} m`,
    "Replayed ticks": `${replayedTicks}`,
    "Others’ delay": `${Math.round(interpolationDelayMs)} ms`,
  };
  find("figures").innerHTML = Object.entries(rows)
    .map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`)
    .join("");
}

let figuresMs = 0;

function frame(nowMs: number): void {
  requestAnimationFrame(frame);
  if (room) {
    room.link.latencyMs = latency.valueAsNumber / 2;
    room.input.set({ move: controls.move });
    room.frame(nowMs);
    if (nowMs > figuresMs + 250) {
      figuresMs = nowMs;
      showFigures(room.stats());
    }
  }
  painter.draw(room?.view, room?.seats() ?? []);
}

latency.addEventListener("input", () => {
  find("latency-says").textContent = `${latency.value} ms`;
});
// With the focus left on it, the arrow keys would move the slider instead of the walker.
latency.addEventListener("change", () => latency.blur());
requestAnimationFrame(frame);
say("Loading the engine …");
startRapier(await WebAssembly.compileStreaming(fetch(wasmUrl)));
say("Connecting …");
await play();
