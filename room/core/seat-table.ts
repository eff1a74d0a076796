import type { LedgerSession, StoredSeat } from "../../protocol/index.ts";
import { asSeatId } from "../../protocol/index.ts";
import type { Game, GameShape, SeatId } from "../../sim/index.ts";
import { NO_ENTITY } from "../../sim/index.ts";
import type { ActionPart } from "./action-part.ts";
import type { SeatKind } from "./hooks.ts";
import { InputSession } from "./input-session.ts";
import { keepsAwake, type SeatRecord, type SeatState } from "./seat-record.ts";
import { recordOf, storedSeat } from "./seat-storage.ts";
import { type ClosedSession, FRESH, type SessionLife, type SessionRules } from "./session-progress.ts";

const MAX_SEAT_ID = 0xffff;

/** The parts of a seat that a window may replace. */
type Held<S extends GameShape> = Pick<SeatRecord<S>, "state" | "entity" | "input" | "older">;

interface Mark<S extends GameShape> {
  readonly records: Map<SeatId, SeatRecord<S>>;
  readonly held: Map<SeatId, Held<S>>;
  readonly nextSeat: number;
  readonly nextInputSession: number;
  readonly planned: PlannedNumbers;
}

/** Numbers that the next seats and input sessions get. */
export interface PlannedNumbers {
  readonly seats: readonly number[];
  readonly sessions: readonly number[];
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
  readonly rules: SessionRules;
  #records = new Map<SeatId, SeatRecord<S>>();
  #nextSeat = 1;
  #nextInputSession = 1;
  /** Empty but in a replay. */
  #planned: PlannedNumbers = { seats: [], sessions: [] };
  #mark: Mark<S> | undefined;
  /** Input sessions that the open window ended, with what the ledger doesn't have of them yet. */
  #retired: { readonly seat: SeatId; readonly input: InputSession<S> }[] = [];
  /** What a commit would have to store of each seat, as the last one did. */
  #stored = new Map<SeatId, Signature<S>>();

  constructor(game: Game<S>, rules: SessionRules) {
    this.#game = game;
    this.rules = rules;
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

  /** Whether a seat or its input session is another than at the last commit, apart from what ticks do [D2]. */
  get changed(): boolean {
    if (this.#records.size !== this.#stored.size) return true;
    for (const record of this.#records.values()) {
      const before = this.#stored.get(record.id);
      if (!before || !hasSignature(record, before)) return true;
    }
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

  add({ name, kind, secretHash, state }: NewSeat, tick = 0): SeatRecord<S> {
    const id = this.#takeId();
    const input = kind === "player" ? this.newSession(tick) : new InputSession(this.#game, 0, this.rules);
    const record: SeatRecord<S> = {
      id,
      name,
      kind,
      secretHash,
      state,
      input,
      older: [],
      entity: NO_ENTITY,
    };
    this.#records.set(id, record);
    return record;
  }

  /** Takes a seat out. What the ledger doesn't have of its commands yet goes into the next row. */
  remove(id: SeatId): void {
    const record = this.#records.get(id);
    if (record && this.#mark) this.#retired.push({ seat: id, input: record.input });
    this.#records.delete(id);
  }

  /** Ends a seat's input session and opens the one that follows, in the open window. */
  replaceSession(record: SeatRecord<S>, closed: ClosedSession): InputSession<S> {
    this.#retired.push({ seat: record.id, input: record.input });
    record.older = [closed, ...record.older];
    record.input = this.newSession(closed.sinceTick);
    return record.input;
  }

  /** A fresh stream of commands. Its number was never used in this room. */
  newSession(sinceTick: number): InputSession<S> {
    const life = { at: "open", sinceTick } as const;
    const from = { ...FRESH, consumed: this.rules.firstSeq - 1, life };
    const [id = this.#nextInputSession, ...sessions] = this.#planned.sessions;
    this.#planned = { ...this.#planned, sessions };
    this.#nextInputSession = Math.max(this.#nextInputSession, id + 1);
    return new InputSession(this.#game, id, this.rules, from);
  }

  /** Gives recorded numbers to the seats and sessions that come next: in the room other ones came between. */
  plan(numbers: PlannedNumbers): void {
    this.#planned = numbers;
  }

  /** A window begins: from here on everything can be undone. */
  open(): void {
    const held = new Map<SeatId, Held<S>>();
    for (const { id, state, entity, input, older } of this.#records.values()) {
      held.set(id, { state, entity, input, older });
    }
    this.#mark = {
      records: new Map(this.#records),
      held,
      nextSeat: this.#nextSeat,
      nextInputSession: this.#nextInputSession,
      planned: this.#planned,
    };
    this.#retired = [];
  }

  /** The window will be sent. */
  settle(): void {
    this.#mark = undefined;
    this.#retired = [];
    for (const record of this.#records.values()) {
      record.input.settle();
      if (record.state.at === "joining") record.state = { at: "live", linkId: record.state.linkId };
    }
  }

  /** All settled windows are stored. */
  committed(): void {
    const before = this.#stored;
    this.#stored = new Map();
    for (const record of this.#records.values()) {
      record.input.committed();
      const { id, state, input, older } = record;
      const was = before.get(id);
      // Made anew only when it changed: most windows change nobody's.
      this.#stored.set(
        id,
        was && hasSignature(record, was) ? was : { state, input, older, life: input.life },
      );
    }
  }

  /** The window is abandoned: seats are again as `open` found them. */
  undo(): void {
    const mark = this.#mark;
    if (!mark) return;
    this.#mark = undefined;
    this.#retired = [];
    this.#records = mark.records;
    this.#nextSeat = mark.nextSeat;
    this.#nextInputSession = mark.nextInputSession;
    this.#planned = mark.planned;
    for (const record of this.#records.values()) {
      const was = mark.held.get(record.id);
      if (was) Object.assign(record, was);
      record.input.undo();
    }
  }

  /** What became of commands since the last commit, those of ended sessions and seats included. */
  ledgerSessions(): LedgerSession[] {
    const inputs = [...this.#retired];
    for (const { id, kind, input } of this.#records.values()) {
      if (kind === "player") inputs.push({ seat: id, input });
    }
    return inputs.flatMap(({ seat, input }) => input.ledgerSession(seat) ?? []);
  }

  /** Seats as they are after the open window. */
  stored(actions: ActionPart<S>): StoredSeat[] {
    return [...this.#records.values()].map((record) => storedSeat(record, actions));
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
      const record = recordOf(seat, { game: this.#game, rules: this.rules, tick: counters.tick });
      this.#records.set(record.id, record);
    }
  }

  /** Numbers go round, so that one just freed isn't given to a newcomer while others still show its owner. */
  #takeId(): SeatId {
    if (this.#records.size >= MAX_SEAT_ID) throw new RangeError("all seat numbers are taken");
    const [first = this.#nextSeat, ...seats] = this.#planned.seats;
    this.#planned = { ...this.#planned, seats };
    let id = asSeatId(first);
    while (this.#records.has(id)) id = asSeatId(id === MAX_SEAT_ID ? 1 : id + 1);
    this.#nextSeat = id === MAX_SEAT_ID ? 1 : id + 1;
    return id;
  }
}

/** The same objects as long as nothing but a tick's own progress has changed. */
interface Signature<S extends GameShape> extends Pick<SeatRecord<S>, "state" | "input" | "older"> {
  readonly life: SessionLife;
}

function hasSignature<S extends GameShape>(
  { state, input, older }: SeatRecord<S>,
  is: Signature<S>,
): boolean {
  return is.state === state && is.input === input && is.life === input.life && is.older === older;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i] as number);
  return difference === 0;
}
