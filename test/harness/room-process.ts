import type { RoomCore } from "../../room/core/index.ts";
import type { GameShape } from "../../sim/index.ts";
import type { CommitCrash, HarnessStore } from "./harness-store.ts";

export interface CrashOptions {
  /** Where the process ends: at once (*default*), or within the room's next commit. */
  readonly at?: "now" | CommitCrash;
  /** How long nobody answers before the room is built again from its store, in milliseconds. *Default* 0. */
  readonly downMs?: number;
}

export interface RoomProcessParts<S extends GameShape> {
  readonly store: HarnessStore;
  readonly newRoom: () => RoomCore<S>;
  /** All connections broke. */
  readonly onCrash: () => void;
}

/** The process that a room lives in: it fires alarms, can be kept busy, and can end at any time. */
export class RoomProcess<S extends GameShape> {
  readonly #parts: RoomProcessParts<S>;
  #room: RoomCore<S>;
  /** Down until then. */
  #upAtMs: number | undefined;
  #busyUntilMs = Number.NEGATIVE_INFINITY;
  /** Calls that came while the thread was busy. */
  #calls: ((room: RoomCore<S>) => void)[] = [];
  #downMs = 0;

  constructor(parts: RoomProcessParts<S>, nowMs: number) {
    this.#parts = parts;
    this.#room = parts.newRoom();
    this.#room.start(nowMs);
  }

  get room(): RoomCore<S> {
    return this.#room;
  }

  get isUp(): boolean {
    return this.#upAtMs === undefined;
  }

  /** Whether the thread takes messages at that time. */
  listens(nowMs: number): boolean {
    return this.isUp && nowMs >= this.#busyUntilMs;
  }

  /** When something is due here next, given when the next message for the room arrives. */
  nextMs(messageMs: number): number {
    if (this.#upAtMs !== undefined) return this.#upAtMs;
    const alarmMs = this.#parts.store.alarmMs() ?? Number.POSITIVE_INFINITY;
    const callMs = this.#calls.length > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    return Math.max(this.#busyUntilMs, Math.min(alarmMs, callMs, messageMs));
  }

  /** Hands an event to the room, later if its thread is busy; nobody gets it if the process is down. */
  call(nowMs: number, event: (room: RoomCore<S>) => void): void {
    if (!this.isUp) return;
    if (!this.listens(nowMs)) {
      this.#calls.push(event);
      return;
    }
    event(this.#room);
    if (this.#parts.store.takeCrash()) this.#end(nowMs);
  }

  /** Comes up again if it is time, and does what waited for a free thread. */
  wake(nowMs: number): void {
    if (this.#upAtMs !== undefined && this.#upAtMs <= nowMs) {
      this.#upAtMs = undefined;
      this.#room = this.#parts.newRoom();
      this.call(nowMs, (room) => room.start(nowMs));
    }
    while (this.#calls.length > 0 && this.listens(nowMs)) {
      const [event] = this.#calls.splice(0, 1);
      if (event) this.call(nowMs, event);
    }
  }

  /** Fires the alarm if it is due. */
  alarm(nowMs: number): void {
    const { store } = this.#parts;
    if (!this.listens(nowMs) || (store.alarmMs() ?? Number.POSITIVE_INFINITY) > nowMs) return;
    const atMs = store.takeAlarm();
    this.call(nowMs, (room) => room.pump(nowMs, atMs));
    store.alarmDone();
  }

  crash({ at = "now", downMs = 0 }: CrashOptions, nowMs: number): void {
    if (!this.isUp) return;
    this.#downMs = downMs;
    if (at === "now") this.#end(nowMs);
    else this.#parts.store.crashInCommit(at);
  }

  stall(untilMs: number): void {
    this.#busyUntilMs = untilMs;
  }

  #end(nowMs: number): void {
    this.#calls = [];
    this.#busyUntilMs = Number.NEGATIVE_INFINITY;
    this.#upAtMs = nowMs + this.#downMs;
    this.#parts.onCrash();
  }
}
