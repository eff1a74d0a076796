import type { GameShape } from "../../sim/index.ts";
import { RoomFault } from "./fault.ts";
import type { RoomHooks } from "./hooks.ts";
import type { LedgerBook } from "./ledger-book.ts";
import type { CommitParts, RoomState } from "./room-state.ts";
import type { RoomStore } from "./store.ts";
import { findGuilty, type Suspect } from "./suspects.ts";
import type { DueTicks } from "./tick-clock.ts";
import { runWindow, type WindowPlan, type WindowResult } from "./window.ts";

export interface TurnRequest {
  readonly due: DueTicks;
  /** Options of a room that is made by this window. */
  readonly create: { readonly options: unknown } | undefined;
  /** In a replay: what the records say. Sessions then end, and seats leave, only as recorded. */
  readonly recorded?: { readonly rejected: readonly Suspect[] };
  /** In a replay, whose windows are of one tick: whether the room sent this boundary. */
  readonly endsWindow?: boolean;
  /** When to run next, given whether somebody is still here after the window. */
  readonly alarmAtMs: (awake: boolean) => number | undefined;
}

/** What is to be run, and the present time. */
export interface TurnNow extends Pick<TurnRequest, "due" | "create"> {
  readonly nowMs: number;
  /** Time of the alarm that is firing, if one is. */
  readonly firingAlarmMs?: number | undefined;
}

export type Turn =
  | {
      readonly outcome: "ran";
      /** Whether it is stored, and all before it; else what it consumed is provisional [D2]. */
      readonly stored: boolean;
      readonly result: WindowResult;
      /** What was found to make the window throw, and had no effect. */
      readonly rejected: readonly Suspect[];
      readonly inputsConsumed: number;
      readonly inputsMissing: number;
    }
  /** The game's code threw; `stop` when it has done so too often without a culprit. */
  | { readonly outcome: "faulted"; readonly fault: RoomFault; readonly stop: boolean }
  /** Storage refused: nothing of the window counts [D6]. */
  | { readonly outcome: "not-stored"; readonly error: unknown };

export interface WindowLoopOptions<S extends GameShape> {
  readonly roomName: string;
  readonly hooks: RoomHooks<S>;
  readonly store: RoomStore;
  readonly ledger: LedgerBook<S>;
  readonly maxFaults: number;
  readonly graceTicks: number;
  /** Windows per commit, unless something happens that can't wait [D2]. */
  readonly commitEvery: number;
}

/**
 * Runs a window and commits it, or leaves everything as it was. Between windows the world doesn't change,
 * so that the save made at the last boundary is what an abandoned window goes back to: that boundary was
 * sent, whether it is stored yet or not.
 */
export class WindowLoop<S extends GameShape> {
  readonly #state: RoomState<S>;
  readonly #options: WindowLoopOptions<S>;
  #boundary: Uint8Array;
  #faultsInARow = 0;
  /** The first window always commits: its incarnation must be stored before a client sees it [D3]. */
  #windowsSinceCommit = Number.POSITIVE_INFINITY;

  constructor(state: RoomState<S>, options: WindowLoopOptions<S>) {
    this.#state = state;
    this.#options = options;
    this.#boundary = state.world.save();
  }

  turn(request: TurnRequest): Turn {
    const { world } = this.#state;
    const plan: WindowPlan = {
      ticks: request.due.ticks,
      create: request.create,
      expireDroppedAt: world.tick - this.#options.graceTicks,
      rejected: request.recorded?.rejected ?? [],
      closesSessions: request.recorded === undefined,
    };
    let rejected: readonly Suspect[] = [];
    let attempt = this.#attempt(plan);
    if (attempt instanceof RoomFault) {
      const fault = attempt;
      this.#faultsInARow++;
      // The first time it may have been bad luck with what is gone by the next pump; then look for the cause.
      const guilty = this.#faultsInARow < 2 ? undefined : this.#findGuilty(fault, plan);
      if (!guilty) {
        this.#rollBack();
        return { outcome: "faulted", fault, stop: this.#faultsInARow >= this.#options.maxFaults };
      }
      rejected = guilty.rejected;
      attempt = guilty.result;
    }
    const inputs = this.#countInputs();
    if (request.endsWindow ?? plan.ticks > 0) this.#state.poses.stage(() => world.quantise());
    const result = attempt;
    const stored = rejected.length > 0 || this.#mustCommit(request);
    const boundary = world.save();
    try {
      if (stored) this.#commit(request, { result, rejected, world: boundary });
    } catch (error) {
      this.#rollBack();
      return { outcome: "not-stored", error };
    }
    this.#faultsInARow = 0;
    this.#settle(request, stored, boundary);
    return { outcome: "ran", stored, result, rejected, ...inputs };
  }

  #mustCommit({ create }: TurnRequest): boolean {
    const { seats, actions } = this.#state;
    const due = this.#windowsSinceCommit + 1 >= this.#options.commitEvery;
    return due || create !== undefined || seats.changed || actions.changed;
  }

  /** The window counts. What it did can't be taken back any more, because it will be sent. */
  #settle({ due, create }: TurnRequest, stored: boolean, boundary: Uint8Array): void {
    const state = this.#state;
    state.seats.settle();
    state.actions.settle();
    state.poses.settle();
    state.slippedTicks += due.slipTicks;
    if (create) state.options = optionsText(create.options);
    this.#boundary = boundary;
    this.#windowsSinceCommit++;
    state.boundaries = stored ? [] : [...state.boundaries, state.world.tick];
    if (!stored) return;
    state.seats.committed();
    state.commit++;
    state.committedTick = state.world.tick;
    this.#windowsSinceCommit = 0;
  }

  #attempt(plan: WindowPlan): WindowResult | RoomFault {
    const { game, world, seats, actions, poses } = this.#state;
    const { roomName, hooks } = this.#options;
    seats.open();
    actions.open(plan.rejected);
    try {
      return runWindow({ game, world, seats, actions, poses, hooks, roomName }, plan);
    } catch (error) {
      if (error instanceof RoomFault) return error;
      throw error;
    }
  }

  #findGuilty(fault: RoomFault, plan: WindowPlan) {
    let result: WindowResult | undefined;
    const rejected = findGuilty(fault, this.#state, (suspects) => {
      this.#rollBack();
      const attempt = this.#attempt({ ...plan, rejected: [...plan.rejected, ...suspects] });
      if (attempt instanceof RoomFault) return attempt;
      result = attempt;
      return undefined;
    });
    return rejected && result && { rejected, result };
  }

  #commit(
    { due, create, alarmAtMs }: TurnRequest,
    window: Pick<CommitParts, "result" | "rejected" | "world">,
  ): void {
    const state = this.#state;
    const write = state.write({
      ...window,
      slippedTicks: state.slippedTicks + due.slipTicks,
      options: create ? optionsText(create.options) : state.options,
      alarmAtMs: alarmAtMs(state.seats.awake),
    });
    const { store, ledger } = this.#options;
    const at = { commit: state.commit + 1, tick: state.world.tick };
    const checkpoint = ledger.checkpointFor(write.state, at);
    store.commit({ ...write, checkpoint });
    if (checkpoint) ledger.taken({ ...at, slot: checkpoint.slot });
  }

  #countInputs(): { inputsConsumed: number; inputsMissing: number } {
    let inputsConsumed = 0;
    let inputsMissing = 0;
    for (const { state, input } of this.#state.seats.all()) {
      inputsConsumed += input.windowConsumed;
      // Before its first command a client is still on its way in, and a dropped one can't send any.
      if (state.at === "live" && input.consumed > 0) inputsMissing += input.windowMissed;
    }
    return { inputsConsumed, inputsMissing };
  }

  #rollBack(): void {
    this.#state.world.restore(this.#boundary);
    this.#state.seats.undo();
    this.#state.actions.undo();
    this.#state.poses.undo();
  }
}

function optionsText(options: unknown): string {
  return JSON.stringify(options ?? {});
}
