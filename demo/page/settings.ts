import type { RoomClient } from "tickroom/client";
import type { Arena } from "../game.ts";

interface Slider {
  readonly id: string;
  readonly label: string;
  readonly max: number;
  readonly step: number;
  readonly unit: string;
}

const SLIDERS = {
  latency: { id: "latency", label: "Added latency", max: 400, step: 10, unit: "ms" },
  jitter: { id: "jitter", label: "Jitter", max: 200, step: 10, unit: "ms" },
  bursts: { id: "bursts", label: "Bursts", max: 10, step: 1, unit: "%" },
} as const satisfies Record<string, Slider>;

/** Length of a stall that a burst begins with. */
const BURST_MS = 250;

/** Faults for the own link, prediction and lag compensation on or off, and the ghost. */
export class Settings {
  readonly #inputs: Readonly<Record<keyof typeof SLIDERS, HTMLInputElement>>;
  readonly #prediction: HTMLInputElement;
  readonly #ghost: HTMLInputElement;
  readonly #compensation: HTMLInputElement;
  /** The sliders' part of a link is set when one moves: what the debug overlay has set meanwhile stays. */
  #moved = true;
  #room: RoomClient<Arena> | undefined;

  constructor(form: HTMLFormElement) {
    this.#inputs = {
      latency: addSlider(form, SLIDERS.latency),
      jitter: addSlider(form, SLIDERS.jitter),
      bursts: addSlider(form, SLIDERS.bursts),
    };
    this.#prediction = addSwitch(form, "prediction", "Prediction", true);
    this.#ghost = addSwitch(form, "ghost", "Ghost of the room’s state", false);
    this.#compensation = addSwitch(form, "compensation", "Lag compensation", true);
    for (const input of Object.values(this.#inputs)) {
      input.addEventListener("input", () => {
        this.#moved = true;
      });
    }
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  get showGhost(): boolean {
    return this.#ghost.checked;
  }

  /** Whether shots are judged by what this page shows. */
  get compensates(): boolean {
    return this.#compensation.checked;
  }

  /** Once per frame: what is set counts for whichever room the page is in. */
  apply(room: RoomClient<Arena>): void {
    room.prediction.enabled = this.#prediction.checked;
    if (!this.#moved && room === this.#room) return;
    this.#moved = false;
    this.#room = room;
    // The slider says what is added to a round trip; the link delays each way.
    room.link.latencyMs = this.#inputs.latency.valueAsNumber / 2;
    room.link.jitterMs = this.#inputs.jitter.valueAsNumber / 2;
    room.link.burstShare = this.#inputs.bursts.valueAsNumber / 100;
    room.link.burstMs = BURST_MS;
  }
}

function addSlider(form: HTMLFormElement, { id, label, max, step, unit }: Slider): HTMLInputElement {
  const row = document.createElement("label");
  row.className = "slider";
  const input = document.createElement("input");
  Object.assign(input, { id, type: "range", min: "0", max: String(max), step: String(step), value: "0" });
  const output = document.createElement("output");
  const show = () => {
    output.textContent = `${input.value} ${unit}`;
    input.style.setProperty("--filled", `${(100 * input.valueAsNumber) / max}%`);
  };
  input.addEventListener("input", show);
  // With the focus left on a slider, the arrow keys would move it instead of the player.
  input.addEventListener("change", () => input.blur());
  show();
  const name = document.createElement("span");
  name.textContent = label;
  row.append(name, output, input);
  form.append(row);
  return input;
}

function addSwitch(form: HTMLFormElement, id: string, label: string, on: boolean): HTMLInputElement {
  const row = document.createElement("label");
  row.className = "switch";
  const input = document.createElement("input");
  Object.assign(input, { id, type: "checkbox", role: "switch", checked: on });
  input.addEventListener("change", () => input.blur());
  const name = document.createElement("span");
  name.textContent = label;
  row.append(name, input);
  form.append(row);
  return input;
}
