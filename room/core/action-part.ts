import type {
  LedgerAnswer,
  LedgerFinish,
  Receipt,
  SlotOutcome,
  StoredAction,
  StoredDebt,
  StoredSession,
} from "../../protocol/index.ts";
import type { ActionCall, AdmissionResult, GameShape, SystemContext, Tick } from "../../sim/index.ts";
import type { SeatRecord } from "./seat-record.ts";
import type { SlotBytes } from "./store.ts";
import type { Suspect } from "./suspects.ts";

/** The action slots of one consumed command. */
export interface CarriedCalls<S extends GameShape> {
  readonly record: SeatRecord<S>;
  readonly session: number;
  readonly tick: Tick;
  /** The command as it was sent, packed. */
  readonly bytes: Uint8Array;
  readonly calls: readonly ActionCall[];
}

/** What an input session's receipt stream is stored with. */
export type StreamNumbers = Pick<StoredSession, "receiptHead" | "confirmed" | "reclaimed" | "baselineId">;

export interface ActionWrite {
  readonly pending: readonly StoredAction[];
  readonly answers: readonly LedgerAnswer[];
  readonly finished: readonly LedgerFinish[];
  readonly debts: readonly StoredDebt[];
  readonly receipts: readonly SlotBytes[];
}

export interface StoredActions {
  readonly pending: readonly StoredAction[];
  readonly debts: readonly StoredDebt[];
  readonly sessions: readonly { readonly seat: number; readonly session: StoredSession }[];
  /** Rows of all receipt slots, those of seats that have ended included. */
  readonly receipts: readonly SlotBytes[];
}

/**
 * The part of a room that answers actions. Like the seats it is opened with a window, and settled or undone
 * with it. A window that changes it always commits [D2], so a settled one is stored.
 */
export interface ActionPart<S extends GameShape> {
  /** Whether the open window has admitted, rejected, answered or ended an action. */
  readonly changed: boolean;
  /** @param rejected what must not have its way in this window */
  open(rejected: readonly Suspect[]): void;
  /** The window is stored: numbers count, calls may start. */
  settle(): void;
  undo(): void;
  /** Before a tick's admissions: takes the answers that have come. */
  beginTick(tick: Tick): void;
  /**
   * Rejects what the game needn't be asked about (a full store), and records those outcomes with
   * `record.input.answer`; gives the calls that the game must be asked about.
   */
  screen(carried: CarriedCalls<S>): readonly ActionCall[];
  /** Rejects all calls of a command that made the window throw, and records their outcomes alike. */
  rejectFaulted(carried: CarriedCalls<S>): void;
  /** The game's answer to one call; the caller records the outcome that this gives. */
  admission(carried: CarriedCalls<S>, call: ActionCall, result: AdmissionResult): SlotOutcome;
  /** At the start of the gameplay phase: settles and times out. */
  settlePending(context: SystemContext<S>): void;
  /** Whether an action of this input session waits for its final receipt: the closing barrier waits for it. */
  hasPending(session: number): boolean;
  /** A new input session's stream begins. */
  openStream(session: number, seat: number): void;
  /** Nobody can read this session's stream any more. */
  forgetStream(session: number): void;
  /** The seat ends at a boundary: its actions have failed, and its streams go. */
  endSeat(seat: number, tick: number): void;
  streamOf(session: number): StreamNumbers;
  receiptsOf(session: number, seq: number): readonly Receipt[];
  /** The state after the open window, as it is stored. */
  write(committedTick: number): ActionWrite;
  restore(stored: StoredActions): void;
}
