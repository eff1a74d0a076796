import type { RoomExport } from "../../protocol/index.ts";
import type { GameShape, RoomWorld } from "../../sim/index.ts";
import { AlarmKeeper } from "./alarm-keeper.ts";
import { nextAlarmMs } from "./alarm-time.ts";
import { sendBoundary } from "./broadcast.ts";
import type { Connection } from "./connection.ts";
import { Counters } from "./counters.ts";
import type { CommandRecord } from "./ledger-book.ts";
import type { RoomCoreOptions, RoomLogEntry } from "./options.ts";
import { RoomAdmin } from "./room-admin.ts";
import { earliestMs, RoomLife } from "./room-life.ts";
import { type RoomWorks, roomWorks } from "./room-parts.ts";
import { RoomState } from "./room-state.ts";
import { RoomWatch } from "./room-watch.ts";
import { StateError } from "./state-error.ts";
import type { RoomStats } from "./stats.ts";
import { type DueTicks, NO_TICKS, TickClock } from "./tick-clock.ts";
import { logOf } from "./turn-log.ts";
import type { Turn, TurnNow } from "./window-loop.ts";

/** A gap between two events of a running room that says that the room itself stood still. */
const STALL_MS = 250;

/**
 * A room without its platform: every event comes in with its time, storage and links are passed in, and
 * nothing is awaited. Start it once, then hand it every event; it never throws for what a client or
 * the game's code did.
 */
export class RoomCore<S extends GameShape> {
  readonly #options: RoomCoreOptions<S>;
  readonly #windowTicks: number;
  readonly #clock: TickClock;
  readonly #counters = new Counters();
  readonly #alarm: AlarmKeeper;
  readonly #life = new RoomLife();
  readonly watch: RoomWatch<S>;
  readonly admin: RoomAdmin<S>;
  #state: RoomState<S>;
  #works: RoomWorks<S>;
  /** An abandoned window isn't tried again before this, however many messages come [T4]. */
  #retryAtMs = 0;
  #lastEventMs: number | undefined;
  #pumping = false;
  readonly #log = (entry: RoomLogEntry) => this.watch.log(entry);

  constructor(options: RoomCoreOptions<S>) {
    this.#options = options;
    this.#windowTicks = options.windowTicks ?? 3;
    const { maxCatchUpTicks = 15, game } = options;
    this.#clock = new TickClock({ tickRate: game.tickRate, windowTicks: this.#windowTicks, maxCatchUpTicks });
    this.#alarm = new AlarmKeeper(options.store);
    this.#state = this.#newState();
    this.#works = roomWorks(this.#state, this.#options, this.#log);
    const parts = () => ({ state: this.#state, works: this.#works, life: this.#life, running: this.running });
    this.watch = new RoomWatch(options, this.#counters, parts);
    const turn = (nowMs: number) => void this.#turn({ due: NO_TICKS, create: undefined, nowMs });
    this.admin = new RoomAdmin({ parts, turn, log: this.#log });
  }

  get tick(): number {
    return this.#state.world.tick;
  }

  get incarnation(): number {
    return this.#state.incarnation;
  }

  /** Whether ticks are due now or later: somebody is here or may come back. */
  get running(): boolean {
    return this.#life.isOpen && this.#state.seats.awake;
  }

  /** The room's world, to look at. It must not be changed from outside a callback. */
  get world(): RoomWorld<S> {
    return this.#state.world;
  }

  /** Loads what is stored and goes on from there [D3]. */
  start(nowMs: number): void {
    this.watch.started(nowMs);
    try {
      const stored = this.#options.store.load();
      const from = stored && this.#state.restore(stored, this.#options.migrations);
      if (from !== undefined) this.#log({ level: "warn", event: "migrated", reason: `from version ${from}` });
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      this.#log({ level: "error", event: "state-refused", reason: error.message });
      this.#state = this.#newState();
      if (this.#options.onIncompatibleState === "reset") this.#options.store.clear();
      else this.#life.refuse(error.message);
    }
    this.#works = roomWorks(this.#state, this.#options, this.#log);
    this.#works.office.handOut(this.#state.actions);
    this.#clock.anchor(this.tick, nowMs);
    this.#ensureAlarm(nowMs);
  }

  /**
   * Makes the room with options for the game's `onCreate`, unless it exists.
   * @throws Error when the room is refused or stopped, the game's code throws or storage fails
   */
  create(options: unknown, nowMs: number): "created" | "exists" {
    this.#event(nowMs);
    if (this.#life.closed) throw new Error(this.#life.closed.reason);
    if (this.#state.created) return "exists";
    const turn = this.#turn({ due: NO_TICKS, create: { options }, nowMs });
    if (turn.outcome === "faulted") throw turn.fault;
    if (turn.outcome === "not-stored") throw new Error("the room could not be stored", { cause: turn.error });
    return "created";
  }

  connect(connection: Connection, nowMs: number): void {
    this.#event(nowMs);
    const { closed } = this.#life;
    if (closed) {
      this.#works.door.turnAway(connection, closed.close, closed.reason);
      return;
    }
    this.#counters.connectionsMade++;
    this.#works.door.connect(connection, nowMs);
    this.#after(nowMs);
  }

  receive(connectionId: string, data: ArrayBuffer | string, nowMs: number): void {
    this.#event(nowMs);
    this.#counters.received(data);
    const wasAwake = this.running;
    this.#works.door.receive(connectionId, data, nowMs);
    // Somebody came into a sleeping room: it goes on at the next tick, the time between never was [T7].
    if (!wasAwake && this.running) this.#clock.anchor(this.tick, nowMs);
    this.#after(nowMs);
  }

  disconnect(connectionId: string, nowMs: number): void {
    this.#event(nowMs);
    this.#works.door.disconnect(connectionId);
    this.#after(nowMs);
  }

  /** The call under this key answered. The next window's first tick takes the answer, if it is in time [A3]. */
  answer(key: string, value: unknown, nowMs: number): void {
    this.#event(nowMs);
    this.#works.office.handIn(this.#state.actions, key, value);
    this.#after(nowMs);
  }

  /** What the call under this key had done is undone, its action having failed [A9]. */
  compensated(key: string, nowMs: number): void {
    this.#event(nowMs);
    this.#works.office.handBack(this.#state.actions, key);
    if (!this.running) this.pump(nowMs);
    this.#after(nowMs);
  }

  /** For calls that are none of the above: heals a lost alarm and a loop that stands still [T5]. */
  poke(nowMs: number): void {
    this.#event(nowMs);
    this.#after(nowMs);
  }

  /**
   * Runs what is due. For the alarm; also harmless at any other time, and twice [T4].
   * @param firingAlarmMs time of the alarm that is firing, which the next one must differ from
   * @param canWait whether the caller can pump again by itself: between commits that saves an alarm [D2]
   * @returns when a caller that can wait must pump again; undefined when an alarm takes over
   */
  pump(nowMs: number, firingAlarmMs?: number, canWait = false): number | undefined {
    if (this.#pumping) return undefined;
    this.#pumping = true;
    try {
      this.#event(nowMs);
      this.#works.door.expire(nowMs);
      this.admin.pump(nowMs);
      if (canWait) this.#alarm.fulfil();
      const due = this.running && nowMs >= this.#retryAtMs ? this.#clock.due(nowMs) : NO_TICKS;
      let commits = (this.#options.commitEvery ?? 1) === 1;
      const hasNews = this.#life.isOpen && this.#state.hasQuietNews && nowMs >= this.#retryAtMs;
      if (due.ticks > 0 || hasNews) {
        const create = this.#state.created ? undefined : { options: {} };
        const turn = this.#turn({ due, create, nowMs, firingAlarmMs });
        commits ||= turn.outcome !== "ran" || turn.stored;
      }
      const waits = canWait && !commits && this.running;
      const waitMs = waits ? this.#alarm.promise(this.#clock.nextWindowMs(), nowMs) : undefined;
      this.#counters.pumped(firingAlarmMs !== undefined, waitMs !== undefined);
      if (waitMs === undefined) this.#ensureAlarm(nowMs, firingAlarmMs);
      return waitMs;
    } finally {
      this.#pumping = false;
    }
  }

  stats(): RoomStats {
    return this.watch.stats();
  }

  /** What happened to a command; undefined when it wasn't consumed, or longer ago than the ledger reaches. */
  lookup(inputSession: number, seq: number): CommandRecord | undefined {
    return this.#works.ledger.lookup(inputSession, seq);
  }

  /** Checkpoints and ledger, for a replay elsewhere [D4]. */
  export(): RoomExport {
    return this.#works.ledger.export();
  }

  #newState(): RoomState<S> {
    const { game, seed, sessions } = this.#options;
    return new RoomState(game, seed, sessions);
  }

  #turn({ due, create, nowMs, firingAlarmMs }: TurnNow): Turn {
    const turn = this.#works.loop.turn({
      due,
      create,
      alarmAtMs: (awake) => {
        const wakeMs = awake ? this.#clock.nextWindowMs(due) : this.#idleAlarmMs(nowMs);
        return wakeMs === undefined ? undefined : nextAlarmMs(wakeMs, nowMs, firingAlarmMs);
      },
    });
    for (const entry of logOf(turn)) this.#log(entry);
    if (turn.outcome === "ran") {
      this.#ran(turn, due, nowMs);
      return turn;
    }
    this.#retryAtMs = nowMs + this.#clock.windowMs;
    if (turn.outcome === "not-stored") {
      this.#counters.storageErrors++;
      if (this.#life.notStored(nowMs)) this.#closeAllUnlessOpen();
    } else {
      this.#counters.faults++;
      // What the game's error says is for its developer, not for players.
      if (turn.stop) this.#life.stop(`tick ${turn.fault.tick}, ${turn.fault.callback}`);
      this.#closeAllUnlessOpen();
    }
    return turn;
  }

  #ran(turn: Turn & { outcome: "ran" }, due: DueTicks, nowMs: number): void {
    this.#clock.advance(due);
    if (turn.stored) {
      this.#counters.commits++;
      this.#life.stored();
    }
    this.#works.office.handOut(this.#state.actions);
    for (const { linkId } of turn.result.refused) {
      this.#works.door.close(linkId, "not-authorized", "the game failed to take the player in");
    }
    // A boundary without ticks has the number of the one before: it can't be told apart, so it isn't sent.
    if (due.ticks === 0) return;
    this.#counters.window(due.latenessMs, turn);
    const { roomName } = this.#options;
    const about = { state: this.#state, roomName, windowTicks: this.#windowTicks, nowMs };
    this.#counters.sent(sendBoundary(about, this.#works, turn.result));
    this.watch.windowSent(nowMs);
  }

  #closeAllUnlessOpen(): void {
    const { closed } = this.#life;
    if (closed) this.#works.door.closeAll(closed.close, closed.reason);
  }

  /** As after a crash the room goes on from what is stored. */
  #loadAgain(nowMs: number): void {
    try {
      this.#state = this.#newState();
      this.start(nowMs);
    } catch (error) {
      this.#storageError(error);
      this.#life.giveUp("nothing can be read", nowMs);
    }
  }

  /** Every event begins here: sees whether the room stood still, or the wall clock went back. */
  #event(nowMs: number): void {
    this.watch.event(nowMs);
    if (this.#life.reopen(nowMs)) this.#loadAgain(nowMs);
    const gapMs = nowMs - (this.#lastEventMs ?? nowMs);
    this.#lastEventMs = nowMs;
    if (gapMs > STALL_MS && this.running) this.#works.door.forgive(gapMs);
    // Without this a clock that was set back by an hour would stop the room for an hour.
    if (gapMs < -this.#clock.windowMs) {
      this.#clock.anchor(this.tick, nowMs);
      this.#retryAtMs = 0;
    }
  }

  /** When a room that doesn't run must be woken. */
  #idleAlarmMs(nowMs: number): number | undefined {
    const debtMs = this.#life.isOpen ? this.#state.actions.debts.watchAtMs(nowMs) : undefined;
    const { closesAtMs } = this.admin;
    return earliestMs(this.#works.door.nextDeadlineMs(), this.#life.retryAtMs, debtMs, closesAtMs);
  }

  #after(nowMs: number): void {
    if (this.running && this.#clock.overdue(nowMs)) this.pump(nowMs);
    else this.#ensureAlarm(nowMs);
  }

  #ensureAlarm(nowMs: number, firingAlarmMs?: number): void {
    const windowMs = this.running ? Math.max(this.#clock.nextWindowMs(), this.#retryAtMs) : undefined;
    const idealMs = windowMs ?? this.#idleAlarmMs(nowMs);
    const error = this.#alarm.ensure(idealMs, nowMs, firingAlarmMs);
    if (error !== undefined) this.#storageError(error);
  }

  #storageError(error: unknown): void {
    this.#counters.storageErrors++;
    this.#log({ level: "error", event: "storage-error", reason: String(error) });
  }
}
