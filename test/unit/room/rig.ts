import { createHash } from "node:crypto";
import { MemoryStore, RoomCore, type RoomCoreOptions, type RoomLogEntry } from "../../../room/core/index.ts";
import type { CallInput, CommandOf, Game, GameShape } from "../../../sim/index.ts";
import { type Hello, TestClient } from "./test-client.ts";

export type RigOptions<S extends GameShape> = Partial<Omit<RoomCoreOptions<S>, "game" | "store">> & {
  readonly store?: MemoryStore;
  readonly nowMs?: number;
};

/** A room core on a manual clock, with a store that outlives it and connections in memory. */
export class Rig<S extends GameShape> {
  readonly game: Game<S>;
  readonly store: MemoryStore;
  readonly log: RoomLogEntry[] = [];
  readonly #options: RigOptions<S>;
  core: RoomCore<S>;
  nowMs: number;
  /** False makes alarms wait, as a failover would. */
  alarms = true;
  /** Whether an alarm may go on by itself between commits, as the Durable Object's does. */
  waits = false;
  #waiting: { readonly firing: number | undefined; readonly untilMs: number } | undefined;
  #connections = 0;
  #links = new Map<TestClient<S>, string>();

  constructor(game: Game<S>, options: RigOptions<S> = {}) {
    this.game = game;
    this.store = options.store ?? new MemoryStore();
    this.#options = options;
    this.nowMs = options.nowMs ?? 1_000_000_000;
    this.core = this.#construct();
  }

  /** The process dies; the room comes back from its store when something calls it. */
  crash(): void {
    this.#links = new Map();
    // The platform repeats an alarm that was cut short.
    if (this.#waiting && this.store.alarmMs() === undefined) this.store.setAlarm(this.nowMs + 1);
    this.#waiting = undefined;
    this.core = this.#construct();
  }

  /** A client with its own secret, connected but silent. */
  connect(client: TestClient<S>): string {
    const id = `link-${++this.#connections}`;
    client.closed = undefined;
    this.#links.set(client, id);
    const isCurrent = () => this.#links.get(client) === id;
    this.core.connect(
      {
        id,
        send: (bytes) => client.receive(bytes.slice()),
        close: (code, reason) => {
          if (isCurrent()) client.closed = { code, reason };
        },
      },
      this.nowMs,
    );
    return id;
  }

  /** A player who has said hello; its seat exists after the next window. */
  join(secretByte: number, hello: Hello = {}): TestClient<S> {
    const client = new TestClient(this.game, secretByte);
    this.connect(client);
    this.send(client, client.hello(hello));
    return client;
  }

  /** Comes back on a new connection, as after a lost one. */
  resume(client: TestClient<S>, hello: Hello = {}): void {
    this.connect(client);
    const { inputSession } = client.welcome;
    const { nextSeq = client.nextSeq } = hello;
    const oldestSeq = Math.min(client.oldestSeq, nextSeq);
    this.send(client, client.hello({ inputSession, nextSeq, oldestSeq, ...hello }));
  }

  send(client: TestClient<S>, bytes: Uint8Array | string): void {
    const data = typeof bytes === "string" ? bytes : (bytes.slice().buffer as ArrayBuffer);
    this.core.receive(this.#links.get(client) ?? "none", data, this.nowMs);
  }

  command(client: TestClient<S>, ...commands: Partial<CommandOf<S>>[]): void {
    this.send(client, client.input(commands));
  }

  /** A command for each action given. */
  act(client: TestClient<S>, ...calls: CallInput[]): void {
    this.send(client, client.input(calls.map((call) => ({ calls: [call] }) as Partial<CommandOf<S>>)));
  }

  /** Runs until a tick is over. */
  toTick(tick: number): void {
    for (let ms = 0; this.core.tick < tick; ms++) {
      if (ms > 60_000) throw new Error(`tick ${tick} doesn't come: the room is at ${this.core.tick}`);
      this.pass(1);
    }
  }

  isConnected(client: TestClient<S>): boolean {
    return this.#links.has(client) && client.closed === undefined;
  }

  /** The link breaks without a goodbye. */
  drop(client: TestClient<S>): void {
    this.core.disconnect(this.#links.get(client) ?? "none", this.nowMs);
    this.#links.delete(client);
  }

  /** Lets time pass and fires the alarms that fall into it, each in time, and does what they wait for. */
  pass(ms: number): void {
    const until = this.nowMs + ms;
    while (this.alarms) {
      // An alarm that is still at work keeps the next one from firing.
      const waiting = this.#waiting;
      const at = waiting?.untilMs ?? this.store.alarmMs();
      if (at === undefined || at > until) break;
      this.nowMs = Math.max(this.nowMs, at);
      const firing = waiting ? waiting.firing : this.store.takeAlarm();
      const untilMs = this.core.pump(this.nowMs, firing, this.waits);
      this.#waiting = untilMs === undefined ? undefined : { firing, untilMs };
      for (const client of this.#links.keys()) this.#acknowledge(client);
    }
    this.nowMs = until;
  }

  /** One that has nothing to say still tells once a second what it has read. */
  #acknowledge(client: TestClient<S>): void {
    const news = client.snapshots.at(-1)?.tick ?? 0;
    if (!client.reads || news - client.acked < this.game.tickRate || !this.isConnected(client)) return;
    this.send(client, client.input([]));
  }

  /** Passes whole windows of three ticks at 60 Hz. */
  windows(count: number): void {
    this.pass(50 * count);
  }

  #construct(): RoomCore<S> {
    const core = new RoomCore<S>({
      roomName: "mover:test",
      hooks: {},
      seed: 1,
      hashSecret: (secret) => new Uint8Array(createHash("sha256").update(secret).digest()),
      log: (entry) => this.log.push(entry),
      ...this.#options,
      game: this.game,
      store: this.store,
    });
    core.start(this.nowMs);
    return core;
  }
}
