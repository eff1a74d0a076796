import type { EventItem, EventsFrame } from "../protocol/index.ts";
import type { CompiledSchema } from "../sim/index.ts";
import { Listeners } from "./listeners.ts";
import type { Off } from "./types.ts";

/** Past this a sound belongs to nothing that is seen any more. */
const LATE_S = 0.5;
/** Events that wait at most: a page in the background shows none, and must not collect those of hours. */
const WAITING = 1024;

type Listener = (event: { readonly tick: number; readonly data: unknown }) => void;

/** What the room says that happened, kept until its tick is shown [R9]. */
export class EventBook {
  readonly #schema: CompiledSchema;
  readonly #onFault: (error: unknown) => void;
  readonly #listeners = new Listeners<Listener>();
  /** In the order of ticks. */
  #waiting: EventItem[] = [];
  #incarnation = 0;
  #shownTick = Number.NEGATIVE_INFINITY;
  /** Up to here an earlier incarnation has had its say. */
  #mutedTick = Number.NEGATIVE_INFINITY;

  constructor(schema: CompiledSchema, onFault: (error: unknown) => void) {
    this.#schema = schema;
    this.#onFault = onFault;
  }

  on(name: string, listener: Listener): Off {
    if (!this.#schema.events.includes(name)) throw new TypeError(`this game has no event "${name}"`);
    return this.#listeners.add(name, listener);
  }

  receive({ incarnation, items }: EventsFrame, seat: number): void {
    if (incarnation !== this.#incarnation) return;
    const heard = items.filter(
      ({ except, tick }) => (except === 0 || except !== seat) && tick > this.#mutedTick,
    );
    this.#waiting = [...this.#waiting, ...heard].sort((a, b) => a.tick - b.tick).slice(-WAITING);
  }

  /**
   * Another incarnation may run ticks again that the one before had run. What waits to be heard of those perhaps never
   * was, and what was heard isn't heard twice.
   * @param toldTick newest tick that the earlier one has told of
   */
  begin(incarnation: number, toldTick: number): void {
    if (incarnation === this.#incarnation) return;
    this.#incarnation = incarnation;
    this.#waiting = [];
    this.#mutedTick = Math.min(this.#shownTick, toldTick);
  }

  /** Another room under the same name. */
  forget(): void {
    this.#waiting = [];
    this.#incarnation = 0;
    this.#shownTick = Number.NEGATIVE_INFINITY;
    this.#mutedTick = Number.NEGATIVE_INFINITY;
  }

  /** Tells the page what has happened up to the moment that it shows. */
  tell(shownTick: number): void {
    this.#shownTick = shownTick;
    const oldestTick = shownTick - LATE_S * this.#schema.tickRate;
    while (this.#waiting[0] && this.#waiting[0].tick <= shownTick) {
      const { tick, kind, data } = this.#waiting.shift() as EventItem;
      if (tick < oldestTick) continue;
      for (const listener of this.#listeners.of(this.#schema.events[kind] ?? "")) {
        try {
          listener({ tick, data: JSON.parse(data) });
        } catch (error) {
          this.#onFault(error);
        }
      }
    }
  }
}
