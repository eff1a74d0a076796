import {
  decodeLedger,
  decodeRoom,
  type LedgerEntry,
  type LedgerFinish,
  type LedgerRow,
  type Receipt,
  type RoomExport,
  STORAGE_VERSION,
  WireError,
} from "../../protocol/index.ts";
import type { GameShape } from "../../sim/index.ts";
import type { RoomState } from "./room-state.ts";
import { CHECKPOINT_SLOTS, LEDGER_SLOTS, type RoomStore, type SlotBytes } from "./store.ts";

/** What happened to a command [I10]. */
export interface CommandRecord extends LedgerEntry {
  readonly seat: number;
  readonly inputSession: number;
  /** Whether it is stored; else a crash may still have it consumed again, in another tick. */
  readonly durable: boolean;
  readonly receipts: readonly Receipt[];
  /** How its admitted actions ended, those that have: also when their seat, and so their receipts, are gone. */
  readonly ends: readonly LedgerFinish[];
}

/** What of a room's past can be replayed [D4]. */
export interface LedgerSpan {
  /** Of the oldest checkpoint. */
  readonly fromTick: number;
  readonly toTick: number;
  readonly commits: number;
  readonly checkpoints: number;
}

interface Checkpoint {
  readonly slot: number;
  readonly commit: number;
  readonly tick: number;
}

export interface LedgerBookOptions {
  readonly roomName: string;
  readonly store: RoomStore;
  /** Ticks from one checkpoint to the next. */
  readonly checkpointTicks: number;
}

/**
 * The room's records besides its present state: the ring of ledger rows, and the checkpoints that it can be
 * replayed from [D4]. The ring always reaches back to the older checkpoint: a checkpoint is due with time, and
 * at the latest when the ring would have half gone round.
 */
export class LedgerBook<S extends GameShape> {
  readonly #state: RoomState<S>;
  readonly #options: LedgerBookOptions;
  /** The newest first. */
  #checkpoints: readonly Checkpoint[];

  constructor(state: RoomState<S>, options: LedgerBookOptions) {
    this.#state = state;
    this.#options = options;
    this.#checkpoints = this.#stored();
  }

  /** The checkpoint to write with a commit, if one is due. */
  checkpointFor(
    state: Uint8Array,
    { commit, tick }: { commit: number; tick: number },
  ): SlotBytes | undefined {
    const [newest] = this.#checkpoints;
    const isYoung =
      newest !== undefined &&
      tick < newest.tick + this.#options.checkpointTicks &&
      commit < newest.commit + LEDGER_SLOTS / CHECKPOINT_SLOTS;
    if (isYoung) return undefined;
    return { slot: ((newest?.slot ?? -1) + 1) % CHECKPOINT_SLOTS, bytes: state };
  }

  /** A checkpoint is stored. */
  taken(checkpoint: Checkpoint): void {
    const others = this.#checkpoints.filter(({ slot }) => slot !== checkpoint.slot);
    this.#checkpoints = [checkpoint, ...others];
  }

  /** What happened to a command; undefined when it wasn't consumed, or too long ago. */
  lookup(session: number, seq: number): CommandRecord | undefined {
    const receipts = this.#state.actions.receiptsOf(session, seq);
    const ends: LedgerFinish[] = [];
    const find = (sessions: LedgerRow["sessions"], durable: boolean): CommandRecord | undefined => {
      for (const { seat, inputSession, entries } of sessions) {
        const entry = inputSession === session && entries.find((candidate) => candidate.seq === seq);
        if (entry) return { ...entry, seat, inputSession, durable, receipts, ends };
      }
      return undefined;
    };
    const provisional = find(this.#state.seats.ledgerSessions(), false);
    if (provisional) return provisional;
    for (let { commit } = this.#state; commit > this.#oldest(); commit--) {
      const bytes = this.#row(commit);
      if (!bytes) continue;
      const row = decodeLedger(bytes);
      ends.unshift(...row.finished.filter((end) => end.session === session && end.seq === seq));
      const found = find(row.sessions, true);
      if (found) return found;
    }
    return undefined;
  }

  /** What `export` covers. */
  span(): LedgerSpan {
    const { commit, committedTick } = this.#state;
    const kept = this.#checkpoints.filter((checkpoint) => checkpoint.commit <= commit);
    const oldest = kept.at(-1) ?? { commit, tick: committedTick };
    return {
      fromTick: oldest.tick,
      toTick: committedTick,
      commits: commit - oldest.commit,
      checkpoints: kept.length,
    };
  }

  /** All that a replay elsewhere needs. */
  export(): RoomExport {
    const { store, roomName } = this.#options;
    const { commit: newest } = this.#state;
    const kept = this.#checkpoints.filter(({ commit }) => commit <= newest).reverse();
    const checkpoints = kept.flatMap(({ slot }) => store.checkpoint(slot) ?? []);
    const ledger: Uint8Array[] = [];
    for (let commit = (kept[0]?.commit ?? newest) + 1; commit <= newest; commit++) {
      const row = this.#row(commit);
      if (row) ledger.push(row);
    }
    return { formatVersion: STORAGE_VERSION, roomName, checkpoints, ledger };
  }

  /** The newest commit whose row may be gone. */
  #oldest(): number {
    return Math.max(0, this.#state.commit - LEDGER_SLOTS);
  }

  /** The row of a commit. Its slot may still hold another one's: of a ring of another size, or of a lost room. */
  #row(commit: number): Uint8Array | undefined {
    const bytes = this.#options.store.ledger(commit % LEDGER_SLOTS);
    return bytes && isReadable(() => decodeLedger(bytes).commit === commit) ? bytes : undefined;
  }

  #stored(): Checkpoint[] {
    const found: Checkpoint[] = [];
    for (let slot = 0; slot < CHECKPOINT_SLOTS; slot++) {
      const bytes = this.#options.store.checkpoint(slot);
      if (!bytes) continue;
      isReadable(() => {
        const { commit, tick } = decodeRoom(bytes, this.#state.game);
        if (commit <= this.#state.commit) found.push({ slot, commit, tick });
        return true;
      });
    }
    return found.sort((a, b) => b.commit - a.commit);
  }
}

/** False for what is unreadable, too: another version's rows are no records of this room [D4]. */
function isReadable(check: () => boolean): boolean {
  try {
    return check();
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}
