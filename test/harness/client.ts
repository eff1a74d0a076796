import {
  ClientCore,
  type ClientEvents,
  type Input,
  type Listen,
  MemorySessionStore,
  type Stats,
  type Status,
} from "../../client-sdk/index.ts";
import { CLOSE } from "../../protocol/index.ts";
import type { Connection } from "../../room/core/index.ts";
import type { GameShape } from "../../sim/index.ts";
import type { HarnessClientOptions, ReloadOptions, RoomPort } from "./client-options.ts";
import { Lane } from "./lane.ts";
import { checkFrameRate, checkLink, type LinkOptions } from "./options.ts";
import { PageClock } from "./page-clock.ts";
import { randomFor, seedFor } from "./seeds.ts";

type Dialling =
  /** Waits to dial, then for the connection to open. */
  | { at: "waiting"; dialMs: number }
  | { at: "opening"; openMs: number }
  | { at: "open"; id: string; sinceMs: number }
  | { at: "ended" };

/** A network's word for a connection that broke without a word from the room. */
const BROKEN = 1006;
/** As long a connection must hold for the next attempt after it to be an early one again. */
const UPTIME_MS = 2000;

/** A client with its clock, its frames and its link to the room. */
export class HarnessClient<S extends GameShape> {
  readonly index: number;
  readonly name: string;
  readonly up: Lane;
  readonly down: Lane;
  readonly #port: RoomPort;
  readonly #options: HarnessClientOptions<S>;
  /** What the page does when it begins, in the order in which it was said. */
  readonly #setups: ((core: ClientCore<S>) => void)[] = [];
  /** What the page keeps for the one that follows after a reload. */
  #store = new MemorySessionStore();
  /** Whether it has given its seat up. */
  left = false;
  #core: ClientCore<S>;
  readonly #random: () => number;
  readonly #clock: PageClock;
  /** Stands for a close on its way to the client, in order with the frames before it. */
  readonly #closing = new Map<Uint8Array, { code: number; reason: string }>();
  /** Delay of opening a connection: a round trip. */
  #openingMs = 0;
  #dialling: Dialling;
  #attempts = 0;
  #connections = 0;
  #frameMs: number;
  #nextFrameMs: number;
  #paused = false;

  constructor(options: HarnessClientOptions<S>, port: RoomPort) {
    const { index, name, link, frameRate, seed } = options;
    this.#options = options;
    this.index = index;
    this.name = name;
    this.#port = port;
    this.#random = randomFor(seed, `client ${index}`);
    // A page's clock starts anywhere, and frames fall anywhere between the room's ticks.
    this.#clock = new PageClock(() => port.nowMs, Math.floor(this.#random() * 1e6));
    this.#frameMs = 1000 / frameRate;
    this.#nextFrameMs = port.nowMs + this.#random() * this.#frameMs;
    this.#dialling = { at: "waiting", dialMs: port.nowMs };
    this.up = new Lane({}, seedFor(seed, `up ${index}`));
    this.down = new Lane({}, seedFor(seed, `down ${index}`));
    this.setLink(link);
    this.#core = this.#newPage();
  }

  /** What runs in the page: another one after a reload. */
  get core(): ClientCore<S> {
    return this.#core;
  }

  /** The controls, as a page sets them. */
  get input(): Input<S> {
    return this.core.input;
  }
  get view(): ClientCore<S>["view"] {
    return this.core.view;
  }
  get actions(): ClientCore<S>["actions"] {
    return this.core.actions;
  }
  get on(): Listen {
    return this.core.on;
  }
  get status(): Status {
    return this.core.status;
  }
  /** This client's seat, 0 before the room has said so. */
  get seat(): number {
    return this.core.seat;
  }
  stats(): Stats {
    return this.core.stats();
  }
  /** Number of the newest command that this client has made. */
  get newestSeq(): number {
    const { consumed, pendingInputs } = this.core.stats();
    return consumed + pendingInputs;
  }

  /** Does something in this page, and again in each page that follows after a reload. */
  inEachPage(setup: (core: ClientCore<S>) => void): void {
    this.#setups.push(setup);
    setup(this.#core);
  }

  /** All details of one kind of event from now on, in order, also after reloads. */
  record<E extends keyof ClientEvents>(event: E): readonly ClientEvents[E][] {
    const seen: ClientEvents[E][] = [];
    this.inEachPage((core) => core.on(event, (detail) => seen.push(detail)));
    return seen;
  }

  /** Gives the seat up. */
  leave(): void {
    this.left = true;
    this.core.leave();
  }

  /**
   * No more frames until `resume`: a page in the background or in a debugger. Messages still come in.
   * @param clock whether the page's clock `runs` on (*default*) or `stops`, as on a laptop that sleeps
   */
  pause(clock: "runs" | "stops" = "runs"): void {
    this.#paused = true;
    if (clock === "stops") this.#clock.stop();
  }

  /** Frames go on, beginning now. */
  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#nextFrameMs = this.#port.nowMs;
    this.#clock.go();
  }

  /** One frame more, now, also while paused. */
  frame(): void {
    this.core.frame(this.#clock.nowMs);
  }

  /** Animation frames per second from now on. */
  set frameRate(frameRate: number) {
    checkFrameRate(frameRate);
    this.#frameMs = 1000 / frameRate;
  }

  /**
   * Replaces the faults of this client's link; what is left out is none. On a link that may reorder from the start,
   * the client repeats what isn't acknowledged; making an ordered one reorder later doesn't teach it to.
   */
  setLink(link: LinkOptions): void {
    checkLink(link);
    const { up, down, ...both } = link;
    this.up.set({ ...both, ...up });
    this.down.set({ ...both, ...down });
    const { latencyMs = 0 } = both;
    this.#openingMs = (up?.latencyMs ?? latencyMs) + (down?.latencyMs ?? latencyMs);
  }

  /**
   * Breaks the connection; what was on its way is lost, and the client dials again after its backoff.
   * @param roomNotices false: the room goes on believing in it, as after a change of network
   * @param forMs it doesn't dial again before that
   */
  drop(roomNotices: boolean, forMs = 0): void {
    if (this.#dialling.at !== "open") return;
    const { id } = this.#dialling;
    if (roomNotices) this.#port.disconnect(id);
    this.#closed(BROKEN, "");
    const dialMs = this.#port.nowMs + forMs;
    if (this.#dialMs < dialMs) this.#dialling = { at: "waiting", dialMs };
  }

  /** Loads the page anew: memory and connection are gone, and the new page dials at once [S3]. */
  reload({ store = "kept" }: ReloadOptions = {}): void {
    if (this.#dialling.at === "ended") return;
    if (this.#dialling.at === "open") this.#port.disconnect(this.#dialling.id);
    this.#hangUp();
    if (store === "lost") this.#store = new MemorySessionStore();
    this.#core = this.#newPage();
    for (const setup of this.#setups) setup(this.#core);
    this.resume();
    this.#attempts = 0;
    this.#dialling = { at: "waiting", dialMs: this.#port.nowMs };
  }

  /** @internal When something of this client is due next. */
  get nextMs(): number {
    if (this.#dialling.at === "ended") return Number.POSITIVE_INFINITY;
    return Math.min(
      this.down.nextMs,
      this.#dialMs,
      this.#paused ? Number.POSITIVE_INFINITY : this.#nextFrameMs,
    );
  }

  /** @internal Does what is due, in a fixed order. */
  run(): void {
    const { nowMs } = this.#port;
    if (this.#dialMs <= nowMs) this.#dial(nowMs);
    for (const bytes of this.down.drain(nowMs)) this.#take(bytes);
    if (this.#paused || this.#nextFrameMs > nowMs) return;
    this.frame();
    // From the frame's own time, so that the rate holds; but frames that a pause swallowed aren't drawn later.
    this.#nextFrameMs = Math.max(this.#nextFrameMs + this.#frameMs, nowMs);
  }

  /** @internal Hands what has arrived to the room. */
  deliverUp(): void {
    for (const bytes of this.up.drain(this.#port.nowMs)) {
      if (this.#dialling.at === "open") this.#port.receive(this.#dialling.id, bytes);
    }
  }

  get #dialMs(): number {
    if (this.#dialling.at === "waiting") return this.#dialling.dialMs;
    return this.#dialling.at === "opening" ? this.#dialling.openMs : Number.POSITIVE_INFINITY;
  }

  #dial(nowMs: number): void {
    if (this.#dialling.at === "waiting") {
      this.#dialling = { at: "opening", openMs: nowMs + this.#openingMs };
      if (this.#openingMs > 0) return;
    }
    const id = `${this.name}#${++this.#connections}`;
    const ownsIt = () => this.#dialling.at === "open" && this.#dialling.id === id;
    const connection: Connection = {
      id,
      send: (bytes) => {
        if (ownsIt()) this.down.push(bytes.slice(), this.#port.nowMs);
      },
      close: (code, reason) => {
        if (!ownsIt()) return;
        const marker = new Uint8Array(0);
        this.#closing.set(marker, { code, reason });
        this.down.push(marker, this.#port.nowMs);
      },
    };
    this.#dialling = { at: "open", id, sinceMs: nowMs };
    if (!this.#port.connect(connection)) this.#closed(BROKEN, "");
    // The room's process may have ended in the attempt.
    else if (ownsIt()) this.core.opened(this.#clock.nowMs);
  }

  #take(bytes: Uint8Array): void {
    if (this.#dialling.at !== "open") return;
    const close = this.#closing.get(bytes);
    if (!close) {
      this.#port.delivered(bytes);
      this.core.received(bytes, this.#clock.nowMs);
      return;
    }
    this.#port.disconnect(this.#dialling.id);
    this.#closed(close.code, close.reason);
  }

  /** @internal The connection is gone. */
  #closed(code: number, reason: string): void {
    const { nowMs } = this.#port;
    const heldMs = this.#dialling.at === "open" ? nowMs - this.#dialling.sinceMs : 0;
    this.#hangUp();
    const action = this.core.closed(code, reason, this.#clock.nowMs);
    if (action === "stop" || code === CLOSE.left.code) {
      this.#dialling = { at: "ended" };
      return;
    }
    if (heldMs >= UPTIME_MS) this.#attempts = 0;
    const waitMs = Math.min(150 * 1.5 ** this.#attempts++, 1500) + 100 * this.#random();
    this.#dialling = { at: "waiting", dialMs: nowMs + waitMs };
  }

  #hangUp(): void {
    this.up.clear();
    this.down.clear();
    this.#closing.clear();
  }

  #newPage(): ClientCore<S> {
    const { game, secret, name, link, resume, stopwatch } = this.#options;
    const saved = this.#store.load();
    return new ClientCore<S>({
      game,
      secret,
      name,
      link: { send: (bytes) => this.#send(bytes) },
      transport: (link.up?.ordered ?? link.ordered ?? true) ? "ordered" : "lossy",
      store: this.#store,
      ...(stopwatch && { stopwatch }),
      ...(saved && { saved }),
      ...(resume && !saved && { resume }),
    });
  }

  #send(bytes: Uint8Array): void {
    if (this.#dialling.at !== "open") return;
    this.#port.sent(bytes);
    this.up.push(bytes.slice(), this.#port.nowMs);
  }
}
