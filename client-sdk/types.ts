import type { ArchetypeName, CommandOf, Entity, GameShape, NetId, SeatId } from "../sim/index.ts";

/** Archetypes that the owner's client simulates ahead of the server; all of them when a game predicts nothing. */
export type OwnArchetype<S extends GameShape> = [PredictedArchetype<S>] extends [never]
  ? ArchetypeName<S>
  : PredictedArchetype<S>;
type PredictedArchetype<S extends GameShape> = {
  [N in ArchetypeName<S>]: S["archetypes"][N] extends { readonly predict: "owner" } ? N : never;
}[ArchetypeName<S>];

/** What an entity has besides its fragments. */
type EntityFacts = "id" | "epoch" | "ref" | "archetype" | "owner" | "alive" | "doomed" | "attach" | "detach";

/** An archetype's fragments as a page reads them. */
export type ViewFragments<S extends GameShape, N extends ArchetypeName<S>> = {
  readonly [F in Exclude<keyof Entity<S, N>, EntityFacts>]: Readonly<Entity<S, N>[F]>;
};

export interface ViewEntityBase<N extends string = string> {
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
  /** Commands made here that no snapshot has answered yet. */
  readonly pendingInputs: number;
  readonly rttMs: number;
  /** Times that the present changed beyond tolerance because the server said so. */
  readonly corrections: number;
  /** How far the last correction moved the own entity, in position units. */
  readonly lastCorrectionDistance: number;
  readonly replayedTicks: number;
  /** Snapshots whose state was within tolerance of the prediction for the same command and tick. */
  readonly inTolerance: number;
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
  /** The room's memory was rebuilt from storage. */
  restarted: { readonly incarnation: number };
  seats: { readonly seats: readonly SeatInfo[] };
  correction: { readonly distance: number };
  /** Sampling stopped (true) or goes on (false), because the room's credit ran out or the link is down. */
  paused: { readonly paused: boolean; readonly why: "credit" | "offline" };
  /** The game's own code threw while predicting; the room decides what becomes of the command. */
  fault: { readonly error: unknown };
}

export type Off = () => void;
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
  /** Once per animation frame: makes due commands, predicts, and updates `view`. */
  frame(nowMs?: number): void;
  readonly view: View<S>;
  stats(): Stats;
  /** Off: own entities are shown as the server says, as late as everybody else's; input is sent all the same. */
  readonly prediction: { enabled: boolean };
  /** Faults added to this client's link, for trying out bad networks. */
  readonly link: ConditionerOptions;
  readonly on: Listen;
  /** Gives the seat up and closes. */
  leave(): void;
}
