import { decodeEntities, resolveSnapshot, type Snapshot, type SnapshotFrame } from "../protocol/index.ts";
import {
  type CompiledSchema,
  type EntityHistory,
  type GameShape,
  Histories,
  type InterpolationTimes,
  QuantisedState,
  quantiseView,
  type Rewind,
  rewindTo,
} from "../sim/index.ts";
import { KnownWorld } from "./known-world.ts";
import { Playout } from "./playout.ts";

/** The room at a boundary, as this client has read it. */
export interface Boundary {
  readonly snapshot: Snapshot;
  readonly state: QuantisedState;
}

/** The room's past as told by snapshots, and which moment of it is shown. */
export class Replica {
  readonly #tickMs: number;
  readonly #known: KnownWorld<SnapshotFrame, Boundary>;
  readonly #histories: Histories;
  readonly #playout: Playout;
  #incarnation = 0;
  #slippedTicks: number | undefined;
  /** Frames shown, and those that had nothing newer than what they showed. */
  frames = 0;
  underruns = 0;

  constructor(schema: CompiledSchema, windowTicks: number, onUnreadable: (error: unknown) => void) {
    this.#tickMs = 1000 / schema.tickRate;
    this.#known = new KnownWorld(
      (frame, base) => ({
        snapshot: resolveSnapshot(schema, frame, base?.snapshot),
        state: decodeEntities(schema, base?.state ?? QuantisedState.empty(), frame.shared, frame.tick),
      }),
      onUnreadable,
    );
    this.#histories = new Histories(schema);
    this.#playout = new Playout(this.#tickMs, windowTicks);
  }

  get newest(): QuantisedState | undefined {
    return this.#known.newest;
  }
  get lives(): Iterable<EntityHistory> {
    return this.#histories.lives();
  }
  get starved(): boolean {
    return this.#playout.starved;
  }
  /** How much later than the quickest snapshots others have come lately. */
  get jitterMs(): number {
    return this.#playout.jitterMs;
  }
  get delayMs(): number {
    return this.#playout.delayMs;
  }
  get times(): InterpolationTimes {
    return {
      tick: this.#playout.tick,
      maxExtrapolationTicks: this.#playout.intervalTicks,
      dt: this.#tickMs / 1000,
    };
  }

  /** The moment that a page sees of others, as it is said on the wire: what is guessed past the newest sample counts not. */
  get viewTick(): number {
    return quantiseView(Math.min(this.#playout.tick, this.#histories.newestTick));
  }

  /** What was shown at a moment, as long as it is remembered. */
  rewindTo<S extends GameShape>(viewTick: number): Rewind<S> {
    return rewindTo<S>(this.#histories, viewTick, this.#tickMs / 1000);
  }

  /**
   * Takes a snapshot in and gives back those that became readable, in tick order, with the ticks that the room
   * has slipped since the one before.
   */
  receive(frame: SnapshotFrame, nowMs: number): (Boundary & { slipped: number })[] {
    const readable = this.#known.receive(frame, nowMs);
    return readable.map(({ snapshot, state }) => {
      if (snapshot.incarnation !== this.#incarnation) this.#begin(snapshot);
      const slipped = Math.max(0, snapshot.slippedTicks - (this.#slippedTicks ?? Number.POSITIVE_INFINITY));
      this.#slippedTicks = Math.max(this.#slippedTicks ?? 0, snapshot.slippedTicks);
      if (slipped > 0) this.#playout.slip(slipped);
      this.#histories.insert(state);
      this.#playout.arrived(snapshot.tick, nowMs);
      return { snapshot, state, slipped };
    });
  }

  /** The request id to ask for a keyframe with, if one is needed; `lost` when a snapshot couldn't be read. */
  wantsKeyframe(nowMs: number, lost = false): number | undefined {
    return lost ? this.#known.askKeyframe(nowMs) : this.#known.wantsKeyframe(nowMs);
  }

  reconnected(): void {
    this.#known.reconnected();
    this.#playout.restart();
  }

  /** Lets time pass. */
  advance(nowMs: number, elapsedMs: number): void {
    this.#playout.advance(nowMs, elapsedMs);
    if (this.#histories.newestTick >= 0) {
      this.frames++;
      if (this.#playout.tick > this.#histories.newestTick) this.underruns++;
    }
    this.#histories.forgetGone(this.#playout.tick);
  }

  #begin(first: Snapshot): void {
    this.#incarnation = first.incarnation;
    this.#slippedTicks = first.slippedTicks;
    this.#histories.discardFrom(first.tick);
    this.#playout.restart();
  }
}
