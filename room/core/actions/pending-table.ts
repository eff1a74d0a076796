import type { CompiledSchema } from "../../../sim/index.ts";
import { type PendingAction, pendingAction } from "./pending-action.ts";

/** Actions that wait for their final receipt, by identity, in the order of their admission. */
export class PendingTable {
  readonly #schema: CompiledSchema;
  #boundary: ReadonlyMap<string, PendingAction> = new Map();
  /** The boundary's own map until the open window changes it, then a copy. */
  #now = new Map<string, PendingAction>();
  #copied = false;

  constructor(schema: CompiledSchema) {
    this.#schema = schema;
  }

  /** Whether the open window has changed it. */
  get changed(): boolean {
    return this.#copied;
  }

  /** As the last commit left it. */
  get boundary(): ReadonlyMap<string, PendingAction> {
    return this.#boundary;
  }

  get now(): ReadonlyMap<string, PendingAction> {
    return this.#now;
  }

  all(): PendingAction[] {
    return [...this.#now.values()];
  }

  put(stored: PendingAction["stored"]): void {
    const action = pendingAction(this.#schema, stored);
    this.#changing().set(action.key, action);
  }

  delete(key: string): void {
    this.#changing().delete(key);
  }

  forget(isGone: (action: PendingAction) => boolean): void {
    for (const action of this.all()) if (isGone(action)) this.delete(action.key);
  }

  settle(): void {
    this.#boundary = this.#now;
    this.#copied = false;
  }

  undo(): void {
    this.#now = new Map(this.#boundary);
    this.#boundary = this.#now;
    this.#copied = false;
  }

  /** @throws WireError or RangeError when something else than a pending action of this game was stored */
  restore(stored: readonly PendingAction["stored"][]): void {
    this.#now = new Map();
    for (const action of stored) this.put(action);
    this.settle();
  }

  #changing(): Map<string, PendingAction> {
    if (!this.#copied) this.#now = new Map(this.#now);
    this.#copied = true;
    return this.#now;
  }
}
