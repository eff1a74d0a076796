import type { EntityView, RoomView } from "../room/index.ts";

const MARGIN_PX = 24;
const REACH_PX = 12;
/** Told apart by everybody, on dark. */
const COLOURS = ["#7cc4ff", "#ffb454", "#9be28f", "#d7a3ff", "#ff8f8f", "#f2e27a", "#7fe0d4", "#c9c9c9"];

interface Dot {
  readonly entity: EntityView;
  readonly x: number;
  readonly y: number;
}

/** What is in view: it only grows, so that the map doesn't breathe with every step. */
interface Bounds {
  readonly least: readonly [number, number];
  readonly most: readonly [number, number];
}

/** Where all entities of a room are, whatever its game: the fields that say where something is, x to the right. */
export class EntityMap {
  readonly #canvas: HTMLCanvasElement;
  readonly #legend: HTMLElement;
  #dots: readonly Dot[] = [];
  #bounds: Bounds | undefined;
  #picked = 0;

  constructor(canvas: HTMLCanvasElement, legend: HTMLElement, onPick: () => void) {
    this.#canvas = canvas;
    this.#legend = legend;
    canvas.addEventListener("click", ({ offsetX, offsetY }) => {
      const distance = ({ x, y }: Dot) => Math.hypot(x - offsetX, y - offsetY);
      const near = this.#dots.filter((dot) => distance(dot) <= REACH_PX);
      this.#picked = near.sort((a, b) => distance(a) - distance(b))[0]?.entity.id ?? 0;
      onPick();
    });
  }

  /** The entity that was clicked at, as it was last shown. */
  get picked(): EntityView | undefined {
    return this.#dots.find(({ entity }) => entity.id === this.#picked)?.entity;
  }

  show({ entities, archetypes }: RoomView): void {
    const placeOf = new Map(archetypes.map(({ name, place }) => [name, place]));
    const spots = entities.flatMap((entity) => {
      const place = placeOf.get(entity.archetype) ?? [];
      const [x = Number.NaN, y = 0] = place.slice(0, 2).map((path) => Number(entity.fields[path]));
      return Number.isFinite(x) && Number.isFinite(y) ? [{ entity, x, y }] : [];
    });
    this.#bounds = spots.reduce<Bounds | undefined>(grown, this.#bounds);
    const { width, height } = this.#fit();
    const scale = scaleOf(this.#bounds, width, height);
    this.#dots = spots.map(({ entity, x, y }) => ({ entity, ...scale(x, y) }));
    const colourOf = new Map(archetypes.map(({ name }, i) => [name, COLOURS[i % COLOURS.length] as string]));
    this.#draw(colourOf, width, height);
    this.#name(entities, colourOf);
  }

  /** Another room: another world. */
  forget(): void {
    this.#bounds = undefined;
    this.#picked = 0;
  }

  #fit(): { width: number; height: number } {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const pixels = globalThis.devicePixelRatio;
    const [w, h] = [Math.round(width * pixels), Math.round(height * pixels)];
    if (this.#canvas.width !== w) this.#canvas.width = w;
    if (this.#canvas.height !== h) this.#canvas.height = h;
    return { width, height };
  }

  #draw(colourOf: ReadonlyMap<string, string>, width: number, height: number): void {
    const context = this.#canvas.getContext("2d");
    if (!context) return;
    const pixels = globalThis.devicePixelRatio;
    context.setTransform(pixels, 0, 0, pixels, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = "11px system-ui, sans-serif";
    for (const { entity, x, y } of this.#dots) {
      context.fillStyle = colourOf.get(entity.archetype) ?? "#fff";
      context.beginPath();
      context.arc(x, y, entity.owner > 0 ? 6 : 4, 0, 2 * Math.PI);
      context.fill();
      if (entity.id === this.#picked) {
        context.strokeStyle = "#fff";
        context.lineWidth = 2;
        context.stroke();
      }
      if (entity.owner > 0) context.fillText(String(entity.owner), x + 9, y + 4);
    }
  }

  #name(entities: readonly EntityView[], colourOf: ReadonlyMap<string, string>): void {
    const counts = new Map<string, number>();
    for (const { archetype } of entities) counts.set(archetype, (counts.get(archetype) ?? 0) + 1);
    this.#legend.replaceChildren(
      ...[...counts].map(([name, count]) => {
        const item = document.createElement("li");
        const swatch = document.createElement("i");
        swatch.style.background = colourOf.get(name) ?? "#fff";
        item.append(swatch, `${name} ${count}`);
        return item;
      }),
    );
  }
}

function grown(bounds: Bounds | undefined, { x, y }: { readonly x: number; readonly y: number }): Bounds {
  if (!bounds) return { least: [x, y], most: [x, y] };
  const { least, most } = bounds;
  return {
    least: [Math.min(least[0], x), Math.min(least[1], y)],
    most: [Math.max(most[0], x), Math.max(most[1], y)],
  };
}

/** From the world to the canvas, the same in both directions, in the middle. */
function scaleOf(bounds: Bounds | undefined, width: number, height: number) {
  const { least, most } = bounds ?? { least: [0, 0], most: [0, 0] };
  const [w, h] = [Math.max(most[0] - least[0], 1e-6), Math.max(most[1] - least[1], 1e-6)];
  const scale = Math.min((width - 2 * MARGIN_PX) / w, (height - 2 * MARGIN_PX) / h);
  const [midX, midY] = [(least[0] + most[0]) / 2, (least[1] + most[1]) / 2];
  return (x: number, y: number) => ({
    x: width / 2 + (x - midX) * scale,
    y: height / 2 + (y - midY) * scale,
  });
}
