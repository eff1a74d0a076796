import type { Connection } from "../../room/core/index.ts";
import type { Game, GameShape } from "../../sim/index.ts";
import type { LinkOptions } from "./options.ts";

/** The room's end of a client's link. */
export interface RoomPort {
  readonly nowMs: number;
  /** False when nobody answers: the room's process is down. */
  connect(connection: Connection): boolean;
  receive(connectionId: string, bytes: Uint8Array): void;
  disconnect(connectionId: string): void;
  /** Every frame that a client hands to its link. */
  sent(bytes: Uint8Array): void;
  /** Every frame that reaches a client. */
  delivered(bytes: Uint8Array): void;
}

export interface HarnessClientOptions<S extends GameShape> {
  readonly game: Game<S>;
  readonly index: number;
  readonly name: string;
  readonly secret: Uint8Array;
  readonly link: LinkOptions;
  readonly frameRate: number;
  readonly seed: number;
  readonly stopwatch: (() => number) | undefined;
  readonly resume: { readonly inputSession: number; readonly nextSeq: number } | undefined;
}

export interface ReloadOptions {
  /** Whether the page finds what the one before it had stored: its queue and its actions. *Default* `kept`. */
  readonly store?: "kept" | "lost";
}
