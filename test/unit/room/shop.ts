import type { CallJob, RoomCalls } from "../../../room/core/index.ts";

interface Entry {
  paid: number;
  undone: boolean;
}

/** A service outside of the room whose charges can be undone: a key is charged once at most, and never once undone. */
export class Shop {
  readonly #book = new Map<string, Entry>();
  readonly asked: string[] = [];

  get paid(): number {
    return [...this.#book.values()].reduce((sum, { paid, undone }) => sum + (undone ? 0 : paid), 0);
  }

  charge(key: string, price: number): void {
    this.asked.push(`charge ${key}`);
    if (!this.#book.has(key)) this.#book.set(key, { paid: price, undone: false });
  }

  undo(key: string): void {
    this.asked.push(`undo ${key}`);
    this.#book.set(key, { paid: this.#book.get(key)?.paid ?? 0, undone: true });
  }
}

/** Keeps the calls that a room makes, for a test to do. */
export class Errands implements RoomCalls {
  readonly calls: CallJob[] = [];
  readonly undoings: CallJob[] = [];
  readonly #compensated: readonly string[];

  /** @param compensated actions whose calls can be undone */
  constructor(compensated: readonly string[]) {
    this.#compensated = compensated;
  }

  startCall(job: CallJob): void {
    (job.compensates ? this.undoings : this.calls).push(job);
  }

  stopCall(): void {
    // A shop can't be called off.
  }

  compensates(action: string): boolean {
    return this.#compensated.includes(action);
  }
}
