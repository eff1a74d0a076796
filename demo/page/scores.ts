import type { SeatInfo, View } from "tickroom/client";
import type { Arena } from "../game.ts";
import { tint } from "./palette.ts";

const EVERY_MS = 400;
const MOST_LINES = 5;

interface Line {
  readonly name: string;
  readonly sparks: number;
  readonly hue: number;
  readonly own: boolean;
}

/** Who has found most sparks; the own line is always among them. */
export class Scores {
  readonly #list: HTMLElement;
  #shown = "";
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(list: HTMLElement) {
    this.#list = list;
  }

  update(view: View<Arena>, seats: readonly SeatInfo[], nowMs: number): void {
    if (nowMs - this.#lastMs < EVERY_MS) return;
    this.#lastMs = nowMs;
    const names = new Map(seats.map(({ seat, name }) => [seat, name]));
    const lines = [...view.all("player")]
      .map(({ owner, own, look, tally }) => ({
        name: names.get(owner) ?? "",
        sparks: tally.sparks,
        hue: look.hue,
        own,
      }))
      .sort((a, b) => b.sparks - a.sparks || Number(b.own) - Number(a.own) || a.name.localeCompare(b.name));
    const top = lines.slice(0, MOST_LINES);
    const own = lines.find((line) => line.own);
    if (own && !top.includes(own)) top[top.length - 1] = own;
    this.#show(top);
  }

  #show(lines: readonly Line[]): void {
    const text = JSON.stringify(lines);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#list.replaceChildren(
      ...lines.map(({ name, sparks, hue, own }) => {
        const item = document.createElement("li");
        if (own) item.className = "own";
        const dot = document.createElement("i");
        dot.style.background = tint(hue);
        const label = document.createElement("span");
        label.textContent = name;
        const count = document.createElement("b");
        count.textContent = `${sparks} ✦`;
        item.append(dot, label, count);
        return item;
      }),
    );
  }
}
