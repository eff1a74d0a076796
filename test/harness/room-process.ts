import type { RoomCore, RoomStore } from "../../room/core/index.ts";
import type { GameShape } from "../../sim/index.ts";
import type { HarnessStore } from "./harness-store.ts";
import { type Boundary, ProcessLife } from "./process-life.ts";

export interface CrashOptions {
  /**
   * Where the process ends: at once (*default*), at the next boundary of a kind (`before-commit`, `in-tick`, …), or
   * at the next one of `any` kind.
   */
  readonly at?: "now" | "any" | Boundary;
  /** How many of these boundaries it passes first. *Default* 0. */
  readonly skip?: number;
  /** How long nobody answers before the room is built again from its store, in milliseconds. *Default* 0. */
  readonly downMs?: number;
}

/** What a room's process is given to live with. */
export interface RoomPorts {
  readonly store: RoomStore;
  readonly life: ProcessLife;
}

export interface RoomProcessParts<S extends GameShape> {
  readonly store: HarnessStore;
  readonly newRoom: (ports: RoomPorts) => RoomCore<S>;
  /** All connections broke. */
  readonly onCrash: () => void;
}

const NEVER = Number.POSITIVE_INFINITY;

/** The process that a room lives in: it fires alarms, can be kept busy, and can end at any time. */
export class RoomProcess<S extends GameShape> {
  readonly #parts: RoomProcessParts<S>;
  #life = new ProcessLife();
  #room: RoomCore<S>;
  /** Down until then. */
  #upAtMs: number | undefined;
  #busyUntilMs = Number.NEGATIVE_INFINITY;
  #alarmHeldUntilMs = Number.NEGATIVE_INFINITY;
  /** The alarm's handler is waiting for its next window [D2]: it holds the alarm until then. */
  #waiting: { readonly untilMs: number; readonly alarmMs: number } | undefined;
  /** An alarm whose handler didn't end: the platform fires it again. */
  #retryAlarmMs: number | undefined;
  /** Calls that came while the thread was busy. */
  #calls: ((room: RoomCore<S>) => void)[] = [];
  #downMs = 0;

  constructor(parts: RoomProcessParts<S>, nowMs: number) {
    this.#parts = parts;
    this.#room = this.#build();
    this.#room.start(nowMs);
  }

  get room(): RoomCore<S> {
    return this.#room;
  }

  get life(): ProcessLife {
    return this.#life;
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
    const callMs = this.#calls.length > 0 ? Number.NEGATIVE_INFINITY : NEVER;
    const waitMs = this.#waiting?.untilMs ?? NEVER;
    return Math.max(this.#busyUntilMs, Math.min(this.#alarmAtMs, callMs, waitMs, messageMs));
  }

  /** Hands an event to the room, later if its thread is busy; nobody gets it if the process is down. */
  call(nowMs: number, event: (room: RoomCore<S>) => void): void {
    if (!this.isUp) return;
    if (!this.listens(nowMs)) {
      this.#calls.push(event);
      return;
    }
    const life = this.#life;
    try {
      event(this.#room);
    } catch (error) {
      // What a process says after its end is heard by nobody.
      if (life.alive) throw error;
    }
    if (!life.alive) this.#end(nowMs);
  }

  /** Comes up again if it is time, and does what waited for a free thread. */
  wake(nowMs: number): void {
    if (this.#upAtMs !== undefined && this.#upAtMs <= nowMs) {
      this.#upAtMs = undefined;
      this.#life = new ProcessLife();
      this.#room = this.#build();
      this.call(nowMs, (room) => room.start(nowMs));
    }
    while (this.#calls.length > 0 && this.listens(nowMs)) {
      const [event] = this.#calls.splice(0, 1);
      if (event) this.call(nowMs, event);
    }
  }

  /** Fires the alarm if it is due, or goes on in its handler. */
  alarm(nowMs: number): void {
    if (!this.listens(nowMs)) return;
    const waiting = this.#waiting;
    if (waiting && waiting.untilMs <= nowMs) {
      this.#waiting = undefined;
      this.#pump(nowMs, waiting.alarmMs);
    } else if (!waiting && this.#alarmAtMs <= nowMs) {
      const atMs = this.#parts.store.takeAlarm() ?? this.#retryAlarmMs;
      this.#retryAlarmMs = undefined;
      if (atMs !== undefined) this.#pump(nowMs, atMs);
    }
  }

  /** Fires an alarm that the platform has fired before [T4]. */
  repeatAlarm(nowMs: number): void {
    this.call(nowMs, (room) => void room.pump(nowMs, nowMs));
  }

  /** No alarm fires before that time, however late it gets; messages still come in [T4]. */
  holdAlarm(untilMs: number): void {
    this.#alarmHeldUntilMs = untilMs;
  }

  crash({ at = "now", skip = 0, downMs = 0 }: CrashOptions, nowMs: number): void {
    if (!this.isUp) return;
    this.#downMs = downMs;
    if (at === "now") this.#end(nowMs);
    else this.#life.doom(at === "any" ? undefined : at, skip);
  }

  stall(untilMs: number): void {
    this.#busyUntilMs = untilMs;
  }

  get #alarmAtMs(): number {
    if (this.#waiting) return NEVER;
    const atMs = this.#parts.store.alarmMs() ?? this.#retryAlarmMs ?? NEVER;
    return atMs === NEVER ? NEVER : Math.max(atMs, this.#alarmHeldUntilMs);
  }

  #pump(nowMs: number, alarmMs: number): void {
    const life = this.#life;
    let againMs: number | undefined;
    this.call(nowMs, (room) => {
      againMs = room.pump(nowMs, alarmMs, true);
    });
    if (!life.alive) this.#retryAlarmMs = alarmMs;
    else if (againMs !== undefined) this.#waiting = { untilMs: againMs, alarmMs };
    if (!this.#waiting) this.#parts.store.alarmDone();
  }

  #build(): RoomCore<S> {
    const life = this.#life;
    return this.#parts.newRoom({ life, store: this.#parts.store.openFor(life) });
  }

  #end(nowMs: number): void {
    this.#life.end();
    if (this.#waiting) this.#retryAlarmMs = this.#waiting.alarmMs;
    this.#waiting = undefined;
    this.#calls = [];
    this.#busyUntilMs = Number.NEGATIVE_INFINITY;
    this.#upAtMs = nowMs + this.#downMs;
    this.#parts.onCrash();
  }
}
