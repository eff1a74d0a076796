import type { GameShape } from "../../sim/index.ts";
import { RoomFault } from "./fault.ts";
import type { RoomHooks } from "./hooks.ts";
import type { RoomState } from "./room-state.ts";
import type { RoomStore } from "./store.ts";
import { findGuilty, type Suspect } from "./suspects.ts";
import type { DueTicks } from "./tick-clock.ts";
import { runWindow, type WindowPlan, type WindowResult } from "./window.ts";

export interface TurnRequest {
  readonly due: DueTicks;
  /** Options of a room that is made by this window. */
  readonly create: { readonly options: unknown } | undefined;
  /** When to run next, given whether somebody is still here after the window. */
  readonly alarmAtMs: (awake: boolean) => number | undefined;
}

export type Turn =
  | {
      readonly outcome: "committed";
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
  readonly maxFaults: number;
  readonly graceTicks: number;
}

/**
 * Runs a window and commits it, or leaves everything as it was. Between windows the world doesn't change,
 * so that the save made for the last commit is also what an abandoned window goes back to.
 */
export class WindowLoop<S extends GameShape> {
  readonly #state: RoomState<S>;
  readonly #options: WindowLoopOptions<S>;
  #boundary: Uint8Array;
  #faultsInARow = 0;

  constructor(state: RoomState<S>, options: WindowLoopOptions<S>) {
    this.#state = state;
    this.#options = options;
    this.#boundary = state.world.save();
  }

  turn(request: TurnRequest): Turn {
    const { seats, world } = this.#state;
    const plan: WindowPlan = {
      ticks: request.due.ticks,
      create: request.create,
      expireDroppedAt: world.tick - this.#options.graceTicks,
      rejected: [],
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
    const result = attempt;
    try {
      this.#commit(request, result);
    } catch (error) {
      this.#rollBack();
      return { outcome: "not-stored", error };
    }
    this.#faultsInARow = 0;
    seats.settle();
    return { outcome: "committed", result, rejected, ...inputs };
  }

  #attempt(plan: WindowPlan): WindowResult | RoomFault {
    const { game, world, seats } = this.#state;
    const { roomName, hooks } = this.#options;
    seats.open();
    try {
      return runWindow({ game, world, seats, hooks, roomName }, plan);
    } catch (error) {
      if (error instanceof RoomFault) return error;
      throw error;
    }
  }

  #findGuilty(fault: RoomFault, plan: WindowPlan) {
    let result: WindowResult | undefined;
    const rejected = findGuilty(fault, this.#state.seats, (suspects) => {
      this.#rollBack();
      const attempt = this.#attempt({ ...plan, rejected: suspects });
      if (attempt instanceof RoomFault) return attempt;
      result = attempt;
      return undefined;
    });
    return rejected && result && { rejected, result };
  }

  #commit({ due, create, alarmAtMs }: TurnRequest, result: WindowResult): void {
    const state = this.#state;
    const fromTick = state.world.tick - due.ticks;
    const world = state.world.save();
    const slippedTicks = state.slippedTicks + due.slipTicks;
    const options = create ? JSON.stringify(create.options ?? {}) : state.options;
    const write = state.write({
      result,
      fromTick,
      world,
      slippedTicks,
      options,
      alarmAtMs: alarmAtMs(state.seats.awake),
    });
    this.#options.store.commit(write);
    state.commit++;
    state.slippedTicks = slippedTicks;
    state.options = options;
    this.#boundary = world;
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
  }
}
