import {
  type ClientFrame,
  decodeClientFrame,
  decodeServerFrame,
  type LedgerRow,
} from "../../protocol/index.ts";
import { type CommandOf, type Game, type GameShape, unpackCommand } from "../../sim/index.ts";

/** A command that the room executed, as its ledger says. */
export interface ExecutedCommand<S extends GameShape> {
  readonly inputSession: number;
  readonly seq: number;
  /** Tick that consumed it. */
  readonly tick: number;
  /** 1 executed, 2 rejected because it made the game throw, 3 the seat had no living entity. */
  readonly disposition: number;
  readonly command: CommandOf<S>;
}

/** What went over the wire, to be held against what was recorded. */
export class History<S extends GameShape> {
  readonly #game: Game<S>;
  /** Each command's bytes by session and number, as first sent. */
  readonly #sent = new Map<string, string>();
  /** Lowest number sent of each session. */
  readonly #first = new Map<number, number>();
  /** Highest number of each session that a client was told is durable. */
  readonly #told = new Map<number, number>();
  readonly #problems: string[] = [];

  constructor(game: Game<S>) {
    this.#game = game;
  }

  /** Takes note of a frame that a client hands to its link. */
  sent(bytes: Uint8Array): void {
    const frame: ClientFrame = decodeClientFrame(bytes, this.#game.schema);
    if (frame.type !== "input") return;
    for (const { seq, bytes: command } of frame.commands) {
      const key = `${frame.inputSession}/${seq}`;
      const content = contentOf(command);
      const before = this.#sent.get(key);
      if (before !== undefined && before !== content) {
        this.#problems.push(`command ${seq} of session ${frame.inputSession} was sent with two contents`);
      }
      this.#sent.set(key, before ?? content);
      this.#first.set(frame.inputSession, Math.min(seq, this.#first.get(frame.inputSession) ?? seq));
    }
  }

  /** Takes note of a frame that reaches a client: what it says is durable, the client forgets. */
  delivered(bytes: Uint8Array): void {
    const frame = decodeServerFrame(bytes);
    if (frame.type !== "snapshot" && frame.type !== "welcome") return;
    const { inputSession, durable } = frame;
    this.#told.set(inputSession, Math.max(durable, this.#told.get(inputSession) ?? 0));
  }

  /** Commands of a seat in the order in which they were executed. */
  executed(rows: readonly LedgerRow[], seat: number): ExecutedCommand<S>[] {
    const { schema } = this.#game;
    return rows.flatMap(({ sessions }) =>
      sessions
        .filter((session) => session.seat === seat)
        .flatMap(({ inputSession, entries }) =>
          entries.map(({ seq, tick, disposition, bytes }) => {
            return { inputSession, seq, tick, disposition, command: unpackCommand<S>(schema, bytes) };
          }),
        ),
    );
  }

  /**
   * Where the ledger breaks a promise: a command skipped, executed twice, in another order or with other content,
   * two commands of a seat in one tick, a commit missing, a command missing that a client was told is durable, one
   * executed after its session's end. Empty when it keeps them.
   */
  problems(rows: readonly LedgerRow[]): string[] {
    const found = [...this.#problems];
    const last = new Map<string, { seq: number; tick: number }>();
    const recorded = new Map<number, number>();
    for (const [at, row] of rows.entries()) {
      const before = rows[at - 1];
      if (before && row.commit !== before.commit + 1)
        found.push(`commit ${row.commit} follows ${before.commit}`);
      if (before && row.fromTick !== before.toTick) {
        found.push(`commit ${row.commit} begins after tick ${row.fromTick}, not ${before.toTick}`);
      }
      for (const { seat, inputSession, entries, missedTicks } of row.sessions) {
        const name = `seat ${seat} session ${inputSession}`;
        for (const { seq, tick, bytes } of entries) {
          const previous = last.get(name);
          const expected = previous ? previous.seq + 1 : this.#first.get(inputSession);
          if (seq !== expected) found.push(`${name}: ${seq} was executed where ${expected} was due`);
          if (previous && tick <= previous.tick) found.push(`${name}: tick ${tick} after ${previous.tick}`);
          if (missedTicks.includes(tick)) found.push(`${name}: tick ${tick} is both executed and missed`);
          const content = this.#sent.get(`${inputSession}/${seq}`);
          if (content !== contentOf(bytes)) found.push(`${name}: ${seq} isn't what was sent`);
          last.set(name, { seq, tick });
          recorded.set(inputSession, seq);
        }
      }
      for (const { session, finalConsumed } of row.ended) {
        const newest = recorded.get(session);
        if (newest !== undefined && newest !== finalConsumed) {
          found.push(`session ${session} ended at ${finalConsumed}, and ${newest} was executed`);
        }
      }
    }
    for (const [session, durable] of this.#told) {
      const first = this.#first.get(session);
      if (first === undefined || durable < first) continue;
      const newest = recorded.get(session) ?? 0;
      if (newest < durable)
        found.push(`session ${session}: ${durable} was called durable, ${newest} is the last`);
    }
    return found;
  }
}

/** Bytes as a string, to be compared and kept cheaply. */
function contentOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
