import type { Game, GameShape, RoomSeed } from "../../sim/index.ts";
import type { RoomCalls } from "./call-office.ts";
import type { RoomHooks } from "./hooks.ts";
import type { Migration } from "./migrations.ts";
import type { SessionRules } from "./session-progress.ts";
import type { RoomStore } from "./store.ts";

/** A line of the room's log. Never holds a secret, a command or a player's name. */
export interface RoomLogEntry {
  readonly level: "info" | "warn" | "error";
  readonly event: string;
  readonly [detail: string]: string | number | boolean | undefined;
}

export interface RoomCoreOptions<S extends GameShape> {
  readonly game: Game<S>;
  /** Room id, `kind:name`. */
  readonly roomName: string;
  readonly hooks: RoomHooks<S>;
  readonly store: RoomStore;
  /** Makes the calls of actions with `call: true`; without one they time out. */
  readonly calls?: RoomCalls;
  /** Seed of a new room's random stream; an existing room goes on with its stored state. */
  readonly seed: RoomSeed;
  /** SHA-256 of a seat's secret: only the hash is stored. */
  readonly hashSecret: (secret: Uint8Array) => Uint8Array;
  readonly log?: (entry: RoomLogEntry) => void;
  /** Ticks per window. *Default* 3. */
  readonly windowTicks?: number;
  /**
   * Windows per commit [D2]. With more than 1 fewer rows are written, and commands are durable later. A window
   * in which a seat, a session or an action changes is committed at once in any case. *Default* 1.
   */
  readonly commitEvery?: number;
  /** Most ticks that one pump runs; older wall time is forgotten [T3]. *Default* 15. */
  readonly maxCatchUpTicks?: number;
  /** Windows in a row that may fail without a guilty command before the room stops [T6]. *Default* 3. */
  readonly maxFaults?: number;
  /** How long a dropped seat is kept [S2]. *Default* 30 s worth of ticks. */
  readonly graceTicks?: number;
  /** Ticks from one checkpoint, which the ledger can be replayed from, to the next [D5]. *Default* 10 s worth of ticks. */
  readonly checkpointTicks?: number;
  /** Times and numbers of input sessions; each has a default. */
  readonly sessions?: Partial<SessionRules>;
  /** Steps from older versions of the game, each made with `migration`; they are taken one after another [D7]. */
  readonly migrations?: readonly Migration[];
  /**
   * What to do with a stored state of another game version or schema that no migration leads from: refuse every join
   * until there is one (*default*), or begin a new room. The latter is for development: it throws players' state away.
   */
  readonly onIncompatibleState?: "refuse" | "reset";
}
