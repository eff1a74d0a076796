import type { ConditionerOptions } from "../../client-sdk/index.ts";
import type { RoomCoreOptions, RoomHooks, StoredRows } from "../../room/core/index.ts";
import type { Game, GameShape } from "../../sim/index.ts";
import type { Responder } from "./calls.ts";
import type { OpenDisk } from "./harness-store.ts";

/** Faults of one direction of a link; what is left out is 0, and `ordered` true. */
export type LaneOptions = Partial<ConditionerOptions>;

/**
 * How a client's link behaves. The options stand for each direction by itself (a `latencyMs` of 50 makes a round trip
 * of 100 ms); `up` (to the room) and `down` (to the client) refine one of them.
 */
export interface LinkOptions extends LaneOptions {
  readonly up?: LaneOptions;
  readonly down?: LaneOptions;
}

export interface HarnessOptions<S extends GameShape> {
  readonly game: Game<S>;
  /** The same object that the room class is made with: `onCreate`, `onJoin`, `bots`, … */
  readonly hooks?: RoomHooks<S>;
  /** How many clients, or their names. *Default* 1. More can `join` later. */
  readonly clients?: number | readonly string[];
  /**
   * Everything random comes from it: the room's own stream, link faults, phases of frames and clocks. The same
   * seed and the same calls give the same run. *Default* 1.
   */
  readonly seed?: number;
  /** The link of every client, or of the one with an index. *Default* a perfect one. */
  readonly link?: LinkOptions | ((index: number) => LinkOptions);
  /** Ticks that the room runs per window. *Default* 3: 20 windows per second at 60 ticks per second. */
  readonly windowTicks?: number;
  /** Animation frames per second of every client. *Default* 60. A client's own can be changed later. */
  readonly frameRate?: number;
  /** What `onCreate` is given. Left out: the room is made by the first one who joins, with `{}`. */
  readonly roomOptions?: unknown;
  /** Bounds of the room; see `RoomCoreOptions`. */
  readonly room?: Pick<
    RoomCoreOptions<S>,
    "maxCatchUpTicks" | "maxFaults" | "graceTicks" | "commitEvery" | "checkpointTicks" | "sessions"
  >;
  /** Answers the calls that the room makes for actions. *Default* nobody: they wait in `harness.calls.open`. */
  readonly calls?: Responder;
  /** Actions whose call can be undone: it is asked for like a call, see `HarnessCall`. *Default* none. */
  readonly compensations?: readonly string[];
  /** A stored room to continue from: its state, or all that `store.load()` gives. A fixture, or another run's end. */
  readonly stored?: StoredRows | Uint8Array;
  /** The room's storage, opened anew for each process. *Default* memory. */
  readonly disk?: OpenDisk;
  /** Times the clients' replays (`stats().replayMs`): milliseconds of a real clock. *Default* none are timed. */
  readonly stopwatch?: () => number;
  /** What the clock shows at the beginning. *Default* 1,000,000 ms. */
  readonly startMs?: number;
}

export interface JoinOptions {
  /** *Default* `player-1`, `player-2`, … */
  readonly name?: string;
  /** *Default* the harness's `link`. */
  readonly link?: LinkOptions;
  /** *Default* the harness's `frameRate`. */
  readonly frameRate?: number;
  /** The input session of a stored seat to go on in. The seat must be stored under this client's secret. */
  readonly resume?: { readonly inputSession: number; readonly nextSeq: number };
  /** 32 bytes that prove a seat. *Default* made from the harness's seed and the client's index. */
  readonly secret?: Uint8Array;
}

/** @throws RangeError that says which option is wrong, and what it may be */
export function checkOptions(options: { windowTicks: number; frameRate: number; seed: number }): void {
  const { windowTicks, frameRate, seed } = options;
  if (!Number.isInteger(windowTicks) || windowTicks < 1) {
    throw new RangeError(`windowTicks is ${windowTicks}; it must be a whole number of ticks, at least 1`);
  }
  if (!Number.isInteger(seed)) throw new RangeError(`seed is ${seed}; it must be a whole number`);
  checkFrameRate(frameRate);
}

export function checkFrameRate(frameRate: number): void {
  if (!(frameRate > 0 && frameRate <= 1000)) {
    throw new RangeError(`frameRate is ${frameRate}; it must lie between 0 and 1000 frames per second`);
  }
}

/** @throws RangeError for faults that no link can have */
export function checkLink(link: LinkOptions): void {
  const { up = {}, down = {}, ...both } = link;
  for (const [where, lane] of Object.entries({ link: both, "link.up": up, "link.down": down })) {
    for (const [name, value] of Object.entries(lane)) {
      if (typeof value !== "number") continue;
      const highest = name.endsWith("Share") ? 1 : Number.MAX_SAFE_INTEGER;
      if (value >= 0 && value <= highest) continue;
      const meaning = name.endsWith("Share") ? "a share between 0 and 1" : "milliseconds, 0 or more";
      throw new RangeError(`${where}.${name} is ${value}; it must be ${meaning}`);
    }
  }
}
