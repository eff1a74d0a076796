import type { View } from "tickroom/client";
import type { Arena } from "../game.ts";
import { TANK } from "../tuning.ts";

/** What the own player carries: paint in drops, and coins. */
export class Kit {
  readonly #panel: HTMLElement;
  readonly #drops: readonly HTMLElement[];
  readonly #extra: HTMLElement;
  readonly #coins: HTMLElement;
  #shown = "";

  constructor(panel: HTMLElement) {
    this.#panel = panel;
    const paint = document.createElement("p");
    paint.className = "paint";
    this.#drops = Array.from({ length: TANK }, () => document.createElement("i"));
    this.#extra = document.createElement("b");
    this.#extra.id = "ammo";
    paint.append(...this.#drops, this.#extra);
    paint.title = "paint in the tank";
    const purse = document.createElement("p");
    purse.className = "purse";
    purse.title = "coins in the wallet";
    this.#coins = document.createElement("b");
    this.#coins.id = "coins";
    purse.append("● ", this.#coins);
    panel.append(paint, purse);
  }

  /** @param triesToFire shows an empty tank to somebody who pulls the trigger all the same */
  update({ own }: View<Arena>, triesToFire: boolean): void {
    this.#panel.hidden = !own;
    if (!own) return;
    const { gun, purse } = own;
    const isDry = gun.paint === 0 && triesToFire;
    const shown = `${gun.paint} ${purse.coins} ${isDry}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    for (const [index, drop] of this.#drops.entries()) drop.className = index < gun.paint ? "full" : "";
    this.#extra.textContent = String(gun.paint);
    this.#coins.textContent = String(purse.coins);
    this.#panel.classList.toggle("dry", isDry);
  }
}
