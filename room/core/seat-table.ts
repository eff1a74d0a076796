import { asSeatId, LIMITS, type StoredSeat } from "../../protocol/index.ts";
import type { EntityRef, Game, GameShape, SeatId } from "../../sim/index.ts";
import { NO_ENTITY } from "../../sim/index.ts";
import type { SeatKind } from "./hooks.ts";
import { InputSession } from "./input-session.ts";
import { OutcomeRing } from "./outcome-ring.ts";
import { keepsAwake, type SeatRecord, type SeatState } from "./seat-record.ts";

const MAX_SEAT_ID = 0xffff;

interface Mark<S extends GameShape> {
  readonly records: Map<SeatId, SeatRecord<S>>;
  readonly states: Map<SeatId, { readonly state: SeatState; readonly entity: EntityRef }>;
  readonly nextSeat: number;
}

export interface NewSeat {
  readonly name: string;
  readonly kind: SeatKind;
  readonly secretHash: Uint8Array;
  readonly state: SeatState;
}

/** All seats of a room, and what a window did to them until it is settled or undone. */
export class SeatTable<S extends GameShape> {
  readonly #game: Game<S>;
  #records = new Map<SeatId, SeatRecord<S>>();
  #nextSeat = 1;
  #nextInputSession = 1;
  #mark: Mark<S> | undefined;

  constructor(game: Game<S>) {
    this.#game = game;
  }

  get nextSeat(): number {
    return this.#nextSeat;
  }

  get nextInputSession(): number {
    return this.#nextInputSession;
  }

  get size(): number {
    return this.#records.size;
  }

  /** Whether a player is here, on the way in or out, or may come back. */
  get awake(): boolean {
    for (const { state } of this.#records.values()) if (keepsAwake(state)) return true;
    return false;
  }

  get(id: SeatId): SeatRecord<S> | undefined {
    return this.#records.get(id);
  }

  /** In the order in which they came, which is the order of everything that happens to them in a tick. */
  all(): IterableIterator<SeatRecord<S>> {
    return this.#records.values();
  }

  /** The seat that a secret resumes. One that is about to go isn't resumed: its player joins anew. */
  bySecret(hash: Uint8Array): SeatRecord<S> | undefined {
    for (const record of this.#records.values()) {
      if (record.kind === "player" && record.state.at !== "leaving" && sameBytes(record.secretHash, hash)) {
        return record;
      }
    }
    return undefined;
  }

  add({ name, kind, secretHash, state }: NewSeat): SeatRecord<S> {
    const id = this.#takeId();
    const input = kind === "player" ? this.newSession() : new InputSession(this.#game, 0, 0);
    const record: SeatRecord<S> = { id, name, kind, secretHash, state, input, entity: NO_ENTITY };
    this.#records.set(id, record);
    return record;
  }

  remove(id: SeatId): void {
    this.#records.delete(id);
  }

  /** A fresh stream of commands. Its number was never used in this room. */
  newSession(): InputSession<S> {
    return new InputSession(this.#game, this.#nextInputSession++, LIMITS.creditWindow.value);
  }

  /** A window begins: from here on everything can be undone. */
  open(): void {
    const states = new Map<SeatId, { state: SeatState; entity: EntityRef }>();
    for (const { id, state, entity } of this.#records.values()) states.set(id, { state, entity });
    this.#mark = { records: new Map(this.#records), states, nextSeat: this.#nextSeat };
  }

  /** The window is committed. */
  settle(): void {
    this.#mark = undefined;
    for (const record of this.#records.values()) {
      record.input.settle();
      if (record.state.at === "joining") record.state = { at: "live", linkId: record.state.linkId };
    }
  }

  /** The window is abandoned: seats are again as `open` found them. */
  undo(): void {
    const mark = this.#mark;
    if (!mark) return;
    this.#mark = undefined;
    this.#records = mark.records;
    this.#nextSeat = mark.nextSeat;
    for (const record of this.#records.values()) {
      record.input.undo();
      const was = mark.states.get(record.id);
      if (was) Object.assign(record, was);
    }
  }

  /** Seats as they are after the open window. */
  stored(): StoredSeat[] {
    const seats: StoredSeat[] = [];
    for (const { id, name, kind, secretHash, state, entity, input } of this.#records.values()) {
      seats.push({
        seat: id,
        name,
        kind,
        bot: state.at === "bot" ? state.brain : "",
        secretHash,
        entity,
        connected: state.at === "joining" || state.at === "live",
        droppedAtTick: state.at === "dropped" ? state.sinceTick : 0,
        ...input.stored(),
      });
    }
    return seats;
  }

  /** Takes seats from storage. Nobody is connected then: players have their grace to come back [S2]. */
  restore(
    seats: readonly StoredSeat[],
    counters: { nextSeat: number; nextInputSession: number; tick: number },
  ): void {
    this.#records = new Map();
    this.#nextSeat = counters.nextSeat;
    this.#nextInputSession = counters.nextInputSession;
    for (const seat of seats) {
      const id = asSeatId(seat.seat);
      const { held, missedInARow, missed } = seat;
      const { inputSession = 0, consumed = 0 } = seat.sessions[0] ?? {};
      const progress = { consumed, held, missedInARow, missed };
      const credit = seat.kind === "player" ? LIMITS.creditWindow.value : 0;
      const outcomes = OutcomeRing.restore(seat, consumed);
      const sinceTick = seat.connected ? counters.tick : seat.droppedAtTick;
      this.#records.set(id, {
        id,
        name: seat.name,
        kind: seat.kind,
        secretHash: seat.secretHash,
        state: seat.kind === "bot" ? { at: "bot", brain: seat.bot } : { at: "dropped", sinceTick },
        input: new InputSession(this.#game, inputSession, credit, progress, outcomes),
        entity: seat.entity as EntityRef,
      });
    }
  }

  /** Numbers go round, so that one just freed isn't given to a newcomer while others still show its owner. */
  #takeId(): SeatId {
    if (this.#records.size >= MAX_SEAT_ID) throw new RangeError("all seat numbers are taken");
    let id = asSeatId(this.#nextSeat);
    while (this.#records.has(id)) id = asSeatId(id === MAX_SEAT_ID ? 1 : id + 1);
    this.#nextSeat = id === MAX_SEAT_ID ? 1 : id + 1;
    return id;
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i] as number);
  return difference === 0;
}
