/** What is asked for now, whichever device asks. */
export interface Wish {
  readonly moveX: number;
  readonly moveY: number;
  readonly sprint: boolean;
  readonly fire: boolean;
}

/** By place on the keyboard, not by letter: WASD is ZQSD elsewhere. */
const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  KeyW: [0, -1],
  ArrowUp: [0, -1],
  KeyS: [0, 1],
  ArrowDown: [0, 1],
  KeyA: [-1, 0],
  ArrowLeft: [-1, 0],
  KeyD: [1, 0],
  ArrowRight: [1, 0],
};

const SPRINT = new Set(["ShiftLeft", "ShiftRight"]);
const FIRE = "Space";
const BUY = "KeyB";

export class Keyboard {
  readonly #down = new Set<string>();
  readonly #onBuy: () => void;

  /** @param onBuy called once for each press of the key that buys */
  constructor(onBuy: () => void) {
    this.#onBuy = onBuy;
    window.addEventListener("keydown", (event) => this.#press(event));
    window.addEventListener("keyup", (event) => this.#down.delete(event.code));
    // A key released while another window has the focus is never reported: the player would run on.
    window.addEventListener("blur", () => this.#down.clear());
  }

  get wish(): Wish {
    let moveX = 0;
    let moveY = 0;
    for (const code of this.#down) {
      const [x = 0, y = 0] = DIRECTIONS[code] ?? [];
      moveX += x;
      moveY += y;
    }
    return {
      moveX: Math.sign(moveX),
      moveY: Math.sign(moveY),
      sprint: [...SPRINT].some((code) => this.#down.has(code)),
      fire: this.#down.has(FIRE),
    };
  }

  #press(event: KeyboardEvent): void {
    const typing = event.target instanceof HTMLInputElement && event.target.type === "text";
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.code === BUY && !event.repeat) this.#onBuy();
    // The space bar still works a button or a switch that has the focus.
    if (event.code === FIRE && isControl(event.target)) return;
    if (!(event.code in DIRECTIONS) && !SPRINT.has(event.code) && event.code !== FIRE) return;
    this.#down.add(event.code);
    // Arrows scroll the page or move a slider that has the focus.
    if (event.code.startsWith("Arrow")) event.preventDefault();
  }
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, summary, input") !== null;
}
