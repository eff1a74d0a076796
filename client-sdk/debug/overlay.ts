import type { GameShape } from "../../sim/index.ts";
import { type LinkPreset, linkPresets, type RoomClient, type Stats } from "../index.ts";
import { NO_FAULTS } from "../no-faults.ts";
import { EventLog, LOG_KINDS } from "./event-log.ts";
import { Ghosts, type Project } from "./ghosts.ts";
import { Graphs } from "./graphs.ts";
import { Samples } from "./samples.ts";
import { STYLE } from "./style.ts";
import { watchRoom } from "./watch-room.ts";

export interface DebugOverlayOptions<S extends GameShape> {
  /** *Default* `document.body`. */
  readonly container?: HTMLElement;
  /** With it the overlay draws where the room has the own entity, and how corrections moved it. */
  readonly project?: Project<S>;
  /** The overlay was closed, by its own button or by `close`. */
  readonly onClose?: () => void;
}

const SAMPLE_MS = 100;
const GRAPH_WIDTH = 196;

/** What a developer wants to see of a client while it plays. Costs nothing before it is made and after `close`. */
export class DebugOverlay<S extends GameShape> {
  readonly #room: RoomClient<S>;
  readonly #host = document.createElement("div");
  readonly #samples = new Samples();
  readonly #log = new EventLog();
  readonly #graphs = new Graphs(GRAPH_WIDTH);
  readonly #figures = document.createElement("dl");
  readonly #lines = document.createElement("ol");
  readonly #ghosts: Ghosts<S> | undefined;
  readonly #unwatch: () => void;
  readonly #onClose: (() => void) | undefined;
  #frame: number;
  #sampledMs = Number.NEGATIVE_INFINITY;
  /** Of the newest frame. */
  #nowMs = 0;

  constructor(room: RoomClient<S>, options: DebugOverlayOptions<S> = {}) {
    this.#room = room;
    this.#onClose = options.onClose;
    this.#ghosts = options.project && new Ghosts(room, options.project);
    const root = this.#host.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = STYLE;
    const panel = document.createElement("section");
    panel.setAttribute("aria-label", "Tickroom debug overlay");
    panel.append(this.#head(panel), this.#graphs.element, this.#figures, this.#bar(), this.#lines);
    root.append(style, ...(this.#ghosts ? [this.#ghosts.canvas] : []), panel);
    (options.container ?? document.body).append(this.#host);
    this.#unwatch = watchRoom(room, {
      log: (kind, text) => this.#log.add(kind, text, this.#nowMs),
      corrected: (distance) => {
        this.#samples.corrected(distance);
        this.#ghosts?.corrected(this.#nowMs);
      },
    });
    this.#frame = requestAnimationFrame((nowMs) => this.#draw(nowMs));
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#unwatch();
    this.#graphs.close();
    this.#host.remove();
    this.#onClose?.();
  }

  #draw(nowMs: number): void {
    this.#frame = requestAnimationFrame((nextMs) => this.#draw(nextMs));
    this.#nowMs = nowMs;
    this.#ghosts?.draw(nowMs);
    if (nowMs < this.#sampledMs + SAMPLE_MS) return;
    this.#sampledMs = nowMs;
    const stats = this.#room.stats();
    this.#samples.take(stats, nowMs);
    this.#graphs.show(this.#samples);
    this.#showFigures(stats);
    this.#showLog();
  }

  #showFigures(stats: Stats): void {
    const rows: readonly (readonly [string, string | number])[] = [
      ["tick", stats.tick],
      ["incarnation", stats.incarnation],
      ["consumed", stats.consumed],
      ["durable", stats.durable],
      ["pending inputs", stats.pendingInputs],
      ["open actions", stats.openActions],
      ["in tolerance", `${(100 * stats.inToleranceShare).toFixed(1)} %`],
      ["hard applies", stats.hardApplies],
      ["corrections / min", stats.correctionsPerMinute.toFixed(1)],
      ["their p95", stats.correctionP95.toFixed(2)],
      ["missed inputs", stats.missedInputs],
      ["bad frames", stats.badFrames],
      ["epoch", stats.epoch],
      ["entities", stats.entities],
    ];
    this.#figures.replaceChildren(
      ...rows.flatMap(([name, value]) => [textOf("dt", name), textOf("dd", String(value))]),
    );
  }

  #showLog(): void {
    this.#lines.replaceChildren(
      ...this.#log.lines.map(({ kind, text, atMs }) => {
        const item = textOf("li", `${(atMs / 1000).toFixed(1)} ${text}`);
        item.dataset.kind = kind;
        return item;
      }),
    );
  }

  #head(panel: HTMLElement): HTMLElement {
    const head = document.createElement("header");
    const close = textOf("button", "close");
    close.addEventListener("click", () => this.close());
    head.append(textOf("h1", "Tickroom"), this.#presets(), close);
    // Dragged by its head, out of the way of what is under it.
    head.addEventListener("pointerdown", (event) => {
      if (event.target !== head && !(event.target instanceof HTMLHeadingElement)) return;
      head.setPointerCapture(event.pointerId);
      const { left, top } = panel.getBoundingClientRect();
      const [x, y] = [event.clientX - left, event.clientY - top];
      const move = (to: PointerEvent) => {
        Object.assign(panel.style, {
          left: `${to.clientX - x}px`,
          top: `${to.clientY - y}px`,
          bottom: "auto",
        });
      };
      head.addEventListener("pointermove", move);
      head.addEventListener("pointerup", () => head.removeEventListener("pointermove", move), { once: true });
    });
    return head;
  }

  #presets(): HTMLElement {
    const select = document.createElement("select");
    select.setAttribute("aria-label", "Link");
    for (const name of Object.keys(linkPresets)) select.append(new Option(`link: ${name}`, name));
    select.addEventListener("change", () => {
      Object.assign(this.#room.link, NO_FAULTS, linkPresets[select.value as LinkPreset]);
      select.blur();
    });
    return select;
  }

  #bar(): HTMLElement {
    const bar = document.createElement("div");
    bar.className = "bar";
    for (const kind of LOG_KINDS) {
      const button = textOf("button", kind);
      button.setAttribute("aria-pressed", "true");
      button.addEventListener("click", () => {
        this.#log.toggle(kind);
        button.setAttribute("aria-pressed", String(this.#log.shows(kind)));
      });
      bar.append(button);
    }
    const pause = textOf("button", "pause");
    pause.addEventListener("click", () => {
      this.#log.paused = !this.#log.paused;
      pause.textContent = this.#log.paused ? "go on" : "pause";
    });
    const freeze = textOf("button", "freeze 2 s");
    freeze.addEventListener("click", () => {
      this.#room.link.frozenUntilMs = this.#nowMs + 2000;
    });
    const drop = textOf("button", "disconnect");
    drop.addEventListener("click", () => this.#room.disconnect());
    bar.append(pause, freeze, drop);
    return bar;
  }
}

function textOf<K extends keyof HTMLElementTagNameMap>(tag: K, text: string): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
