import type { Point } from "../geometry.ts";

/** A hand that rests on the keyboard leaves the mouse lying somewhere: after so long it aims no more. */
const FORGOTTEN_MS = 4000;

/** Where the mouse points on the screen, and whether its button is down. */
export class Mouse {
  #at: Point | undefined;
  #movedMs = 0;
  #down = false;

  constructor(surface: HTMLElement) {
    surface.addEventListener("pointermove", (event) => this.#move(event));
    surface.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch" || event.button !== 0) return;
      this.#move(event);
      this.#down = true;
      // A button let go outside the window would never be reported.
      surface.setPointerCapture(event.pointerId);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      surface.addEventListener(end, (event) => {
        if (event.pointerType !== "touch") this.#down = false;
      });
    }
    window.addEventListener("blur", () => {
      this.#down = false;
    });
  }

  get fires(): boolean {
    return this.#down;
  }

  /** Undefined while somebody plays without it. */
  at(nowMs: number): Point | undefined {
    return this.#down || nowMs - this.#movedMs < FORGOTTEN_MS ? this.#at : undefined;
  }

  #move(event: PointerEvent): void {
    if (event.pointerType === "touch") return;
    this.#at = { x: event.clientX, y: event.clientY };
    this.#movedMs = event.timeStamp;
  }
}
