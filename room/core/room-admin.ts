import { encodeServerFrame, LIMITS } from "../../protocol/index.ts";
import type { GameShape, SeatId } from "../../sim/index.ts";
import type { RoomLogEntry } from "./options.ts";
import type { RoomLife } from "./room-life.ts";
import type { RoomWorks } from "./room-parts.ts";
import type { RoomState } from "./room-state.ts";
import { keepsAwake, linkOf } from "./seat-record.ts";

/** The longest notice: a closing that is further away is better done by whoever wants it then. */
const MAX_NOTICE_MS = 3_600_000;

export interface AdminParts<S extends GameShape> {
  readonly state: RoomState<S>;
  readonly works: RoomWorks<S>;
  readonly life: RoomLife;
}

export interface AdminOptions<S extends GameShape> {
  /** Asked anew each time: a room that was loaded again has others. */
  readonly parts: () => AdminParts<S>;
  /** Runs a window without ticks, in which seats leave. */
  readonly turn: (nowMs: number) => void;
  readonly log: (entry: RoomLogEntry) => void;
}

export interface ClosingRequest {
  readonly inMs: number;
  /** For players, at most `reasonCharacters`. */
  readonly reason: string;
}

/** What an operator does to a room from outside. All of it is logged. */
export class RoomAdmin<S extends GameShape> {
  readonly #options: AdminOptions<S>;
  #closing: { readonly atMs: number; readonly reason: string } | undefined;
  /** Links that know of it. */
  #told = new Set<string>();

  constructor(options: AdminOptions<S>) {
    this.#options = options;
  }

  /** When the room closes, if it does: it needs an alarm then, also when everybody has left before. */
  get closesAtMs(): number | undefined {
    return this.#closing?.atMs;
  }

  /** Ends a player's seat: the connection is closed, the next window takes the seat out. Its player may join anew. */
  kick(seat: number, reason: string): "kicked" | "no-such-seat" {
    const { state, works } = this.#options.parts();
    const record = state.seats.get(seat as SeatId);
    if (!record || !keepsAwake(record.state)) return "no-such-seat";
    const text = cut(reason);
    this.#options.log({ level: "warn", event: "kicked", seat, reason: text });
    const linkId = linkOf(record.state);
    if (linkId !== undefined) works.door.close(linkId, "kicked", text);
    // One whose join no window had seen is gone already.
    if (state.seats.get(record.id) === record) record.state = { at: "leaving" };
    return "kicked";
  }

  /** Closes the room after a notice; a second request replaces the first. */
  close({ inMs, reason }: ClosingRequest, nowMs: number): "closing" | "closed" {
    const { life, state } = this.#options.parts();
    if (!life.isOpen) return "closed";
    // Nobody is there to be told, and a sleeping room has no windows in which its time could come.
    const noticeMs = state.seats.awake ? Math.min(Math.max(0, inMs), MAX_NOTICE_MS) : 0;
    this.#closing = { atMs: nowMs + noticeMs, reason: cut(reason) };
    this.#told = new Set();
    this.#options.log({ level: "warn", event: "closing", inMs: noticeMs, reason: this.#closing.reason });
    this.pump(nowMs);
    return life.isOpen ? "closing" : "closed";
  }

  /** Takes a closing back, or lets players into a room that was closed. */
  open(): void {
    this.#closing = undefined;
    this.#options.parts().life.open();
    this.#options.log({ level: "warn", event: "opened" });
  }

  /** Tells of a closing whoever hasn't heard, and does it once its time has come. Call with every window. */
  pump(nowMs: number): void {
    if (!this.#closing) return;
    const { state, works, life } = this.#options.parts();
    const { atMs, reason } = this.#closing;
    if (nowMs < atMs) {
      this.#tell(atMs - nowMs, reason);
      return;
    }
    this.#closing = undefined;
    works.door.closeAll("room-closed", reason);
    for (const record of state.seats.all()) if (keepsAwake(record.state)) record.state = { at: "leaving" };
    // While the room still counts as open: a closed one runs no windows.
    if (state.seats.awake) this.#options.turn(nowMs);
    life.close(reason);
    this.#options.log({ level: "warn", event: "closed", reason });
  }

  #tell(inMs: number, reason: string): void {
    let frame: Uint8Array | undefined;
    for (const link of this.#options.parts().works.door.links()) {
      if (link.state.at !== "live" || this.#told.has(link.id)) continue;
      this.#told.add(link.id);
      frame ??= encodeServerFrame({ type: "notice", inMs: Math.round(inMs), reason });
      try {
        link.connection.send(frame);
      } catch {
        // Gone; the next boundary finds that out.
      }
    }
  }
}

function cut(reason: string): string {
  return [...reason].slice(0, LIMITS.reasonCharacters).join("");
}
