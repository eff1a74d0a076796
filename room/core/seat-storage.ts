import { asSeatId, type StoredSeat, type StoredSession } from "../../protocol/index.ts";
import type { EntityRef, Game, GameShape } from "../../sim/index.ts";
import type { ActionPart } from "./action-part.ts";
import { InputSession } from "./input-session.ts";
import { OutcomeRing } from "./outcome-ring.ts";
import type { SeatRecord } from "./seat-record.ts";
import { FRESH, type Progress, type SessionLife, type SessionRules } from "./session-progress.ts";

/** A seat as it is stored, after the open window. */
export function storedSeat<S extends GameShape>(record: SeatRecord<S>, actions: ActionPart<S>): StoredSeat {
  const { id, name, kind, secretHash, state, entity, input, older } = record;
  const { consumed, held, missedInARow, missed, life, digests, dispositions } = input.stored();
  const current: StoredSession = {
    inputSession: input.id,
    state: life.at,
    reason: life.at === "open" ? "other" : life.reason,
    sinceTick: life.sinceTick,
    consumed,
    ...actions.streamOf(input.id),
  };
  const closed = older.map((session): StoredSession => {
    const { id: inputSession, reason, sinceTick, consumed: final } = session;
    const stream = actions.streamOf(inputSession);
    return { inputSession, state: "closed", reason, sinceTick, consumed: final, ...stream };
  });
  return {
    seat: id,
    name,
    kind,
    bot: state.at === "bot" ? state.brain : "",
    secretHash,
    entity,
    sessions: kind === "bot" ? [] : [current, ...closed],
    held,
    missedInARow,
    missed,
    connected: state.at === "joining" || state.at === "live",
    droppedAtTick: state.at === "dropped" ? state.sinceTick : 0,
    digests,
    dispositions,
  };
}

interface RecordParts<S extends GameShape> {
  readonly game: Game<S>;
  readonly rules: SessionRules;
  /** Boundary of the state that the seat stands in. */
  readonly tick: number;
}

/** A seat from storage, whose player isn't connected. */
export function recordOf<S extends GameShape>(
  seat: StoredSeat,
  { game, rules, tick }: RecordParts<S>,
): SeatRecord<S> {
  const [current, ...closed] = seat.sessions;
  const { held, missedInARow, missed } = seat;
  const progress: Progress = current
    ? { consumed: current.consumed, held, missedInARow, missed, life: lifeOf(current) }
    : FRESH;
  const outcomes = OutcomeRing.restore(seat, progress.consumed);
  const sinceTick = seat.connected ? tick : seat.droppedAtTick;
  return {
    id: asSeatId(seat.seat),
    name: seat.name,
    kind: seat.kind,
    secretHash: seat.secretHash,
    state: seat.kind === "bot" ? { at: "bot", brain: seat.bot } : { at: "dropped", sinceTick },
    input: new InputSession(game, current?.inputSession ?? 0, rules, progress, outcomes),
    older: closed.map(({ inputSession: id, reason, sinceTick: since, consumed }) => {
      return { id, reason, sinceTick: since, consumed };
    }),
    entity: seat.entity as EntityRef,
  };
}

/** A session that is stored as closed would have a successor; one that hasn't can only be waiting for it. */
function lifeOf({ state, reason, sinceTick }: StoredSession): SessionLife {
  return state === "open" ? { at: "open", sinceTick } : { at: "closing", reason, sinceTick };
}
