import {
  type BaselineFrame,
  type ClientFrame,
  LIMITS,
  type Receipt,
  type ReceiptsFrame,
  WireError,
} from "../protocol/index.ts";
import type { ActionCall, AdmissionResult, CompiledSchema, GameShape, Rewind } from "../sim/index.ts";
import { ActionRecord, publicReceipt } from "./action-record.ts";
import { ActionTable } from "./action-table.ts";
import type {
  ActionCalls,
  ActionHandle,
  ActionIdentity,
  ActionReceipt,
  Effects,
  Receipts,
} from "./action-types.ts";
import type { QueuedCommand } from "./delivery-queue.ts";
import { EffectBook } from "./effect-book.ts";
import { Listeners } from "./listeners.ts";
import type { PredictionListener } from "./prediction-types.ts";
import { ReceiptInbox } from "./receipt-inbox.ts";
import type { CallParams, Sampler } from "./sampler.ts";
import type { SavedActions } from "./session-store.ts";

/** As many calls as a seat may have pending wait for a command; one more is void at once. */
const WAITING_CALLS = LIMITS.pendingActions;

type Listener = (receipt: ActionReceipt<GameShape>) => void;

export interface ActionDeskOptions {
  readonly schema: CompiledSchema;
  readonly sampler: Sampler;
  /** The moment that the page shows of others, in ticks. */
  readonly viewTick: () => number;
  /** What the page showed of others at such a moment. */
  readonly rewindTo: (viewTick: number) => Rewind<GameShape>;
  /** A listener of the page threw, or the room contradicts itself. */
  readonly onFault: (error: unknown) => void;
  /** Something that a reload needs has changed. */
  readonly onChange: () => void;
  /** The room has rejected an action of one of this session's commands. */
  readonly onRejected: (action: ActionIdentity) => void;
}

/** Everything about actions: what the page asks for, what the room answers, and what is shown for it meanwhile. */
export class ActionDesk<S extends GameShape> implements PredictionListener {
  readonly #options: ActionDeskOptions;
  readonly #table = new ActionTable();
  readonly #inbox: ReceiptInbox;
  readonly #effects: EffectBook;
  readonly #listeners = new Listeners<Listener>();
  #later: (() => void)[] = [];
  /** Session of the commands that are predicted. */
  #session = 0;
  #hasEnded = false;
  readonly calls: ActionCalls<S>;
  readonly receipts: Receipts<S>;
  readonly effects: Effects<S>;

  constructor(options: ActionDeskOptions) {
    this.#options = options;
    const { schema, onFault } = options;
    const nameOf = (slot: number) => schema.actions[slot]?.name ?? `#${slot}`;
    this.#inbox = new ReceiptInbox({
      table: this.#table,
      nameOf,
      onNews: (receipt) => this.#news(receipt),
      onConflict: (detail) => onFault(new WireError("bad-value", detail)),
    });
    this.#effects = new EffectBook({
      nameOf,
      freshTicks: Math.round(schema.tickRate / 4),
      later: (callback) => this.#later.push(callback),
    });
    this.calls = Object.fromEntries(
      schema.actions.map(({ name, slot }) => [name, (params?: CallParams) => this.#call(name, slot, params)]),
    ) as unknown as ActionCalls<S>;
    this.receipts = {
      on: (action, listener) => this.#listeners.add(action, listener as unknown as Listener),
      open: () => this.#open() as unknown as readonly ActionHandle<S>[],
    };
    this.effects = {
      on: (name, handlers) => this.#effects.on(name, handlers as never),
    };
  }

  /** Commands are made in this session from now on; those up to a number were made by an earlier life of the page. */
  begin(session: number, mutedSeq = 0): void {
    if (session === this.#session) return;
    this.#session = session;
    this.#effects.begin(session, mutedSeq);
  }

  /** A command was made that carries these calls. */
  made({ seq }: QueuedCommand, records: readonly ActionRecord[]): void {
    for (const record of records) this.#table.add({ session: this.#session, seq, slot: record.slot }, record);
  }

  /** Commands are on their way. */
  carried(commands: readonly QueuedCommand[]): void {
    for (const { seq, calls } of commands)
      for (const { slot } of calls) this.#table.get({ session: this.#session, seq, slot })?.sent();
  }

  receive(frame: ReceiptsFrame): void {
    this.#inbox.receive(frame);
    this.#changed();
  }

  baseline(frame: BaselineFrame): void {
    this.#inbox.part(frame);
    this.#changed();
  }

  raiseHead(session: number, head: number): void {
    if (session !== 0 && head > 0) this.#inbox.raiseHead(session, head);
  }

  /** A new connection, with the heads of the streams that can be read on it. For others nobody answers any more. */
  reconnected(heads: ReadonlyMap<number, number>): void {
    for (const session of this.#table.sessions()) if (!heads.has(session)) this.#lose(session);
    this.#inbox.reconnected(heads);
    this.#changed();
  }

  /** What goes along with the next commands. */
  confirmations(): readonly ClientFrame[] {
    return this.#inbox.confirmations();
  }
  /** What to ask the room for now. */
  requests(nowMs: number): readonly ClientFrame[] {
    return this.#inbox.requests(nowMs);
  }
  isComplete(session: number): boolean {
    return this.#inbox.isComplete(session);
  }

  /** A session's commands after this number are never executed. */
  void(session: number, consumed: number): readonly ActionRecord[] {
    const records = this.#table.void(session, consumed);
    for (const { identity } of records) if (identity) this.#effects.void(identity);
    this.#changed();
    return records;
  }

  /** Another room answers in the place of the one that we knew: its numbers mean other actions. */
  forgetRoom(): void {
    this.reconnected(new Map());
    this.#table.clear();
    this.#effects.clear();
    this.#session = 0;
  }

  /** This client has ended: what no command carries is void. */
  end(): void {
    this.#hasEnded = true;
    for (const record of this.#options.sampler.dropCalls()) record.giveUp("void");
    this.reconnected(new Map());
  }

  /** Commands before this one won't run again. */
  forgetBefore(oldestSeq: number): void {
    this.#effects.forgetBefore(oldestSeq);
  }

  get openCount(): number {
    return this.#open().length;
  }

  save(): SavedActions {
    return { actions: this.#table.save(), cursors: this.#inbox.save() };
  }
  saved({ cursors }: SavedActions): void {
    this.#inbox.saved(cursors);
  }
  restore({ actions, cursors }: SavedActions): void {
    this.#table.restore(actions, (slot) => this.#options.schema.actions[slot]?.name ?? `#${slot}`);
    this.#inbox.restore(cursors);
  }

  // What prediction tells.

  running(seq: number): void {
    this.#effects.running(seq);
  }
  admission({ seq, slot }: ActionCall, result: AdmissionResult): void {
    this.#table.get({ session: this.#session, seq, slot })?.foresee(result);
  }
  rewind({ viewTick }: ActionCall): Rewind<GameShape> {
    return this.#options.rewindTo(viewTick);
  }
  effect(call: ActionCall, name: string, data: unknown, tick: number, replaying: boolean): void {
    this.#effects.asked(call, name, data, tick, replaying);
  }
  rejectionOf({ seq, slot }: ActionCall): string | undefined {
    return this.#effects.rejectionOf({ session: this.#session, seq, slot });
  }
  replayBegins(): void {
    this.#effects.replayBegins();
  }
  replayed(fromSeq: number, toSeq: number): void {
    this.#effects.replayed(fromSeq, toSeq);
  }

  /** Calls into the page, once everything that they are about is in place. */
  tell(): void {
    const due = this.#later;
    this.#later = [];
    for (const callback of due) {
      try {
        callback();
      } catch (error) {
        // One listener's fault must not keep the others from a receipt that comes only once.
        this.#options.onFault(error);
      }
    }
  }

  #call(name: string, slot: number, params: CallParams): ActionRecord {
    const { sampler, viewTick } = this.#options;
    const record = new ActionRecord(name, slot);
    // A page that asks and asks while nothing may be sampled must not fire for minutes afterwards.
    if (this.#hasEnded || sampler.waiting().length >= WAITING_CALLS) record.giveUp("void");
    else sampler.call(record, params, viewTick());
    return record;
  }

  #lose(session: number): void {
    for (const { identity } of this.#table.lose(session)) if (identity) this.#effects.void(identity);
  }

  #open(): ActionRecord[] {
    return [...this.#table.open(), ...this.#options.sampler.waiting()];
  }

  #news(receipt: Receipt): void {
    const name = this.#table.get(receipt)?.action ?? "";
    const told = publicReceipt(receipt, name);
    for (const listener of this.#listeners.of(name)) this.#later.push(() => listener(told));
    this.#effects.answer(receipt);
    if (receipt.status === "rejected" && receipt.session === this.#session) {
      this.#options.onRejected(receipt);
    }
  }

  #changed(): void {
    this.#options.onChange();
    this.tell();
  }
}
