const LEFT = new Set(["KeyA", "ArrowLeft"]);
const RIGHT = new Set(["KeyD", "ArrowRight"]);
const JUMP = new Set(["Space", "KeyW", "ArrowUp"]);

/** What the player wants, from keys or from buttons under the thumbs. */
export class Controls {
  readonly #down = new Set<string>();
  readonly #onJump: () => void;

  constructor(pads: HTMLElement, onJump: () => void) {
    this.#onJump = onJump;
    addEventListener("keydown", (event) => {
      if (event.repeat || event.target instanceof HTMLInputElement) return;
      if (JUMP.has(event.code)) event.preventDefault();
      this.#press(event.code);
    });
    addEventListener("keyup", ({ code }) => this.#down.delete(code));
    // A key that is let go of in another window would be held for ever.
    addEventListener("blur", () => this.#down.clear());
    pads.hidden = !matchMedia("(pointer: coarse)").matches;
    for (const [id, code] of Object.entries({ left: "KeyA", right: "KeyD", up: "Space" })) {
      const pad = pads.querySelector<HTMLElement>(`#${id}`);
      pad?.addEventListener("pointerdown", () => this.#press(code));
      for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
        pad?.addEventListener(end, () => this.#down.delete(code));
      }
    }
  }

  get move(): number {
    const held = [...this.#down];
    return Number(held.some((code) => RIGHT.has(code))) - Number(held.some((code) => LEFT.has(code)));
  }

  #press(code: string): void {
    if (JUMP.has(code)) this.#onJump();
    else this.#down.add(code);
  }
}
