/** What a snapshot is accepted by. */
export interface SnapshotMark {
  readonly incarnation: number;
  readonly inputSession: number;
  readonly tick: number;
  readonly consumed: number;
}

/**
 * - `newer`: compare and reconcile.
 * - `anchor`: of a new incarnation or input session; nothing predicted before can be compared with it.
 * - `repeat`: known; only its `durable` may be news.
 * - `stale`: of the past; prediction must not see it.
 */
export type SnapshotVerdict = "newer" | "anchor" | "repeat" | "stale";

/**
 * Which snapshots prediction may see [P3]. Going back to an older one would undo acknowledgements and replay
 * commands on top of a state that already has them.
 */
export class SnapshotGate {
  #last: SnapshotMark | undefined;

  get last(): SnapshotMark | undefined {
    return this.#last;
  }

  /** Judges a snapshot and remembers it if it is accepted. */
  admit(mark: SnapshotMark): SnapshotVerdict {
    const verdict = judge(mark, this.#last);
    if (verdict === "newer" || verdict === "anchor") this.#last = mark;
    return verdict;
  }
}

function judge(mark: SnapshotMark, last: SnapshotMark | undefined): SnapshotVerdict {
  if (!last) return "anchor";
  if (mark.incarnation !== last.incarnation) return mark.incarnation > last.incarnation ? "anchor" : "stale";
  if (mark.inputSession !== last.inputSession)
    return mark.inputSession > last.inputSession ? "anchor" : "stale";
  if (mark.tick === last.tick && mark.consumed === last.consumed) return "repeat";
  return mark.tick > last.tick && mark.consumed >= last.consumed ? "newer" : "stale";
}
