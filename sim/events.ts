import type { TypeToken } from "./actions.ts";
import type { GameShape } from "./definition.ts";
import type { SeatId } from "./ids.ts";

/** Names of things that happen and leave no trace in the state, and what is said of them, as JSON. */
export type Events = Readonly<Record<string, TypeToken<unknown>>>;

export type EventName<S extends GameShape> = keyof S["events"] & string;
export type EventData<S extends GameShape, N extends EventName<S>> =
  S["events"][N] extends TypeToken<infer D> ? D : never;

/** Who hears of an event: everybody when both are left out. */
export interface EventAudience {
  /** Nobody else is told, not even that something happened. */
  readonly only?: SeatId;
  /** The page that has shown it by itself, as an effect: it would see it twice. */
  readonly except?: SeatId;
}

/** An event on its way out of the room. */
export interface EmittedEvent {
  readonly tick: number;
  /** Position of the event in the definition. */
  readonly kind: number;
  /** JSON. */
  readonly data: string;
  /** Seats, 0 = none. */
  readonly only: number;
  readonly except: number;
}

/** Events of the open window. What is undone takes its events with it. */
export class Outbox {
  readonly #names: readonly string[];
  #events: EmittedEvent[] = [];

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  get size(): number {
    return this.#events.length;
  }

  /** The text is made at once: the game may change the object in the next tick. */
  put(tick: number, name: string, data: unknown, { only, except }: EventAudience): void {
    const kind = this.#names.indexOf(name);
    if (kind < 0) throw new TypeError(`this game has no event "${name}"`);
    const text = JSON.stringify(data) ?? "null";
    this.#events.push({ tick, kind, data: text, only: only ?? 0, except: except ?? 0 });
  }

  /** Forgets those after the first `size`. */
  cut(size: number): void {
    this.#events.length = size;
  }

  take(): readonly EmittedEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
