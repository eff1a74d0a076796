import type { ActionCall, CommandOf, Game, GameShape, Rewind, SeatId, StepOptions } from "../sim/index.ts";
import { World } from "../sim/index.ts";
import { changeOf, equalsQuantised, withinTolerance } from "./compare.ts";
import type { QueuedCommand } from "./delivery-queue.ts";
import { Externals } from "./externals.ts";
import { type FieldPlan, fieldPlans } from "./field-plan.ts";
import { LocalSpawns } from "./local-spawns.ts";
import { type PredictionFrame, PredictionRing } from "./prediction-ring.ts";
import type { Authority, PredictionListener, Reconciled } from "./prediction-types.ts";
import { RowSet } from "./row-set.ts";

/**
 * What the seat's client simulates ahead of the room [P1]–[P6] [P9]: own entities and the members of its island. Its
 * world holds them and the externals that they read, and nothing else; the game's predicted phases run over it as
 * they do in the room.
 */
export class Prediction<S extends GameShape> {
  readonly world: World<S>;
  readonly plans: readonly FieldPlan[];
  /** State after the last predicted tick, and after the one before it: what is drawn lies between them. */
  present = new RowSet();
  previous = new RowSet();
  /** Last predicted tick. */
  tick = 0;
  readonly #onFault: (error: unknown) => void;
  readonly #ring = new PredictionRing();
  readonly #before = new RowSet();
  readonly #authority = new RowSet();
  readonly #externals: Externals;
  readonly #spawns = new LocalSpawns();
  readonly #commands = new Map<SeatId, CommandOf<S>>();
  readonly #calls = new Map<SeatId, readonly ActionCall[]>();
  readonly #listener: PredictionListener | undefined;
  readonly #step: StepOptions<S> & { replaying: boolean };
  #seat = 0 as SeatId;
  #session = 0;
  /** Command of the last predicted tick. */
  #seq = 0;
  /** The first command that has never been run, if some have waited. */
  #waiting = Number.POSITIVE_INFINITY;
  #isPaused = false;
  /**
   * The game's code threw since the last restore, or a spawn was taken off the screen: what follows is no
   * prediction, however near it comes.
   */
  #isSpoilt = false;

  constructor(game: Game<S>, onFault: (error: unknown) => void, listener?: PredictionListener) {
    this.world = new World(game);
    this.plans = fieldPlans(game.schema);
    this.#externals = new Externals(this.plans, game.dt);
    this.#onFault = onFault;
    this.#listener = listener;
    // One object for all ticks: a replay makes no garbage of its own.
    this.#step = {
      replaying: false,
      calls: this.#calls,
      sessionOf: () => this.#session,
      localId: (event) => this.#spawns.of(event),
      rejectionOf: (call) => listener?.rejectionOf(call),
      ...(listener && { rewind: (_seat, call) => listener.rewind(call) as unknown as Rewind<S> }),
      onAdmission: (_seat, call, result) => listener?.admission(call, result),
      onEffect: (_seat, call, name, data) =>
        listener?.effect(call, name, data, this.tick + 1, this.#step.replaying),
    };
  }

  /** True while commands wait because an external that they read isn't known at their tick [P6]. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** The seat whose commands are predicted, and their input session. */
  steer(seat: number, session = 0): void {
    this.#seat = seat as SeatId;
    if (session !== this.#session) this.#spawns.clear();
    this.#session = session;
    this.#commands.clear();
    this.#calls.clear();
    this.#waiting = Number.POSITIVE_INFINITY;
  }

  /** Runs the next tick with a new command, if nothing keeps it waiting. */
  step(entry: QueuedCommand): void {
    if (this.#isPaused || !this.#run(entry, false)) this.#waiting = Math.min(this.#waiting, entry.seq);
  }

  /** Lets the page's time pass: spawns that the room says nothing about don't stay for ever. */
  age(elapsedMs: number): void {
    this.#takeOff(this.#spawns.age(elapsedMs));
  }

  /** The room has rejected an action: what it has spawned here doesn't wait for the snapshot that says so too [P9]. */
  rejected(call: { readonly seq: number; readonly slot: number }): void {
    this.#takeOff(this.#spawns.idsOf(call));
  }

  /** What was predicted after a command, if it isn't forgotten yet. */
  frameAfter(seq: number): PredictionFrame | undefined {
    return this.#ring.find(seq);
  }

  /** Takes the room's word in; `queue` are the commands that it hasn't consumed, in order. */
  reconcile(authority: Authority, queue: readonly QueuedCommand[]): Reconciled {
    const frame = authority.fresh ? undefined : this.#ring.find(authority.consumed);
    this.#externals.learn(authority.shared);
    this.#authority.clear();
    for (const row of authority.own) this.#authority.addExact(row);
    const agrees = frame !== undefined && !this.#isSpoilt && this.#agrees(frame, authority);
    this.#spawns.forgetUpTo(authority.consumed);
    const dependency = agrees && !this.#readRightly(authority);
    if (agrees && !dependency) {
      this.#adopt(frame);
      this.#ring.forgetBefore(authority.consumed);
      this.#takeGiven();
      const resumedTicks = this.#isPaused ? this.#runFrom(queue) : 0;
      return { how: "kept", dependency, changed: false, distance: 0, replayedTicks: 0, resumedTicks };
    }
    return this.#replay(
      authority,
      queue,
      authority.fresh ? "fresh" : frame ? "replayed" : "hard",
      dependency,
    );
  }

  #takeOff(ids: readonly number[]): void {
    if (ids.length === 0) return;
    for (const id of ids) this.world.remove(id);
    this.present.capture(this.world);
    this.#isSpoilt = true;
  }

  #replay(
    authority: Authority,
    queue: readonly QueuedCommand[],
    how: Reconciled["how"],
    dependency: boolean,
  ): Reconciled {
    this.#before.copyFrom(this.present);
    this.#restore(authority);
    this.#listener?.replayBegins();
    const ticks = this.#runFrom(queue);
    const first = queue[0]?.seq;
    if (first !== undefined && ticks > 0) this.#listener?.replayed(first, this.#seq);
    return {
      how,
      dependency,
      ...changeOf(this.plans, this.#authority, this.#before, this.present),
      replayedTicks: ticks,
      resumedTicks: 0,
    };
  }

  /** Runs the commands after the last predicted one, as far as it can; gives their number. */
  #runFrom(queue: readonly QueuedCommand[]): number {
    let ticks = 0;
    for (const entry of queue) {
      if (entry.seq <= this.#seq) continue;
      if (!this.#run(entry, entry.seq < this.#waiting)) break;
      ticks++;
    }
    return ticks;
  }

  /** One tick; false when an external that it reads isn't known there: then nothing has happened. */
  #run(entry: QueuedCommand, replaying: boolean): boolean {
    const tick = this.tick + 1;
    this.#isPaused = !this.#externals.place(this.world as unknown as World, tick - 1);
    if (this.#isPaused) return false;
    if (entry.seq >= this.#waiting) this.#waiting = entry.seq + 1;
    const frame = this.#ring.claim(entry.seq, tick);
    this.#externals.note(this.world as unknown as World, frame.reads);
    this.#commands.set(this.#seat, entry.command as CommandOf<S>);
    this.#calls.set(this.#seat, entry.calls);
    this.#listener?.running(entry.seq);
    this.#step.replaying = replaying;
    try {
      this.world.predict(tick, this.#commands, this.#step);
    } catch (error) {
      // The game's own fault. The room decides what becomes of the command; the page must go on.
      this.#isSpoilt = true;
      this.#onFault(error);
    }
    this.tick = tick;
    this.#seq = entry.seq;
    [this.previous, this.present] = [this.present, this.previous];
    this.present.capture(this.world);
    this.#fill(frame);
    return true;
  }

  #fill(frame: PredictionFrame): void {
    frame.seatRandom = this.world.seatRandomState(this.#seat);
    frame.rows.copyFrom(this.present);
  }

  #agrees(frame: PredictionFrame, authority: Authority): boolean {
    if (frame.tick !== authority.tick || frame.seatRandom !== authority.seatRandom) return false;
    let matched = 0;
    for (let row = 0; row < this.#authority.count; row++) {
      const plan = this.#planOf(this.#authority, row);
      const named = frame.rows.find(this.#authority.id(row));
      const mine = named < 0 ? frame.rows.findSpawned(this.#authority, row, plan) : named;
      if (mine < 0) return false;
      const [ours, theirs] = [
        { set: frame.rows, row: mine },
        { set: this.#authority, row },
      ];
      if (!withinTolerance(plan, ours, theirs, named >= 0)) return false;
      matched++;
    }
    const { shared } = authority;
    for (let row = 0; row < shared.count; row++) {
      const plan = this.plans[shared.archetypes[row] as number];
      if (!plan?.archetype.external) continue;
      const mine = frame.rows.find(shared.ids[row] as number);
      if (mine < 0 || frame.rows.epoch(mine) !== shared.epochs[row]) return false;
      // What only the room moves is compared where it was read.
      const isRead = plan.archetype.history;
      if (!isRead && !equalsQuantised(plan, { set: frame.rows, row: mine }, shared, row)) return false;
      matched++;
    }
    return matched === frame.rows.count;
  }

  /** Whether the tick after the acknowledged one found the externals where the room now says that they were. */
  #readRightly({ consumed, tick, shared }: Authority): boolean {
    const next = this.#ring.find(consumed + 1);
    return next?.tick !== tick + 1 || this.#externals.agrees(next.reads, shared);
  }

  /** What the room has spawned for our actions is called as the room calls it, from now on. */
  #adopt(frame: PredictionFrame): void {
    for (let row = 0; row < this.#authority.count; row++) {
      const [id, epoch] = [this.#authority.id(row), this.#authority.epoch(row)];
      if (frame.rows.find(id) >= 0) continue;
      const mine = frame.rows.findSpawned(this.#authority, row, this.#planOf(this.#authority, row));
      if (mine < 0) continue;
      const local = frame.rows.id(mine);
      if (this.world.rowOf(local)) this.world.rename(local, id, epoch);
      for (const set of [this.present, this.previous]) set.rename(local, id, epoch);
      this.#ring.rename(local, id, epoch);
    }
  }

  /** Replaces everything by the room's state. */
  #restore(authority: Authority): void {
    const { world } = this;
    const { shared } = authority;
    const external = (row: number) =>
      this.plans[shared.archetypes[row] as number]?.archetype.external === true;
    for (const id of [...world.ids()]) {
      const row = shared.find(id);
      if (this.#authority.find(id) < 0 && (row < 0 || !external(row))) world.remove(id);
    }
    for (const own of authority.own) {
      world.put(own.id, own.epoch, own.archetype, own.owner, own.presence, own.cells);
    }
    for (let row = 0; row < shared.count; row++) if (external(row)) world.putQuantised(shared, row);
    world.setSeatRandomState(this.#seat, authority.seatRandom);
    this.#isSpoilt = false;
    this.#isPaused = false;
    this.tick = authority.tick;
    this.#seq = authority.consumed;
    this.#ring.clear();
    this.present.capture(world);
    this.previous.copyFrom(this.present);
    this.#fill(this.#ring.claim(authority.consumed, authority.tick));
  }

  /** Fields that prediction doesn't compute come from the room also when nothing is replayed. */
  #takeGiven(): void {
    for (let row = 0; row < this.#authority.count; row++) {
      const start = this.#authority.start(row);
      const id = this.#authority.id(row);
      const cells = this.world.rowOf(id)?.cells;
      const shown = this.present.find(id);
      for (const field of this.#planOf(this.#authority, row).given) {
        const cell = this.#authority.u32[start + field.cell] as number;
        if (cells) cells[field.cell] = cell;
        if (shown >= 0) this.present.u32[this.present.start(shown) + field.cell] = cell;
      }
    }
  }

  #planOf(set: RowSet, row: number): FieldPlan {
    return this.plans[set.archetype(row)] as FieldPlan;
  }
}
