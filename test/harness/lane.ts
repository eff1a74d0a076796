import { Conditioner, NO_FAULTS } from "../../client-sdk/index.ts";
import type { LaneOptions } from "./options.ts";

/** One direction of a client's link: faults on the way, and a hand that can hold messages at its end. */
export class Lane {
  readonly #conditioner: Conditioner;
  /** Arrived, but held back. */
  #held: Uint8Array[] = [];
  /** Released and not yet taken. */
  #ready: Uint8Array[] = [];
  #holding = false;
  #isHeld: (bytes: Uint8Array) => boolean = () => true;
  #opened = false;
  /** A connection's first message while it is on its way, and what has overtaken it. */
  #first: Uint8Array | undefined;
  #early: Uint8Array[] = [];
  #losing = 0;

  constructor(options: LaneOptions, seed: number) {
    this.#conditioner = new Conditioner({ ...NO_FAULTS, ...options }, seed);
  }

  /** Faults from now on; what is left out is none. Messages on their way keep theirs. */
  set(options: LaneOptions): void {
    Object.assign(this.#conditioner.options, NO_FAULTS, options);
  }

  /**
   * From now on messages wait at the end of the lane, as behind a router that stopped forwarding.
   * @param which only those of which it says true; asked again for all that wait whenever `hold` is called
   */
  hold(which: (bytes: Uint8Array) => boolean = () => true): void {
    this.#holding = true;
    this.#isHeld = which;
    this.#sort(this.#held.splice(0));
  }

  /** Lets the oldest `count` held messages out and goes on holding; without a count, everything from now on. */
  release(count?: number): void {
    if (count === undefined) this.#holding = false;
    this.#ready.push(...this.#held.splice(0, count ?? this.#held.length));
  }

  /** The next `count` messages never arrive. A connection's first one isn't among them. */
  lose(count: number): void {
    this.#losing = count;
  }

  /** Messages that have arrived and are held. */
  get held(): number {
    return this.#held.length;
  }

  /** When something is to be taken next; infinity without a message. */
  get nextMs(): number {
    return this.#ready.length > 0 ? Number.NEGATIVE_INFINITY : this.#conditioner.nextMs;
  }

  /** A connection's first message is its handshake: every transport brings that once, and before the rest. */
  push(bytes: Uint8Array, nowMs: number): void {
    const faults = this.#conditioner.options;
    if (this.#opened && this.#losing > 0) {
      this.#losing--;
      return;
    }
    if (!this.#opened) this.#conditioner.options = { ...faults, duplicateShare: 0, reorderShare: 0 };
    this.#conditioner.push(bytes, nowMs);
    this.#conditioner.options = faults;
    if (!this.#opened) this.#first = bytes;
    this.#opened = true;
  }

  /** What has come out by now. */
  drain(nowMs: number): Uint8Array[] {
    const arrived = this.#inOrder(this.#conditioner.drain(nowMs));
    this.#sort(arrived);
    return this.#ready.splice(0);
  }

  #sort(arrived: readonly Uint8Array[]): void {
    for (const bytes of arrived)
      (this.#holding && this.#isHeld(bytes) ? this.#held : this.#ready).push(bytes);
  }

  #inOrder(arrived: Uint8Array[]): Uint8Array[] {
    const first = this.#first;
    if (!first) return arrived;
    this.#early.push(...arrived.filter((bytes) => bytes !== first));
    if (!arrived.includes(first)) return [];
    this.#first = undefined;
    return [first, ...this.#early.splice(0)];
  }

  /** The connection is gone, and with it whatever was on its way. */
  clear(): void {
    this.#conditioner.clear();
    this.#opened = false;
    this.#first = undefined;
    this.#early = [];
    this.#held = [];
    this.#ready = [];
  }
}
