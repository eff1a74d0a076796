import { nextAlarmMs } from "./alarm-time.ts";
import type { RoomStore } from "./store.ts";

/** How long after its time a promised pump may come before it counts as broken. */
const PATIENCE_MS = 250;

/** Sees to it that a room which needs an alarm has one [T5], and writes no other one: each costs a row [D2]. */
export class AlarmKeeper {
  readonly #store: RoomStore;
  /** Somebody has promised to pump then without being woken by an alarm. */
  #promisedMs: number | undefined;

  constructor(store: RoomStore) {
    this.#store = store;
  }

  /**
   * Takes a promise to pump in time instead of setting an alarm.
   * @returns when to; undefined when an alarm does it already
   */
  promise(idealMs: number, nowMs: number): number | undefined {
    const wantedMs = nextAlarmMs(idealMs, nowMs);
    const currentMs = this.#store.alarmMs();
    this.#promisedMs = currentMs !== undefined && currentMs <= wantedMs ? undefined : wantedMs;
    return this.#promisedMs;
  }

  /** Whoever promised to pump has come. */
  fulfil(): void {
    this.#promisedMs = undefined;
  }

  /**
   * Sets the alarm unless there is one in time: one that was set for a silent visitor would be seconds late.
   * @returns the error of a store that failed; the next event tries again
   */
  ensure(idealMs: number | undefined, nowMs: number, firingAlarmMs?: number): unknown {
    if (idealMs === undefined) return undefined;
    const wantedMs = nextAlarmMs(idealMs, nowMs, firingAlarmMs);
    const currentMs = this.#store.alarmMs();
    if (currentMs !== undefined && currentMs <= wantedMs) return undefined;
    const promisedMs = this.#promisedMs;
    if (promisedMs !== undefined && promisedMs <= wantedMs && nowMs < promisedMs + PATIENCE_MS)
      return undefined;
    try {
      this.#store.setAlarm(wantedMs);
      return undefined;
    } catch (error) {
      return error;
    }
  }
}
