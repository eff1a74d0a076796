import type { ExactRow } from "../protocol/index.ts";
import type {
  ActionCall,
  AdmissionResult,
  CommandOf,
  Game,
  GameShape,
  QuantisedState,
  Rewind,
  SeatId,
} from "../sim/index.ts";
import { World } from "../sim/index.ts";
import { distance, equalsQuantised, withinTolerance } from "./compare.ts";
import type { QueuedCommand } from "./delivery-queue.ts";
import { type FieldPlan, fieldPlans } from "./field-plan.ts";
import { type PredictionFrame, PredictionRing } from "./prediction-ring.ts";
import { RowSet } from "./row-set.ts";

/** What the room says about this seat at one boundary. */
export interface Authority {
  readonly tick: number;
  readonly consumed: number;
  readonly seatRandom: number;
  /** The seat's own predicted entities, exactly. */
  readonly own: readonly ExactRow[];
  readonly shared: QuantisedState;
  /** First of a session or incarnation: nothing was predicted that could be compared with it. */
  readonly fresh: boolean;
}

export interface Reconciled {
  /** `kept`: in tolerance, the present stands. `hard`: there was no frame to compare with. */
  readonly how: "kept" | "replayed" | "hard" | "fresh";
  /** The present is now another than before, beyond tolerance. */
  readonly changed: boolean;
  /** How far that moved an own entity, in position units. */
  readonly distance: number;
  readonly replayedTicks: number;
}

/** Who hears of the actions that are predicted. */
export interface PredictionListener {
  running(seq: number): void;
  admission(call: ActionCall, result: AdmissionResult): void;
  effect(call: ActionCall, name: string, data: unknown, tick: number, replaying: boolean): void;
  /** What the page showed of others when it asked for the action. */
  rewind(call: ActionCall): Rewind<GameShape>;
  replayBegins(): void;
  /** These commands, and no others, were replayed. */
  replayed(fromSeq: number, toSeq: number): void;
}

/** One predicted state, to the bit: own entities and the externals that they read. */
export interface PredictedState {
  readonly seq: number;
  readonly tick: number;
  readonly seatRandom: number;
  readonly rows: readonly ExactRow[];
}

/**
 * The seat's own entities, ahead of the room [P1]–[P4] [P6]. Its world holds them and the externals that they
 * read, and nothing else; the game's predicted phases run over it as they do in the room.
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
  readonly #commands = new Map<SeatId, CommandOf<S>>();
  readonly #calls = new Map<SeatId, readonly ActionCall[]>();
  readonly #listener: PredictionListener | undefined;
  #seat = 0 as SeatId;
  /** The game's code threw since the last restore: what follows is no prediction, however near it comes. */
  #faulted = false;

  constructor(game: Game<S>, onFault: (error: unknown) => void, listener?: PredictionListener) {
    this.world = new World(game, { role: "client", seed: 0 });
    this.plans = fieldPlans(game.schema);
    this.#onFault = onFault;
    this.#listener = listener;
  }

  /** The seat whose commands are predicted. */
  steer(seat: number): void {
    this.#seat = seat as SeatId;
    this.#commands.clear();
    this.#calls.clear();
  }

  /** Runs the next tick with a new command. */
  step(entry: QueuedCommand): void {
    this.#run(this.tick + 1, entry, false);
  }

  /** What was predicted after a command, if it isn't forgotten yet. */
  stateAfter(seq: number): PredictedState | undefined {
    const frame = this.#ring.find(seq);
    return frame && { seq, tick: frame.tick, seatRandom: frame.seatRandom, rows: frame.rows.exact() };
  }

  /** Takes the room's word in; `queue` are the commands that it hasn't consumed, in order. */
  reconcile(authority: Authority, queue: readonly QueuedCommand[]): Reconciled {
    const frame = authority.fresh ? undefined : this.#ring.find(authority.consumed);
    this.#authority.clear();
    for (const row of authority.own) this.#authority.addExact(row);
    if (frame && !this.#faulted && this.#agrees(frame, authority)) {
      this.#ring.forgetBefore(authority.consumed);
      this.#takeGiven();
      return { how: "kept", changed: false, distance: 0, replayedTicks: 0 };
    }
    this.#before.copyFrom(this.present);
    this.#restore(authority);
    this.#replay(queue);
    const how = authority.fresh ? "fresh" : frame ? "replayed" : "hard";
    return { how, ...this.#change(), replayedTicks: queue.length };
  }

  #replay(queue: readonly QueuedCommand[]): void {
    this.#listener?.replayBegins();
    for (const entry of queue) this.#run(this.tick + 1, entry, true);
    const [first, last] = [queue[0], queue.at(-1)];
    if (first && last) this.#listener?.replayed(first.seq, last.seq);
  }

  #run(tick: number, entry: QueuedCommand, replaying: boolean): void {
    const listener = this.#listener;
    this.#commands.set(this.#seat, entry.command as CommandOf<S>);
    this.#calls.set(this.#seat, entry.calls);
    listener?.running(entry.seq);
    try {
      this.world.predict(tick, this.#commands, {
        replaying,
        calls: this.#calls,
        onAdmission: (_seat, call, result) => listener?.admission(call, result),
        ...(listener && { rewind: (_seat, call) => listener.rewind(call) as unknown as Rewind<S> }),
        onEffect: (_seat, call, name, data) => listener?.effect(call, name, data, tick, replaying),
      });
    } catch (error) {
      // The game's own fault. The room decides what becomes of the command; the page must go on.
      this.#faulted = true;
      this.#onFault(error);
    }
    this.tick = tick;
    this.#turn();
    this.#record(entry.seq).rows.copyFrom(this.present);
  }

  #record(seq: number): PredictionFrame {
    return this.#ring.claim(seq, this.tick, this.world.seatRandomState(this.#seat));
  }

  /** The present becomes the past, and the world's state the present. */
  #turn(): void {
    [this.previous, this.present] = [this.present, this.previous];
    this.present.capture(this.world);
  }

  #agrees(frame: PredictionFrame, authority: Authority): boolean {
    if (frame.tick !== authority.tick || frame.seatRandom !== authority.seatRandom) return false;
    let matched = 0;
    for (let row = 0; row < this.#authority.count; row++) {
      const mine = frame.rows.find(this.#authority.id(row));
      if (mine < 0) return false;
      const plan = this.#planOf(this.#authority, row);
      if (!withinTolerance(plan, { set: frame.rows, row: mine }, { set: this.#authority, row })) return false;
      matched++;
    }
    const { shared } = authority;
    for (let row = 0; row < shared.count; row++) {
      const plan = this.plans[shared.archetypes[row] as number];
      if (!plan?.archetype.external) continue;
      const mine = frame.rows.find(shared.ids[row] as number);
      if (mine < 0 || !equalsQuantised(plan, { set: frame.rows, row: mine }, shared, row)) return false;
      matched++;
    }
    return matched === frame.rows.count;
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
    this.#faulted = false;
    this.tick = authority.tick;
    this.#ring.clear();
    this.present.capture(world);
    this.previous.copyFrom(this.present);
    this.#record(authority.consumed).rows.copyFrom(this.present);
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

  /** What a replay changed in the present, over the entities that were there before and after. */
  #change(): { changed: boolean; distance: number } {
    let changed = false;
    let moved = 0;
    for (let row = 0; row < this.#authority.count; row++) {
      const id = this.#authority.id(row);
      const [was, is] = [this.#before.find(id), this.present.find(id)];
      if (was < 0 || is < 0 || this.#before.epoch(was) !== this.present.epoch(is)) continue;
      const plan = this.#planOf(this.#authority, row);
      const [before, after] = [
        { set: this.#before, row: was },
        { set: this.present, row: is },
      ];
      if (withinTolerance(plan, before, after)) continue;
      changed = true;
      moved = Math.max(moved, distance(plan, before, after));
    }
    return { changed, distance: moved };
  }

  #planOf(set: RowSet, row: number): FieldPlan {
    return this.plans[set.archetype(row)] as FieldPlan;
  }
}
