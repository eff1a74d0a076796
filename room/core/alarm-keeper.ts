import { nextAlarmMs } from "./alarm-time.ts";
import type { RoomStore } from "./store.ts";

/** Sees to it that a room which needs an alarm has one [T5]. */
export class AlarmKeeper {
  readonly #store: RoomStore;

  constructor(store: RoomStore) {
    this.#store = store;
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
    try {
      this.#store.setAlarm(wantedMs);
      return undefined;
    } catch (error) {
      return error;
    }
  }
}
