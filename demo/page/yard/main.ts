import wasmUrl from "@dimforge/rapier2d-deterministic/rapier_wasm2d_bg.wasm?url";
import { JoinError, join, type RoomClient } from "tickroom/client";
import { type Yard, yard } from "../../yard/game.ts";
import { startRapier } from "../../yard/rapier.ts";
import { rememberedName, suggestName } from "../identity.ts";
import { overlayOnKey } from "../overlay-key.ts";
import { Controls } from "./controls.ts";
import { Painter } from "./draw.ts";

function find<E extends HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element #${id}`);
  return element as E;
}

const RETRY_MS = 1500;
const query = new URLSearchParams(location.search);
const roomName = query.get("room") ?? "yard:lobby";
const painter = new Painter(find<HTMLCanvasElement>("stage"));
const latency = find<HTMLInputElement>("latency");
let room: RoomClient<Yard> | undefined;
const controls = new Controls(find("pads"), () => room?.input.press("jump"));

function say(text: string): void {
  find("notice").textContent = text;
  find("notice").hidden = text === "";
}

const FLASH_MS = 3500;

function flash(text: string): void {
  say(text);
  setTimeout(() => {
    if (find("notice").textContent === text) say("");
  }, FLASH_MS);
}

/** Only when it moves: what the debug overlay has set meanwhile stays. */
function setLatency(): void {
  if (room) room.link.latencyMs = latency.valueAsNumber / 2;
}

async function play(): Promise<void> {
  try {
    const joined = await join(yard, {
      room: roomName,
      name: query.get("name") ?? rememberedName() ?? suggestName(),
    });
    joined.on("reconnecting", () => say("Connection lost. Reconnecting …"));
    joined.on("joined", () => say(""));
    joined.on("restarted", ({ incarnation }) =>
      flash(`The room was restarted and goes on: incarnation ${incarnation}`),
    );
    joined.on("closed", ({ reason }) => say(`Out of the room: ${reason}. Reload to join again.`));
    room = joined;
    setLatency();
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
  setLatency();
});
// With the focus left on it, the arrow keys would move the slider instead of the walker.
latency.addEventListener("change", () => latency.blur());
overlayOnKey(
  () => room,
  (entity) => ("pose" in entity ? painter.pointOf(entity.pose) : undefined),
);
requestAnimationFrame(frame);
say("Loading the engine …");
startRapier(await WebAssembly.compileStreaming(fetch(wasmUrl)));
say("Connecting …");
await play();
