import type { Wish } from "./keyboard.ts";

/** Finger's way from the middle of the stick to its rim, in pixels. */
const REACH = 56;

/**
 * A stick that appears wherever the thumb comes down on the left half of the screen, and buttons on the
 * right. Shown from the first touch on.
 */
export class Touch {
  readonly #stick: HTMLElement;
  readonly #knob: HTMLElement;
  #finger: number | undefined;
  #originX = 0;
  #originY = 0;
  #x = 0;
  #y = 0;
  readonly #sprint: () => boolean;
  readonly #fire: () => boolean;
  readonly #buy: HTMLElement;

  /** @param onBuy called once for each touch of the button that buys */
  constructor(surface: HTMLElement, panel: HTMLElement, onBuy: () => void) {
    this.#stick = panel.querySelector("#stick") as HTMLElement;
    this.#knob = this.#stick.querySelector("i") as HTMLElement;
    this.#sprint = holdable(panel.querySelector("#sprint") as HTMLElement);
    this.#fire = holdable(panel.querySelector("#fire") as HTMLElement);
    this.#buy = panel.querySelector("#buy") as HTMLElement;
    this.#buy.addEventListener("pointerdown", onBuy);
    if (window.matchMedia("(pointer: coarse)").matches) panel.hidden = false;
    surface.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "touch") return;
      panel.hidden = false;
      if (this.#finger === undefined && event.clientX < window.innerWidth * 0.62) this.#grab(event, surface);
    });
    surface.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel"] as const) {
      surface.addEventListener(end, (event) => this.#release(event));
    }
    // A long press would open a menu in the middle of a walk.
    panel.addEventListener("contextmenu", (event) => event.preventDefault());
    surface.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Whether the button that buys is there. */
  set sells(sells: boolean) {
    this.#buy.hidden = !sells;
  }

  get wish(): Wish {
    return { moveX: this.#x, moveY: this.#y, sprint: this.#sprint(), fire: this.#fire() };
  }

  #grab(event: PointerEvent, surface: HTMLElement): void {
    this.#finger = event.pointerId;
    this.#originX = event.clientX;
    this.#originY = event.clientY;
    surface.setPointerCapture(event.pointerId);
    this.#stick.style.left = `${event.clientX}px`;
    this.#stick.style.top = `${event.clientY}px`;
    this.#stick.dataset.held = "";
    this.#drag(event);
  }

  #drag(event: PointerEvent): void {
    if (event.pointerId !== this.#finger) return;
    const dx = (event.clientX - this.#originX) / REACH;
    const dy = (event.clientY - this.#originY) / REACH;
    const length = Math.hypot(dx, dy);
    const scale = length > 1 ? 1 / length : 1;
    // A thumb is never quite still: near the middle it asks for nothing.
    const rests = length < 0.16;
    this.#x = rests ? 0 : dx * scale;
    this.#y = rests ? 0 : dy * scale;
    this.#knob.style.transform = `translate(${dx * scale * REACH}px, ${dy * scale * REACH}px)`;
  }

  #release(event: PointerEvent): void {
    if (event.pointerId !== this.#finger) return;
    this.#finger = undefined;
    this.#x = 0;
    this.#y = 0;
    delete this.#stick.dataset.held;
    this.#stick.style.left = "";
    this.#stick.style.top = "";
    this.#knob.style.transform = "";
  }
}

/** Makes a button tell whether it is held. */
function holdable(button: HTMLElement): () => boolean {
  button.addEventListener("pointerdown", (event) => {
    button.setPointerCapture(event.pointerId);
    button.dataset.on = "";
    event.preventDefault();
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
    button.addEventListener(end, () => delete button.dataset.on);
  }
  return () => button.dataset.on !== undefined;
}
