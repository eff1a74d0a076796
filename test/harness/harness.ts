import { predictedAfter } from "../../client-sdk/index.ts";
import type { RoomCore, RoomLogEntry } from "../../room/core/index.ts";
import type { GameShape } from "../../sim/index.ts";
import type { Calls } from "./calls.ts";
import { HarnessClient } from "./client.ts";
import type { ReloadOptions } from "./client-options.ts";
import { differences, type ExactEntity, entitiesInRoom, entitiesPredicted } from "./exact.ts";
import type { HarnessStore } from "./harness-store.ts";
import { type ExecutedCommand, History } from "./history.ts";
import { checkOptions, type HarnessOptions, type JoinOptions, type LinkOptions } from "./options.ts";
import type { CrashOptions, RoomProcess } from "./room-process.ts";
import { RoomSide } from "./room-side.ts";
import { secretFor } from "./seeds.ts";
import { settle } from "./settle.ts";
import { Timers } from "./timers.ts";

/** Wall time at which a run begins: not 0, which code could take for "never". */
const START_MS = 1_000_000;

/** A client, its index or its name. */
export type ClientRef<S extends GameShape> = number | string | HarnessClient<S>;

/**
 * A room and its clients in one process, on a clock that only moves when told to. Nothing is asynchronous and
 * everything random comes from the seed: what fails once fails every time.
 */
export class Harness<S extends GameShape> {
  readonly clients: HarnessClient<S>[] = [];
  readonly #options: HarnessOptions<S>;
  readonly #seed: number;
  readonly #frameRate: number;
  readonly #history: History<S>;
  readonly #side: RoomSide<S>;
  readonly #timers = new Timers();
  #nowMs: number;

  constructor(options: HarnessOptions<S>) {
    const { game, clients = 1, seed = 1, windowTicks = 3, frameRate = 60 } = options;
    checkOptions({ seed, windowTicks, frameRate });
    this.#options = options;
    this.#seed = seed;
    this.#frameRate = frameRate;
    this.#history = new History(game);
    this.#nowMs = options.startMs ?? START_MS;
    this.#side = new RoomSide({
      options,
      seed,
      now: () => this.#nowMs,
      sent: (bytes) => this.#history.sent(bytes),
      delivered: (bytes) => this.#history.delivered(bytes),
      onCrash: () => {
        for (const client of this.clients) client.drop(false);
      },
    });
    if (options.roomOptions !== undefined) this.room.create(options.roomOptions, this.#nowMs);
    const names = typeof clients === "number" ? Array.from({ length: clients }, () => ({})) : clients;
    for (const name of names) this.join(typeof name === "string" ? { name } : {});
  }

  /** The clock: milliseconds of wall time, as the room sees it. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** The room's disk, which outlives its process. */
  get store(): HarnessStore {
    return this.#side.store;
  }

  /** Calls that the room makes for actions, to be answered by hand or by `auto`. */
  get calls(): Calls {
    return this.#side.calls;
  }

  /** What the room logged, its dead incarnations included. */
  get log(): readonly RoomLogEntry[] {
    return this.#side.log;
  }

  /** The room's present incarnation: don't keep it across a crash. */
  get room(): RoomCore<S> {
    return this.#process.room;
  }

  /**
   * A client by its index or its name.
   * @throws RangeError when there is no such client
   */
  client(which: ClientRef<S>): HarnessClient<S> {
    if (typeof which === "object") return which;
    const found =
      typeof which === "number" ? this.clients[which] : this.clients.find(({ name }) => name === which);
    if (found) return found;
    const names = this.clients.map(({ name }, index) => `${index} ${name}`).join(", ");
    throw new RangeError(`there is no client ${which}; there are ${names || "none"}`);
  }

  /** One more client, which dials at once. */
  join(options: JoinOptions = {}): HarnessClient<S> {
    const index = this.clients.length;
    const { link = {} } = this.#options;
    const client = new HarnessClient<S>(
      {
        game: this.#options.game,
        index,
        seed: this.#seed,
        name: options.name ?? `player-${index + 1}`,
        secret: options.secret ?? secretFor(this.#seed, index),
        link: options.link ?? (typeof link === "function" ? link(index) : link),
        frameRate: options.frameRate ?? this.#frameRate,
        resume: options.resume,
        stopwatch: this.#options.stopwatch,
      },
      this.#side.port,
    );
    this.clients.push(client);
    return client;
  }

  /** Lets time pass: alarms, deliveries and frames run when they are due. */
  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let nextMs = this.#nextMs(); nextMs <= untilMs; nextMs = this.#nextMs()) this.#run(nextMs);
    this.#nowMs = untilMs;
  }

  /**
   * Lets time pass instant by instant until something is true.
   * @throws Error when it isn't `withinMs` (*default* 10 s) later; `what` says in the message what was waited for
   */
  until(done: () => boolean, { withinMs = 10_000, what = "the condition" } = {}): void {
    const limitMs = this.#nowMs + withinMs;
    while (!done()) {
      const nextMs = this.#nextMs();
      if (nextMs > limitMs) this.#giveUp(what, withinMs);
      this.#run(nextMs);
    }
  }

  /** Lets time pass until every client is in the room and predicts. */
  untilJoined(withinMs = 10_000): void {
    this.until(() => this.clients.every((client) => client.status === "joined" && client.newestSeq > 0), {
      withinMs,
      what: "joining by every client",
    });
  }

  /** Does something later, whatever happens to the room meanwhile: a service outside that takes its time. */
  after(ms: number, act: () => void): void {
    this.#timers.set(this.#nowMs + ms, act);
  }

  /** Ends the room's process: its memory and connections are gone, the store isn't. */
  crashRoom(options: CrashOptions = {}): void {
    this.#process.crash(options, this.#nowMs);
  }

  /** Keeps the room's thread busy: alarms and messages wait, however many come [T3] [T4]. */
  stallRoom(ms: number): void {
    this.#process.stall(this.#nowMs + ms);
  }

  /** For a game under test to call within its ticks: a place where `crashRoom({ at: "in-tick" })` can end the process. */
  boundary(): void {
    this.#process.life.pass("in-tick");
  }

  /** Fires the room's alarm again, as the platform may [T4]. */
  repeatAlarm(): void {
    this.#process.repeatAlarm(this.#nowMs);
  }

  /** The room's alarm comes too late by so much; messages still come in [T4]. */
  delayAlarm(ms: number): void {
    this.#process.holdAlarm(this.#nowMs + ms);
  }

  /** Loads a client's page anew. With its session store `kept` it goes on where it was, else it has lost its queue [S3]. */
  reloadClient(client: ClientRef<S>, options: ReloadOptions = {}): void {
    this.client(client).reload(options);
  }

  /**
   * Breaks a client's connection. `roomNotices: false` leaves the room with a connection that is dead; the client
   * is offline for at least `forMs`.
   */
  dropConnection(client: ClientRef<S>, { roomNotices = true, forMs = 0 } = {}): void {
    this.client(client).drop(roomNotices, forMs);
  }

  /** Replaces the faults of a client's link, or of everybody's. */
  setLink(client: ClientRef<S> | "all", link: LinkOptions): void {
    for (const one of client === "all" ? this.clients : [this.client(client)]) one.setLink(link);
  }

  /** Perfect, steady links for everybody, optionally with a one-way delay. What is on its way keeps its fate. */
  calm(latencyMs = 0): void {
    for (const client of this.clients) {
      client.setLink({ latencyMs });
      client.up.release();
      client.down.release();
    }
  }

  /**
   * Lets go of all controls and waits until every command made so far is durable, and then until for a second no
   * client was corrected and no command came too late. Doesn't touch the links: `calm` them first.
   */
  settle(withinMs = 20_000): void {
    settle({
      game: this.#options.game,
      clients: this.clients,
      advance: (ms) => this.advance(ms),
      isStored: () => this.store.ledgerRows.at(-1)?.toTick === this.room.tick,
      giveUp: () => this.#giveUp("settling", withinMs),
      withinMs,
    });
  }

  /** A seat's predicted entity in the room, at its last boundary. */
  serverEntity(client: ClientRef<S>): ExactEntity | undefined {
    return entitiesInRoom(this.room.world, this.client(client).seat)[0];
  }

  /** The same entity as the client predicts it now, further on by its unanswered commands. */
  predictedEntity(client: ClientRef<S>): ExactEntity | undefined {
    const one = this.client(client);
    return this.#predicted(one, one.newestSeq)[0];
  }

  /**
   * Where what clients predicted for the room's last boundary differs from it, in words, cell by cell. Asks for
   * exact equality: settle first, since a client may be behind the room's word by what is on its way.
   */
  disagreements(): string[] {
    return this.clients.flatMap((client) => {
      if (client.left) return [];
      if (client.status !== "joined") return [`${client.name} is ${client.status}`];
      const room = entitiesInRoom(this.room.world, client.seat);
      const last = this.executed(client).at(-1);
      const seq = last?.tick === this.room.tick ? last.seq : undefined;
      if (seq === undefined) return [`${client.name}: the room ran its last tick without a command`];
      return differences(room, this.#predicted(client, seq)).map((found) => `${client.name}: ${found}`);
    });
  }

  /** What the room executed of a client's commands, from the ledger. */
  executed(client: ClientRef<S>): ExecutedCommand<S>[] {
    return this.#history.executed(this.store.ledgerRows, this.client(client).seat);
  }

  /** Where the ledger breaks "each command once, in order, as it was sent", in words; empty when it doesn't. */
  ledgerProblems(): string[] {
    return this.#history.problems(this.store.ledgerRows);
  }

  get #process(): RoomProcess<S> {
    return this.#side.process;
  }

  #predicted(client: HarnessClient<S>, seq: number): ExactEntity[] {
    const state = predictedAfter(client.core, seq);
    return state ? entitiesPredicted(this.#options.game.schema, state, client.seat) : [];
  }

  #nextMs(): number {
    let messageMs = Number.POSITIVE_INFINITY;
    let nextMs = this.#timers.nextMs;
    for (const client of this.clients) {
      messageMs = Math.min(messageMs, client.up.nextMs);
      nextMs = Math.min(nextMs, client.nextMs);
    }
    return Math.max(this.#nowMs, Math.min(nextMs, this.#process.nextMs(messageMs)));
  }

  /** One instant. The order within it is fixed, or a run couldn't be repeated. */
  #run(nowMs: number): void {
    this.#nowMs = nowMs;
    this.#process.wake(nowMs);
    this.#timers.run(nowMs);
    if (this.#process.listens(nowMs)) for (const client of this.clients) client.deliverUp();
    this.#process.alarm(nowMs);
    for (const client of this.clients) client.run();
  }

  #giveUp(what: string, withinMs: number): never {
    const clients = this.clients.map((client) => {
      const { consumed, durable, pendingInputs, corrections, missedInputs } = client.stats();
      const figures = { consumed, durable, pendingInputs, corrections, missedInputs };
      return `${client.name}: ${client.status} ${JSON.stringify(figures)}`;
    });
    const { state, tick, incarnation, faults } = this.room.stats();
    const room = this.#process.isUp ? `${state} at tick ${tick}` : "down";
    const how = [`Room: ${room}, incarnation ${incarnation}, faults ${faults}`, ...clients].join("; ");
    throw new Error(`${what} didn't come true within ${withinMs} ms. ${how}`);
  }
}

/**
 * Makes a room with clients of your game, on a clock that you move:
 *
 *     const harness = createHarness({ game: arena, hooks: rules, clients: ["ada", "ben"], link: { latencyMs: 80 } });
 *     harness.untilJoined();
 *     harness.client("ada").input.set({ moveX: 1 });
 *     harness.advance(1000);
 *     harness.crashRoom({ downMs: 500 });
 *     harness.settle();
 *     expect(harness.disagreements()).toEqual([]);
 *     expect(harness.ledgerProblems()).toEqual([]);
 */
export function createHarness<S extends GameShape>(options: HarnessOptions<S>): Harness<S> {
  return new Harness(options);
}
