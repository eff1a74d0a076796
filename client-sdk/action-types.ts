import type { ActionName, GameShape, ParamsOf, ResultOf } from "../sim/index.ts";
import type { Off } from "./types.ts";

/** What names an action for ever: the slot of one command of one input session. */
export interface ActionIdentity {
  readonly session: number;
  readonly seq: number;
  readonly slot: number;
}

/**
 * - `queued`: waits for a command, or its command waits to be sent.
 * - `sent`: on its way; the room hasn't answered.
 * - `admitted`: the room has taken it, and charged its cost; how it ends is open.
 * - `rejected`, `settled`, `timedOut`: the room's last word.
 * - `void`: its command was never executed, and never will be.
 * - `unknown`: what became of it can't be learned any more, because the seat or this client has ended.
 */
export type ActionStatus =
  | "queued"
  | "sent"
  | "admitted"
  | "rejected"
  | "settled"
  | "timedOut"
  | "void"
  | "unknown";

interface ReceiptFacts<N extends string> extends ActionIdentity {
  readonly action: N;
  readonly revision: number;
  /** Tick in which this was decided. */
  readonly tick: number;
}

type Facts<S extends GameShape, N extends ActionName<S>> = N extends unknown
  ? ReceiptFacts<N> &
      (
        | { readonly status: "admitted" }
        | { readonly status: "rejected"; readonly reason: string }
        | { readonly status: "settled"; readonly result: ResultOf<S, N> }
        | { readonly status: "timedOut"; readonly reason: string }
      )
  : never;

/** The room's word about an action. */
export type ActionReceipt<S extends GameShape, N extends ActionName<S> = ActionName<S>> = Facts<S, N>;

/** How an action ended. */
export type ActionOutcome<S extends GameShape, N extends ActionName<S> = ActionName<S>> =
  | Exclude<ActionReceipt<S, N>, { readonly status: "admitted" }>
  | { readonly status: "void" | "unknown" };

/** One call of an action. */
export interface ActionHandle<S extends GameShape, N extends ActionName<S> = ActionName<S>> {
  readonly action: N;
  /** Given with the command that carries the call. */
  readonly identity: ActionIdentity | undefined;
  readonly status: ActionStatus;
  /** What prediction made of it, which the room may see differently. */
  readonly predicted:
    | { readonly admitted: true }
    | { readonly admitted: false; readonly reason: string }
    | undefined;
  /** Resolves with the room's last word, or once it is certain that there is none. Never rejects. */
  readonly settled: Promise<ActionOutcome<S, N>>;
}

type CallArgs<P> = [keyof P] extends [never] ? [] : [params: P];

/** Asks for an action with the next command that is made. */
export type ActionCalls<S extends GameShape> = {
  readonly [N in ActionName<S>]: (...args: CallArgs<ParamsOf<S, N>>) => ActionHandle<S, N>;
};

export interface Receipts<S extends GameShape> {
  /** Called once for each answer of the room: when it admits an action, and when the action has ended. */
  on<N extends ActionName<S>>(action: N, listener: (receipt: ActionReceipt<S, N>) => void): Off;
  /** Actions whose end isn't known yet, oldest first; also those that an earlier life of the page called. */
  open(): readonly ActionHandle<S>[];
}

/** Something to see or hear that `admit` asked for. The object stays the same while the effect lasts. */
export interface Effect<S extends GameShape, D = unknown> extends ActionIdentity {
  readonly name: string;
  readonly action: ActionName<S>;
  /** As the newest replay computed it. */
  readonly data: D;
  readonly tick: number;
  /** The room's newest word about its action. */
  readonly receipt: ActionReceipt<S> | undefined;
}

/** What to do about an effect, by event identity: each at most once, unless a cancelled one plays again. */
export interface EffectHandlers<S extends GameShape, D = unknown> {
  /** It begins: in the first prediction, or in a replay that computed it for the first time while it is fresh. */
  play(effect: Effect<S, D>): void;
  /** The room has admitted its action. */
  accept?(effect: Effect<S, D>): void;
  /** It never was: the room rejected its action, or prediction no longer computes it. */
  cancel?(effect: Effect<S, D>): void;
  /** Its action is settled or timed out: what waited for that is over, the rest was real. */
  end?(effect: Effect<S, D>): void;
}

export interface Effects<S extends GameShape> {
  /** @param name of the effect as `admit` asks for it; `"*"` for all */
  on<D = unknown>(name: string, handlers: EffectHandlers<S, D>): Off;
}
