import { isFinal, type Receipt } from "../protocol/index.ts";
import type { AdmissionResult, GameShape } from "../sim/index.ts";
import type {
  ActionHandle,
  ActionIdentity,
  ActionOutcome,
  ActionReceipt,
  ActionStatus,
} from "./action-types.ts";

type AnyHandle = ActionHandle<GameShape>;

/** One call of an action, from the moment that the page asks for it to the room's last word. */
export class ActionRecord implements AnyHandle {
  readonly action: string;
  readonly slot: number;
  identity: ActionIdentity | undefined;
  status: ActionStatus = "queued";
  predicted: AnyHandle["predicted"];
  /** The newest revision. */
  receipt: Receipt | undefined;
  #resolve: ((outcome: ActionOutcome<GameShape>) => void) | undefined;
  #settled: Promise<ActionOutcome<GameShape>> | undefined;

  constructor(action: string, slot: number) {
    this.action = action;
    this.slot = slot;
  }

  /** Made when it is first asked for: most calls are never awaited. */
  get settled(): Promise<ActionOutcome<GameShape>> {
    this.#settled ??= new Promise((resolve) => {
      this.#resolve = resolve;
      this.#announce();
    });
    return this.#settled;
  }

  /** Nothing more will be heard of it. */
  get ended(): boolean {
    return this.status !== "queued" && this.status !== "sent" && this.status !== "admitted";
  }

  identify(identity: ActionIdentity): void {
    this.identity = identity;
  }

  sent(): void {
    if (this.status === "queued") this.status = "sent";
  }

  foresee(result: AdmissionResult): void {
    this.predicted = result.admitted ? { admitted: true } : { admitted: false, reason: result.reason };
  }

  answer(receipt: Receipt): void {
    this.receipt = receipt;
    this.status = receipt.status;
    if (isFinal(receipt)) this.#announce();
  }

  giveUp(status: "void" | "unknown"): void {
    this.status = status;
    this.#announce();
  }

  #announce(): void {
    if (!this.ended) return;
    const { status, receipt, action } = this;
    if (status === "void" || status === "unknown") this.#resolve?.({ status });
    else if (receipt) this.#resolve?.(publicReceipt(receipt, action) as ActionOutcome<GameShape>);
  }
}

/** A receipt as a page sees it. */
export function publicReceipt(receipt: Receipt, action: string): ActionReceipt<GameShape> {
  const { session, seq, slot, revision, status, reason, result, tick } = receipt;
  const facts = { action, session, seq, slot, revision, tick };
  switch (status) {
    case "admitted":
      return { ...facts, status };
    case "rejected":
    case "timedOut":
      return { ...facts, status, reason };
    case "settled":
      return { ...facts, status, result } as ActionReceipt<GameShape>;
  }
}
