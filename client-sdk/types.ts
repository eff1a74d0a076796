import type { SessionReason } from "../protocol/index.ts";
import type {
  ArchetypeName,
  CommandOf,
  Entity,
  EntityBase,
  EventData,
  EventName,
  GameShape,
  IslandMember,
  NetId,
  SeatId,
} from "../sim/index.ts";
import type { ActionCalls, ActionHandle, Effects, Receipts } from "./action-types.ts";

/** Archetypes that the owner's client simulates ahead of the server; all of them when a game predicts nothing. */
export type OwnArchetype<S extends GameShape> = [PredictedArchetype<S>] extends [never]
  ? ArchetypeName<S>
  : PredictedArchetype<S>;
type PredictedArchetype<S extends GameShape> = {
  [N in ArchetypeName<S>]: S["archetypes"][N] extends { readonly predict: "owner" } ? N : never;
}[ArchetypeName<S>];

/** What an entity has besides its fragments. */
type EntityFacts = keyof EntityBase<GameShape, string> | keyof IslandMember;

/** An archetype's fragments as a page reads them. */
export type ViewFragments<S extends GameShape, N extends ArchetypeName<S>> = {
  readonly [F in Exclude<keyof Entity<S, N>, EntityFacts>]: Readonly<Entity<S, N>[F]>;
};

export interface ViewEntityBase<N extends string = string> {
  /**
   * The same for as long as the entity is shown, to keep a sprite by. `id` isn't: what an action has spawned here
   * gets another one when the room tells of it.
   */
  readonly key: number | string;
  readonly id: NetId;
  /** Grows each time that the id is given to another entity. */
  readonly epoch: number;
  readonly archetype: N;
  /** The seat that steers it, 0 for nobody. */
  readonly owner: SeatId | 0;
  /** Steered by this client's seat. */
  readonly own: boolean;
  /** Nothing new has been heard of it for so long that it stands still until there is. */
  readonly stalled: boolean;
}

/**
 * An entity as it should be drawn now. The object is reused from frame to frame: read it, don't keep
 * its values by reference across frames.
 */
export type ViewEntity<S extends GameShape, N extends ArchetypeName<S> = ArchetypeName<S>> = N extends unknown
  ? ViewEntityBase<N> & ViewFragments<S, N>
  : never;

/** What to draw in this frame. */
export interface View<S extends GameShape> {
  /** This seat's own entity, if it has one now. */
  readonly own: ViewEntity<S, OwnArchetype<S>> | undefined;
  all<N extends ArchetypeName<S>>(archetype: N): Iterable<ViewEntity<S, N>>;
  get(id: number): ViewEntity<S> | undefined;
  /** The newest state that the server has sent of an entity, without prediction, delay or smoothing: a ghost. */
  server(id: number): ViewEntity<S> | undefined;
}

/** Names of the one-shot controls of a game. */
export type PressName<S extends GameShape> = {
  [K in keyof S["input"] & string]: S["input"][K] extends { readonly kind: "press" } ? K : never;
}[keyof S["input"] & string];

export interface Input<S extends GameShape> {
  /** What the controls are now; those left out stay as they are. A press control fires when it goes from false to true. */
  set(controls: Partial<CommandOf<S>>): void;
  /** Fires a press control once. */
  press(name: PressName<S>): void;
}

export type Status = "connecting" | "joined" | "reconnecting" | "closed";

export interface SeatInfo {
  readonly seat: number;
  readonly name: string;
  readonly kind: "player" | "bot";
  readonly connected: boolean;
}

/** Figures for a HUD and for tests. Counters grow from the client's start. */
export interface Stats {
  /** Newest tick that this client has predicted. */
  readonly tick: number;
  readonly consumed: number;
  readonly durable: number;
  readonly incarnation: number;
  /** How many times prediction has begun: at first, with a new input session, or after having been away for long. */
  readonly epoch: number;
  /** Commands made here that no snapshot has answered yet. */
  readonly pendingInputs: number;
  /** Actions whose end isn't known yet. */
  readonly openActions: number;
  readonly rttMs: number;
  /** Times that the present changed beyond tolerance because the server said so. */
  readonly corrections: number;
  /** How far the last correction moved the own entity, in position units. */
  readonly lastCorrectionDistance: number;
  /** Corrections in the last minute of the page's time. */
  readonly correctionsPerMinute: number;
  /** 95 of 100 of the last 128 corrections moved it no further than this. */
  readonly correctionP95: number;
  readonly replayedTicks: number;
  /** Time that replaying has taken so far. */
  readonly replayMs: number;
  /** Snapshots whose state was within tolerance of the prediction for the same command and tick. */
  readonly inTolerance: number;
  /** Their share of all snapshots that something was predicted for. */
  readonly inToleranceShare: number;
  /** Replays because an external was elsewhere than ticks ahead of the room had read it. */
  readonly dependencyReplays: number;
  /** Time for which prediction waited, because nothing was known of an external that it reads. */
  readonly externalPauseMs: number;
  /** Replays that moved the queue to other ticks and changed nothing that matters. */
  readonly reanchors: number;
  /** Server states applied without a predicted frame to compare with. */
  readonly hardApplies: number;
  /** Ticks since a command was made when its answer arrived, last snapshot. */
  readonly commandAgeTicks: number;
  readonly entities: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Commands of this seat that waited in the room after its last window. */
  readonly bufferDepth: number;
  /** Ticks that the room ran without a command of this seat. */
  readonly missedInputs: number;
  /** How far prediction is ahead of the room's estimated present, in ticks. */
  readonly leadTicks: number;
  readonly interpolationDelayMs: number;
  /** How much later than the quickest snapshots others have come in the last seconds. */
  readonly jitterMs: number;
  /** Frames drawn since the room's first snapshot on this page. */
  readonly frames: number;
  /** Of these, frames that showed others past the newest snapshot, by guessing or standing still. */
  readonly underruns: number;
  /** True while nothing is sampled because the room has granted no more credit. */
  readonly outOfCredit: boolean;
  /** Frames from the room that couldn't be used. */
  readonly badFrames: number;
}

/** What a client tells its page. */
export interface ClientEvents {
  joined: { readonly seat: number; readonly incarnation: number; readonly resumed: boolean };
  reconnecting: { readonly code: number; readonly reason: string };
  closed: { readonly code: number; readonly reason: string };
  /** The room is going to be closed so much later, and says why. */
  closing: { readonly inMs: number; readonly reason: string };
  /** The room's memory was rebuilt from storage. */
  restarted: { readonly incarnation: number };
  seats: { readonly seats: readonly SeatInfo[] };
  correction: { readonly distance: number };
  /**
   * Sampling stopped (true) or goes on (false): the room's credit ran out, the link is down, or one input session
   * has ended and the next hasn't begun.
   */
  paused: { readonly paused: boolean; readonly why: "credit" | "offline" | "session" };
  /** Commands of an ended input session that were never executed, and never will be. */
  void: {
    readonly session: number;
    /** First and last of them; none when `from` is the larger. */
    readonly from: number;
    readonly to: number;
    readonly reason: SessionReason;
    /** The actions that they asked for. */
    readonly actions: readonly ActionHandle<GameShape>[];
  };
  /** The game's or the page's own code threw, the room contradicted itself, or the session couldn't be kept. */
  fault: { readonly error: unknown };
}

export type Off = () => void;

/** What happens in the room besides its state, as `world.emit` says it. */
export interface RoomEvents<S extends GameShape> {
  /**
   * Called in the frame that shows the event's tick of what isn't predicted; at once when it comes later than that by
   * up to half a second. Never for what happened while this page was away or showed nothing.
   * @throws TypeError for an unknown name
   */
  on<N extends EventName<S>>(
    name: N,
    listener: (event: { readonly tick: number; readonly data: EventData<S, N> }) => void,
  ): Off;
}

export type Listen = <E extends keyof ClientEvents>(
  event: E,
  listener: (detail: ClientEvents[E]) => void,
) => Off;

/** Faults that a link is given on purpose, per direction. All 0: untouched. */
export interface ConditionerOptions {
  /** Added one-way delay. */
  latencyMs: number;
  /** Further delay per message, uniformly random up to this. */
  jitterMs: number;
  /** Share of messages (0 … 1) that begin a stall: they and all that follow wait for it to end. */
  burstShare: number;
  /** Length of such a stall. */
  burstMs: number;
  /**
   * Share of messages that are lost and sent again: like on a WebSocket, they and all that follow wait for about a round
   * trip longer (twice the latency and the jitter, and 20 ms).
   */
  lossShare: number;
  /** Bytes that go through per second, one message after the other; 0 = no limit. */
  bytesPerSecond: number;
  /** Nothing arrives before this, in milliseconds of the link's clock (`performance.now()` in a page). */
  frozenUntilMs: number;
  /** Share of messages that arrive twice. */
  duplicateShare: number;
  /** Share of messages that may be overtaken (only where `ordered` is false). */
  reorderShare: number;
  /** True: like a WebSocket, nothing overtakes. */
  ordered: boolean;
}

/** A room as a page uses it. */
export interface RoomClient<S extends GameShape> {
  readonly status: Status;
  /** This client's seat, 0 before the room has said so. */
  readonly seat: number;
  seats(): readonly SeatInfo[];
  readonly input: Input<S>;
  /** `room.actions.fire({ aim })`: with the next command, exactly once. */
  readonly actions: ActionCalls<S>;
  readonly receipts: Receipts<S>;
  readonly effects: Effects<S>;
  readonly events: RoomEvents<S>;
  /** Once per animation frame: makes due commands, predicts, and updates `view`. */
  frame(nowMs?: number): void;
  readonly view: View<S>;
  stats(): Stats;
  /** Off: own entities are shown as the server says, as late as everybody else's; input is sent all the same. */
  readonly prediction: { enabled: boolean };
  /** Faults added to this client's link, for trying out bad networks. `linkPresets` has some by name. */
  readonly link: ConditionerOptions;
  /** Breaks the connection, as a network does; it comes back by itself. For trying out bad networks. */
  disconnect(): void;
  readonly on: Listen;
  /** Gives the seat up and closes. */
  leave(): void;
}
