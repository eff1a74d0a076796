import type { GameShape } from "../../sim/index.ts";
import type { Counters } from "./counters.ts";
import { LogBook } from "./log-book.ts";
import type { RoomCoreOptions, RoomLogEntry } from "./options.ts";
import { RateMeter } from "./rates.ts";
import { type RoomReport, roomReport, totalsOf } from "./report.ts";
import type { RoomLife } from "./room-life.ts";
import type { RoomWorks } from "./room-parts.ts";
import type { RoomState } from "./room-state.ts";
import { type RoomView, roomView } from "./room-view.ts";
import { type RoomStats, roomStats } from "./stats.ts";

export interface WatchParts<S extends GameShape> {
  readonly state: RoomState<S>;
  readonly works: RoomWorks<S>;
  readonly life: RoomLife;
  readonly running: boolean;
}

/** Looks at a room and changes nothing: its figures, its log, and what it shows its operator. */
export class RoomWatch<S extends GameShape> {
  readonly #options: RoomCoreOptions<S>;
  readonly #counters: Counters;
  /** Asked anew each time: a room that was loaded again has others. */
  readonly #parts: () => WatchParts<S>;
  readonly #meter = new RateMeter();
  readonly #book = new LogBook();
  #startedMs = 0;
  #nowMs = 0;

  constructor(options: RoomCoreOptions<S>, counters: Counters, parts: () => WatchParts<S>) {
    this.#options = options;
    this.#counters = counters;
    this.#parts = parts;
  }

  started(nowMs: number): void {
    this.#startedMs = nowMs;
    this.#nowMs = nowMs;
  }

  /** Something happens now. */
  event(nowMs: number): void {
    this.#nowMs = nowMs;
  }

  /** A window was sent. */
  windowSent(nowMs: number): void {
    this.#meter.sample(nowMs, () => totalsOf(this.#counters, this.#options.store.rowsWritten));
  }

  log(entry: RoomLogEntry): void {
    const line = { room: this.#options.roomName, tick: this.#parts().state.world.tick, ...entry };
    this.#book.add(line, this.#nowMs);
    this.#options.log?.(line);
  }

  stats(): RoomStats {
    return roomStats(this.#parts().state, this.#counters, this.#present());
  }

  report(nowMs: number): RoomReport {
    const { state, works } = this.#parts();
    const { store, windowTicks = 3, commitEvery = 1 } = this.#options;
    return roomReport({
      state,
      counters: this.#counters,
      meter: this.#meter,
      ledger: works.ledger.span(),
      storedBytes: store.storedBytes,
      stats: this.#present(),
      windowTicks,
      commitEvery,
      startedMs: this.#startedMs,
      nowMs,
    });
  }

  view(maxEntities: number): RoomView {
    const { state, works } = this.#parts();
    const { roomName: room } = this.#options;
    return roomView({ room, state, door: works.door, log: this.#book.newest(), maxEntities });
  }

  #present() {
    const { life, running, works } = this.#parts();
    return {
      room: this.#options.roomName,
      state: life.at !== "open" ? life.at : running ? "running" : "sleeping",
      connections: works.door.size,
      rowsWritten: this.#options.store.rowsWritten,
    } as const;
  }
}
