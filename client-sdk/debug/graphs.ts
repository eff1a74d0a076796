import uPlot from "uplot";
import type { Column, Samples } from "./samples.ts";

interface Curve {
  readonly column: Column;
  readonly colour: string;
}

interface Graph {
  readonly title: string;
  readonly curves: readonly Curve[];
  readonly says: (value: number) => string;
}

// Blue and orange can be told apart by everybody.
const BLUE = "#7cc4ff";
const ORANGE = "#ffb454";
const HEIGHT = 48;

const GRAPHS: readonly Graph[] = [
  { title: "Round trip", curves: [{ column: "rttMs", colour: BLUE }], says: (ms) => `${ms.toFixed(0)} ms` },
  {
    title: "Lead",
    curves: [{ column: "leadTicks", colour: BLUE }],
    says: (ticks) => `${ticks.toFixed(1)} ticks`,
  },
  { title: "Room’s buffer", curves: [{ column: "bufferDepth", colour: BLUE }], says: (depth) => `${depth}` },
  {
    title: "Corrections",
    curves: [{ column: "correctionDistance", colour: ORANGE }],
    says: (distance) => distance.toFixed(2),
  },
  {
    title: "Replayed ticks",
    curves: [{ column: "replayedPerSecond", colour: ORANGE }],
    says: (rate) => `${rate.toFixed(0)} / s`,
  },
  {
    title: "In, out",
    curves: [
      { column: "inPerSecond", colour: BLUE },
      { column: "outPerSecond", colour: ORANGE },
    ],
    says: (rate) => `${(rate / 1000).toFixed(1)} kB/s`,
  },
  {
    title: "Others’ delay",
    curves: [{ column: "delayMs", colour: BLUE }],
    says: (ms) => `${ms.toFixed(0)} ms`,
  },
  {
    title: "Underruns",
    curves: [{ column: "underrunShare", colour: ORANGE }],
    says: (share) => `${(100 * share).toFixed(0)} %`,
  },
];

/** The graphs, each in an element of its own. */
export class Graphs {
  readonly element = document.createElement("div");
  readonly #plots: { readonly graph: Graph; readonly plot: uPlot; readonly says: HTMLElement }[];

  constructor(width: number) {
    this.element.className = "graphs";
    this.#plots = GRAPHS.map((graph) => {
      const box = document.createElement("div");
      box.className = "graph";
      const head = document.createElement("h2");
      const says = document.createElement("b");
      head.append(graph.title, says);
      box.append(head);
      this.element.append(box);
      return { graph, says, plot: makePlot(graph, width, box) };
    });
  }

  show(samples: Samples): void {
    for (const { graph, plot, says } of this.#plots) {
      const data = samples.data(graph.curves.map(({ column }) => column));
      plot.setData(data as uPlot.AlignedData);
      says.textContent = data
        .slice(1)
        .map((values) => graph.says(values.at(-1) ?? 0))
        .join(", ");
    }
  }

  close(): void {
    for (const { plot } of this.#plots) plot.destroy();
  }
}

function makePlot({ curves }: Graph, width: number, box: HTMLElement): uPlot {
  return new uPlot(
    {
      width,
      height: HEIGHT,
      cursor: { show: false },
      legend: { show: false },
      axes: [{ show: false }, { show: false }],
      // From a little below 0, or a line at 0 would lie on the edge and not be seen.
      scales: { y: { range: (_, __, most) => [-0.06 * floored(most), 1.1 * floored(most)] } },
      series: [{}, ...curves.map(({ colour }) => ({ stroke: colour, width: 1.5, points: { show: false } }))],
    },
    [[], ...curves.map(() => [])] as unknown as uPlot.AlignedData,
    box,
  );
}

/** A graph that shows nothing but 0 still needs a height. */
function floored(most: number): number {
  return Math.max(most, 1e-3);
}
