import { LIMITS, MotionWriter, SnapshotWriter } from "../../protocol/index.ts";
import type { GameShape } from "../../sim/index.ts";
import { CallOffice } from "./call-office.ts";
import { Doorkeeper } from "./doorkeeper.ts";
import { LedgerBook } from "./ledger-book.ts";
import type { RoomCoreOptions, RoomLogEntry } from "./options.ts";
import type { RoomState } from "./room-state.ts";
import { WindowLoop } from "./window-loop.ts";

const CHECKPOINT_SECONDS = 10;

/** What works on a room's state; made anew whenever that is another one. */
export interface RoomWorks<S extends GameShape> {
  readonly ledger: LedgerBook<S>;
  readonly loop: WindowLoop<S>;
  readonly door: Doorkeeper<S>;
  readonly writer: SnapshotWriter;
  readonly motion: MotionWriter;
  readonly office: CallOffice;
}

export function roomWorks<S extends GameShape>(
  state: RoomState<S>,
  options: RoomCoreOptions<S>,
  log: (entry: RoomLogEntry) => void,
): RoomWorks<S> {
  const { roomName, hooks, store, game, hashSecret, calls } = options;
  const {
    maxFaults = 3,
    commitEvery = 1,
    graceTicks = Math.ceil((LIMITS.graceMs / 1000) * game.tickRate),
    checkpointTicks = CHECKPOINT_SECONDS * game.tickRate,
  } = options;
  state.actions.debts.ask((action) => calls?.compensates?.(action) ?? false);
  const ledger = new LedgerBook(state, { roomName, store, checkpointTicks });
  return {
    ledger,
    loop: new WindowLoop(state, { roomName, hooks, store, ledger, maxFaults, graceTicks, commitEvery }),
    door: new Doorkeeper(state, { roomName, hooks, hashSecret, log }),
    writer: new SnapshotWriter(),
    motion: new MotionWriter(game.schema),
    office: new CallOffice({ roomName, calls, log }),
  };
}
