import type { CloseAction } from "../protocol/index.ts";
import { NOT_AUTHORIZED } from "../protocol/index.ts";
import type { Game, GameShape } from "../sim/index.ts";
import type { ActionCalls, Effects, Receipts } from "./action-types.ts";
import { ClientCore } from "./client-core.ts";
import { JoinError } from "./join-error.ts";
import type { KeptSession } from "./kept-session.ts";
import { SocketLink } from "./socket-link.ts";
import type {
  ConditionerOptions,
  Input,
  Listen,
  RoomClient,
  RoomEvents,
  SeatInfo,
  Stats,
  Status,
  View,
} from "./types.ts";

/** How often a page that draws nothing says that it is still there; browsers allow no more in the background. */
const IDLE_MS = 1000;

export interface RoomClientOptions<S extends GameShape> {
  readonly game: Game<S>;
  readonly name: string;
  readonly prediction: boolean;
  readonly conditioner: Partial<ConditionerOptions>;
  /** Asks to be let in and gives the socket's address. */
  readonly admission: () => Promise<string>;
  readonly webSocket: unknown;
  /** What is kept over a reload of the page. */
  readonly kept: KeptSession | undefined;
}

/** What a development console and browser tests see of a page's rooms. */
export interface DevHook {
  readonly rooms: RoomClient<GameShape>[];
}

declare global {
  var __TICKROOM__: DevHook | undefined;
}

/** A room in a page: the client core with a socket under it. */
export class SocketRoomClient<S extends GameShape> implements RoomClient<S> {
  readonly #core: ClientCore<S>;
  readonly #link: SocketLink;
  readonly #kept: KeptSession | undefined;
  readonly #idle: ReturnType<typeof setInterval>;
  readonly #onPageHide = (event: PageTransitionEvent) => {
    // A page that is kept may come back; its seat waits for it like for any other.
    if (this.#kept) this.#core.save();
    else if (!event.persisted) this.leave();
  };
  #socketUrl: string | undefined;
  #leaving = false;
  #idleMs = 0;
  readonly input: Input<S>;
  readonly actions: ActionCalls<S>;
  readonly receipts: Receipts<S>;
  readonly effects: Effects<S>;
  readonly events: RoomEvents<S>;
  readonly view: View<S>;
  readonly prediction: { enabled: boolean };
  readonly link: ConditionerOptions;
  readonly on: Listen;

  constructor(options: RoomClientOptions<S>, socketUrl: string) {
    const { game, name, prediction, kept } = options;
    this.#kept = kept;
    const now = () => performance.now();
    this.#socketUrl = socketUrl;
    this.#link = new SocketLink({
      url: () => this.#address(options.admission),
      webSocket: options.webSocket,
      conditioner: options.conditioner,
      now,
      random: Math.random,
      opened: (nowMs) => this.#core.opened(nowMs),
      received: (bytes, nowMs) => {
        this.#core.received(bytes, nowMs);
        // Browsers let a hidden page's timers fire once a minute, but not its messages wait.
        if (nowMs - this.#idleMs >= IDLE_MS) this.#showLife(nowMs);
      },
      closed: (code, reason, nowMs) => this.#closed(code, reason, nowMs),
    });
    const send = (bytes: Uint8Array) => (this.#leaving ? this.#link.sendNow(bytes) : this.#link.send(bytes));
    const secret = kept?.secret ?? crypto.getRandomValues(new Uint8Array(32));
    const keeping = kept && { store: kept.store, saved: kept.saved };
    this.#core = new ClientCore<S>({
      game,
      name,
      prediction,
      secret,
      link: { send },
      stopwatch: now,
      ...keeping,
    });
    this.input = this.#core.input;
    this.actions = this.#core.actions;
    this.receipts = this.#core.receipts;
    this.effects = this.#core.effects;
    this.events = this.#core.events;
    this.view = this.#core.view;
    this.prediction = this.#core.prediction;
    this.link = this.#link.faults;
    this.on = this.#core.on;
    this.#idle = setInterval(() => {
      this.#link.watch();
      this.#showLife(now());
    }, IDLE_MS);
    globalThis.addEventListener?.("pagehide", this.#onPageHide);
    globalThis.__TICKROOM__ ??= { rooms: [] };
    globalThis.__TICKROOM__.rooms.push(this as unknown as RoomClient<GameShape>);
    this.on("closed", () => this.#end());
  }

  get status(): Status {
    return this.#core.status;
  }
  get seat(): number {
    return this.#core.seat;
  }
  seats(): readonly SeatInfo[] {
    return this.#core.seats();
  }
  stats(): Stats {
    return this.#core.stats();
  }

  frame(nowMs: number = performance.now()): void {
    this.#link.pump();
    this.#core.frame(nowMs);
  }

  disconnect(): void {
    this.#link.disconnect();
  }

  leave(): void {
    this.#leaving = true;
    this.#core.leave();
  }

  #showLife(nowMs: number): void {
    this.#idleMs = nowMs;
    this.#core.idle(nowMs);
  }

  #closed(code: number, reason: string, nowMs: number): CloseAction {
    const action = this.#core.closed(code, reason, nowMs);
    if (action === "rejoin") this.#socketUrl = undefined;
    return action;
  }

  /**
   * Where to connect; after the end of a seat, only once we have been let in again. Too many requests (429) and what
   * fails on the other side (5xx) pass; other refusals don't.
   */
  async #address(admission: () => Promise<string>): Promise<string> {
    try {
      this.#socketUrl ??= await admission();
      return this.#socketUrl;
    } catch (error) {
      if (error instanceof JoinError && error.failure === "refused" && (error.status ?? 0) < 429) {
        this.#core.closed(NOT_AUTHORIZED, error.message, performance.now());
      }
      throw error;
    }
  }

  #end(): void {
    clearInterval(this.#idle);
    globalThis.removeEventListener?.("pagehide", this.#onPageHide);
    this.#link.close();
    this.#kept?.release();
    const rooms = globalThis.__TICKROOM__?.rooms ?? [];
    const at = rooms.indexOf(this as unknown as RoomClient<GameShape>);
    if (at >= 0) rooms.splice(at, 1);
  }
}
