import type { Stats } from "tickroom/client";

/** Figures are for reading: four times a second is as often as anybody can. */
const EVERY_MS = 250;
/** Bytes per second are counted over this long. */
const RATE_SPAN_MS = 2000;

interface Row {
  readonly label: string;
  readonly help: string;
  readonly value: (stats: Stats, rates: Rates) => string;
}

interface Rates {
  readonly inPerSecond: number;
  readonly outPerSecond: number;
}

const ROWS: readonly Row[] = [
  { label: "tick", help: "newest tick predicted here", value: (stats) => String(stats.tick) },
  { label: "consumed", help: "newest command that the room has executed", value: (s) => String(s.consumed) },
  { label: "durable", help: "newest command that the room has stored", value: (s) => String(s.durable) },
  { label: "pending", help: "commands not yet answered", value: (s) => String(s.pendingInputs) },
  {
    label: "RTT",
    help: "of a message to the room and back",
    value: (s) => `${Math.round(s.rttMs)} ms`,
  },
  { label: "buffered", help: "commands that wait in the room", value: (s) => String(s.bufferDepth) },
  {
    label: "corrections",
    help: "times that the room corrected the prediction",
    value: (s) => String(s.corrections),
  },
  {
    label: "last by",
    help: "how far the last correction went",
    value: (s) => `${s.lastCorrectionDistance.toFixed(2)} m`,
  },
  {
    label: "replayed",
    help: "ticks computed again after corrections",
    value: (s) => String(s.replayedTicks),
  },
  { label: "entities", help: "in the newest snapshot", value: (s) => String(s.entities) },
  { label: "in", help: "received per second", value: (_, { inPerSecond }) => perSecond(inPerSecond) },
  { label: "out", help: "sent per second", value: (_, { outPerSecond }) => perSecond(outPerSecond) },
  {
    label: "delay",
    help: "how far in the past others are shown",
    value: (s) => `${Math.round(s.interpolationDelayMs)} ms`,
  },
  {
    label: "incarnation",
    help: "times that the room's memory was built",
    value: (s) => String(s.incarnation),
  },
];

function perSecond(bytes: number): string {
  return bytes < 9950 ? `${(bytes / 1000).toFixed(1)} kB/s` : `${Math.round(bytes / 1000)} kB/s`;
}

/** The panel of figures. */
export class Hud {
  readonly #values: readonly HTMLElement[];
  readonly #panel: HTMLDetailsElement;
  readonly #history: { readonly atMs: number; readonly bytesIn: number; readonly bytesOut: number }[] = [];
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(panel: HTMLDetailsElement, list: HTMLElement) {
    this.#panel = panel;
    this.#values = ROWS.map(({ label, help }) => {
      const group = document.createElement("div");
      group.title = help;
      const name = document.createElement("dt");
      name.textContent = label;
      const value = document.createElement("dd");
      value.textContent = "–";
      group.append(name, value);
      list.append(group);
      return value;
    });
  }

  update(read: () => Stats, nowMs: number): void {
    if (nowMs - this.#lastMs < EVERY_MS) return;
    this.#lastMs = nowMs;
    const stats = read();
    const rates = this.#rates(stats, nowMs);
    if (!this.#panel.open) return;
    for (const [index, { value }] of ROWS.entries()) {
      (this.#values[index] as HTMLElement).textContent = value(stats, rates);
    }
  }

  #rates({ bytesIn, bytesOut }: Stats, atMs: number): Rates {
    const history = this.#history;
    // A new client counts from 0 again.
    if ((history.at(-1)?.bytesIn ?? 0) > bytesIn) history.length = 0;
    history.push({ atMs, bytesIn, bytesOut });
    while (history.length > 2 && atMs - (history[0]?.atMs ?? 0) > RATE_SPAN_MS) history.shift();
    const [first] = history;
    const seconds = first ? (atMs - first.atMs) / 1000 : 0;
    if (!first || seconds <= 0) return { inPerSecond: 0, outPerSecond: 0 };
    return {
      inPerSecond: (bytesIn - first.bytesIn) / seconds,
      outPerSecond: (bytesOut - first.bytesOut) / seconds,
    };
  }
}
