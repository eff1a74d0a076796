import { isFinal, type Receipt } from "../protocol/index.ts";
import type { ActionCall, GameShape } from "../sim/index.ts";
import { publicReceipt } from "./action-record.ts";
import { actionKey } from "./action-table.ts";
import type { ActionIdentity, Effect, EffectHandlers } from "./action-types.ts";
import { Listeners } from "./listeners.ts";

type AnyEffect = { -readonly [K in keyof Effect<GameShape>]: Effect<GameShape>[K] };
type AnyHandlers = EffectHandlers<GameShape>;

/**
 *   (first simulation, or fresh in a replay) ─▶ playing ──admitted──▶ accepted ──final──▶ ended
 *                                                │  ▲
 *                            not in a replay ────▼  │──── fresh in a later replay
 *                                              absent          rejected, void: playing ─▶ cancelled
 *   (not fresh, or of an earlier life of the page) ─▶ muted
 */
type State = "playing" | "accepted" | "ended" | "absent" | "cancelled" | "muted";

interface Shown {
  readonly effect: AnyEffect;
  state: State;
  /** The replay that is running has computed it. */
  seen: boolean;
}

/** Effects that are remembered; past it the oldest are forgotten. */
const REMEMBERED = 1024;

export interface EffectBookOptions {
  readonly nameOf: (slot: number) => string;
  /** Commands after its own that an effect is worth beginning for. */
  readonly freshTicks: number;
  /** Calls into the page wait until what caused them is complete. */
  readonly later: (callback: () => void) => void;
}

/**
 * What has been shown for actions, by event identity [P8]. A position may be computed again and again; a sound must
 * not, so replays only update what the first simulation began.
 */
export class EffectBook {
  readonly #options: EffectBookOptions;
  readonly #handlers = new Listeners<AnyHandlers>();
  readonly #shown = new Map<string, Shown>();
  /** The newest answer to actions whose command may still be replayed. */
  readonly #answers = new Map<string, Receipt>();
  /** How many effects of a name an admission has asked for so far. */
  readonly #asked = new Map<string, number>();
  #session = 0;
  #newestSeq = 0;
  #mutedSeq = 0;

  constructor(options: EffectBookOptions) {
    this.#options = options;
  }

  on(name: string, handlers: AnyHandlers): () => void {
    return this.#handlers.add(name, handlers);
  }

  /** From now on commands of this session run. Those up to a number ran before the page began. */
  begin(session: number, mutedSeq = 0): void {
    this.#session = session;
    this.#newestSeq = mutedSeq;
    this.#mutedSeq = mutedSeq;
  }

  /** A command is about to be run. */
  running(seq: number): void {
    this.#asked.clear();
    this.#newestSeq = Math.max(this.#newestSeq, seq);
  }

  /** The command that runs asks for an effect. */
  asked(call: ActionCall, name: string, data: unknown, tick: number, replaying: boolean): void {
    const identity = { session: this.#session, seq: call.seq, slot: call.slot };
    const nth = this.#asked.get(`${call.slot}/${name}`) ?? 0;
    this.#asked.set(`${call.slot}/${name}`, nth + 1);
    const key = `${actionKey(identity)}/${name}/${nth}`;
    const known = this.#shown.get(key);
    if (known) {
      known.seen = true;
      known.effect.data = data;
      known.effect.tick = tick;
      if (known.state === "absent" && this.#isFresh(call.seq)) this.#play(known);
      return;
    }
    const action = this.#options.nameOf(call.slot);
    const effect: AnyEffect = { ...identity, name, action, data, tick, receipt: undefined };
    const shown: Shown = { effect, state: "muted", seen: true };
    this.#shown.set(key, shown);
    const answer = this.#answers.get(actionKey(identity));
    if (answer?.status === "rejected" || (replaying && !this.#isFresh(call.seq))) return;
    this.#play(shown);
    if (answer) this.#answered(shown, answer);
  }

  replayBegins(): void {
    for (const shown of this.#shown.values()) shown.seen = false;
  }

  /** These commands of the present session were replayed: an effect of theirs that didn't appear is gone. */
  replayed(fromSeq: number, toSeq: number): void {
    for (const shown of this.#shown.values()) {
      const { session, seq } = shown.effect;
      if (shown.seen || shown.state !== "playing" || session !== this.#session) continue;
      if (seq < fromSeq || seq > toSeq) continue;
      shown.state = "absent";
      this.#tell(shown, "cancel");
    }
  }

  /** The room has answered an action. */
  answer(receipt: Receipt): void {
    this.#answers.set(actionKey(receipt), receipt);
    for (const shown of this.#of(receipt)) this.#answered(shown, receipt);
  }

  /** Why the room has rejected an action whose command may still run here. */
  rejectionOf(identity: ActionIdentity): string | undefined {
    const answer = this.#answers.get(actionKey(identity));
    return answer?.status === "rejected" ? answer.reason : undefined;
  }

  /** An action's command is never executed. */
  void(identity: ActionIdentity): void {
    for (const shown of this.#of(identity)) if (shown.state === "playing") this.#cancel(shown);
  }

  clear(): void {
    this.#shown.clear();
    this.#answers.clear();
  }

  /** Commands of the present session before this one won't run again. */
  forgetBefore(oldestSeq: number): void {
    const isPast = ({ session, seq }: ActionIdentity) => session !== this.#session || seq < oldestSeq;
    for (const [key, receipt] of this.#answers) if (isPast(receipt)) this.#answers.delete(key);
    for (const [key, { effect, state }] of this.#shown) {
      const lasts = state === "playing" || state === "accepted";
      if (isPast(effect) && (!lasts || this.#shown.size > REMEMBERED)) this.#shown.delete(key);
    }
  }

  #answered(shown: Shown, receipt: Receipt): void {
    shown.effect.receipt = publicReceipt(receipt, shown.effect.action);
    if (shown.state !== "playing" && shown.state !== "accepted") return;
    if (receipt.status === "rejected") {
      this.#cancel(shown);
      return;
    }
    if (shown.state === "playing") {
      shown.state = "accepted";
      this.#tell(shown, "accept");
    }
    if (!isFinal(receipt)) return;
    shown.state = "ended";
    this.#tell(shown, "end");
  }

  #play(shown: Shown): void {
    shown.state = "playing";
    this.#tell(shown, "play");
  }

  #cancel(shown: Shown): void {
    shown.state = "cancelled";
    this.#tell(shown, "cancel");
  }

  #tell({ effect }: Shown, what: keyof AnyHandlers): void {
    for (const name of [effect.name, "*"]) {
      for (const handlers of this.#handlers.of(name)) this.#options.later(() => handlers[what]?.(effect));
    }
  }

  #isFresh(seq: number): boolean {
    return seq > this.#mutedSeq && this.#newestSeq - seq <= this.#options.freshTicks;
  }

  *#of(identity: ActionIdentity): Generator<Shown> {
    const { session, seq, slot } = identity;
    for (const shown of this.#shown.values()) {
      const { effect } = shown;
      if (effect.session === session && effect.seq === seq && effect.slot === slot) yield shown;
    }
  }
}
