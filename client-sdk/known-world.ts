import { LIMITS } from "../protocol/index.ts";
import type { QuantisedState } from "../sim/index.ts";

/** The part of a snapshot that says how its shared section is coded. */
export interface CodedSnapshot {
  readonly tick: number;
  /** Tick of the snapshot that this one is a difference against, 0 for a keyframe. */
  readonly baseTick: number;
  readonly incarnation: number;
  readonly requestId: number;
}

/** A snapshot whose frame has been read. */
export interface KnownSnapshot {
  readonly state: QuantisedState;
}

/** Reads a frame; `base` is what it is a difference against, undefined for a keyframe. */
export type ReadSnapshot<F, K> = (frame: F, base: K | undefined) => K;

/** Snapshots that wait for their base, at most. */
const STAGED = LIMITS.stagedSnapshots;
/** States kept as possible bases. */
const KEPT = 32;
/** How long a missing base may be on its way before a keyframe is asked for, and before it is asked for again. */
const PATIENCE_MS = 200;
const ASK_AGAIN_MS = 1000;

/**
 * The room's states as this client knows them [R3]: each snapshot is a difference against an earlier one.
 * One whose base isn't here waits; if the base doesn't come, a keyframe mends everything in one round trip.
 */
export class KnownWorld<F extends CodedSnapshot, K extends KnownSnapshot> {
  readonly #readSnapshot: ReadSnapshot<F, K>;
  readonly #onUnreadable: (error: unknown) => void;
  #incarnation = 0;
  #known = new Map<number, K>();
  #newestTick = -1;
  #staged: { frame: F; sinceMs: number }[] = [];
  #request: { id: number; atMs: number } | undefined;
  #nextRequestId = 1;

  /** @param onUnreadable what to do about a snapshot that the decoder refuses; it is then as good as lost */
  constructor(read: ReadSnapshot<F, K>, onUnreadable: (error: unknown) => void) {
    this.#readSnapshot = read;
    this.#onUnreadable = onUnreadable;
  }

  /** The newest state, if any. */
  get newest(): QuantisedState | undefined {
    return this.#known.get(this.#newestTick)?.state;
  }

  /** Takes a snapshot in; gives back those that can be read now, in tick order. */
  receive(frame: F, nowMs: number): K[] {
    if (frame.incarnation < this.#incarnation) return [];
    if (frame.incarnation > this.#incarnation) this.#begin(frame.incarnation);
    if (frame.baseTick === 0 && frame.requestId === this.#request?.id) this.#request = undefined;
    if (this.#known.has(frame.tick) || this.#staged.some((staged) => staged.frame.tick === frame.tick))
      return [];
    this.#staged.push({ frame, sinceMs: nowMs });
    this.#staged.sort((a, b) => a.frame.tick - b.frame.tick);
    const known: K[] = [];
    for (let next = this.#nextReadable(); next; next = this.#nextReadable()) {
      try {
        known.push(this.#read(next));
      } catch (error) {
        // Those read before it are good all the same.
        this.#onUnreadable(error);
      }
    }
    // What is older than a known state and still unreadable adds nothing any more.
    this.#staged = this.#staged.filter((staged) => staged.frame.tick > this.#newestTick).slice(-STAGED);
    return known;
  }

  /** The request id to ask for a keyframe with, if it is time to ask. */
  wantsKeyframe(nowMs: number): number | undefined {
    const oldest = this.#staged.reduce((least, staged) => Math.min(least, staged.sinceMs), nowMs);
    const hopeless = this.#staged.length >= STAGED / 2 || nowMs - oldest >= PATIENCE_MS;
    if (this.#staged.length === 0 || !hopeless) return undefined;
    return this.askKeyframe(nowMs);
  }

  /** Asks whatever is staged; undefined while an earlier request may still be answered. */
  askKeyframe(nowMs: number): number | undefined {
    if (this.#request && nowMs - this.#request.atMs < ASK_AGAIN_MS) return undefined;
    this.#request = { id: this.#nextRequestId, atMs: nowMs };
    this.#nextRequestId = (this.#nextRequestId % 0xffff) + 1;
    return this.#request.id;
  }

  /** A new connection: the room will begin it with a keyframe, and what waited for the old one won't be answered. */
  reconnected(): void {
    this.#staged = [];
    this.#request = undefined;
  }

  #begin(incarnation: number): void {
    this.#incarnation = incarnation;
    this.#known.clear();
    this.#newestTick = -1;
    this.#staged = [];
    this.#request = undefined;
  }

  #nextReadable(): F | undefined {
    const at = this.#staged.findIndex(({ frame }) => frame.baseTick === 0 || this.#known.has(frame.baseTick));
    return at < 0 ? undefined : this.#staged.splice(at, 1)[0]?.frame;
  }

  #read(frame: F): K {
    const snapshot = this.#readSnapshot(frame, this.#known.get(frame.baseTick));
    this.#known.set(frame.tick, snapshot);
    this.#newestTick = Math.max(this.#newestTick, frame.tick);
    while (this.#known.size > KEPT) this.#known.delete(Math.min(...this.#known.keys()));
    return snapshot;
  }
}
