import uPlot from "uplot";
import type { RoomReport } from "../room/index.ts";

/** Reports that are shown: two minutes at one a second. */
const KEPT = 120;
const HEIGHT = 56;
// Blue and orange can be told apart by everybody.
const BLUE = "#7cc4ff";
const ORANGE = "#ffb454";

interface Graph {
  readonly title: string;
  readonly curves: readonly ((report: RoomReport) => number)[];
  readonly says: (value: number) => string;
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

const GRAPHS: readonly Graph[] = [
  {
    title: "Lateness P50, P99",
    curves: [({ latenessP50Ms }) => latenessP50Ms, ({ latenessP99Ms }) => latenessP99Ms],
    says: (ms) => `${ms.toFixed(1)} ms`,
  },
  { title: "Windows / s", curves: [({ perSecond }) => perSecond.windows], says: (rate) => rate.toFixed(1) },
  { title: "Rows / s", curves: [({ perSecond }) => perSecond.rows], says: (rate) => rate.toFixed(1) },
  {
    title: "In, out / s",
    curves: [({ perSecond }) => perSecond.bytesIn, ({ perSecond }) => perSecond.bytesOut],
    says: kilobytes,
  },
  {
    title: "Cost / hour",
    curves: [({ costPerHour }) => costPerHour.total],
    says: (dollars) => `$${dollars.toFixed(4)}`,
  },
  {
    title: "Seats, entities",
    curves: [({ seats, bots }) => seats + bots, ({ entities }) => entities],
    says: (count) => String(count),
  },
];

/** The newest reports as curves over time. */
export class Graphs {
  readonly #plots: { readonly graph: Graph; readonly plot: uPlot; readonly says: HTMLElement }[];
  #reports: { readonly atMs: number; readonly report: RoomReport }[] = [];

  constructor(parent: HTMLElement) {
    const boxes = GRAPHS.map((graph) => {
      const box = document.createElement("figure");
      const head = document.createElement("figcaption");
      const says = document.createElement("b");
      head.append(graph.title, says);
      box.append(head);
      parent.append(box);
      return { graph, says, box };
    });
    this.#plots = boxes.map(({ graph, says, box }) => ({ graph, says, plot: makePlot(graph, box) }));
    // How wide a column is depends on how many fit beside each other.
    new ResizeObserver(() => {
      for (const [i, { plot }] of this.#plots.entries()) {
        plot.setSize({ width: boxes[i]?.box.clientWidth ?? 0, height: HEIGHT });
      }
    }).observe(parent);
  }

  add(report: RoomReport, atMs: number): void {
    this.#reports = [...this.#reports, { atMs, report }].slice(-KEPT);
    for (const { graph, plot, says } of this.#plots) {
      const values = graph.curves.map((curve) => this.#reports.map((one) => curve(one.report)));
      plot.setData([this.#reports.map((one) => one.atMs / 1000), ...values] as uPlot.AlignedData);
      says.textContent = graph.curves.map((curve) => graph.says(curve(report))).join(", ");
    }
  }

  forget(): void {
    this.#reports = [];
  }
}

function makePlot({ curves }: Graph, box: HTMLElement): uPlot {
  const stroke = (i: number) => (i === 0 ? BLUE : ORANGE);
  return new uPlot(
    {
      width: box.clientWidth,
      height: HEIGHT,
      cursor: { show: false },
      legend: { show: false },
      axes: [{ show: false }, { show: false }],
      // From a little below 0, or a line at 0 would lie on the edge and not be seen.
      scales: { y: { range: (_, __, most) => [-0.06 * Math.max(most, 1e-6), 1.1 * Math.max(most, 1e-6)] } },
      series: [{}, ...curves.map((_, i) => ({ stroke: stroke(i), width: 1.5, points: { show: false } }))],
    },
    [[], ...curves.map(() => [])] as unknown as uPlot.AlignedData,
    box,
  );
}
