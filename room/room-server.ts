import { createHash } from "node:crypto";
import { type ConnectionContext, Server, type Connection as Socket, type WSMessage } from "partyserver";
import { CLOSE, closeReason } from "../protocol/index.ts";
import type { Game, GameShape } from "../sim/index.ts";
import { Analytics } from "./analytics.ts";
import { CallDesk } from "./call-desk.ts";
import {
  type BotBrain,
  type CallHandlers,
  type Compensations,
  type JoinRequest,
  type RoomApi,
  RoomCore,
  type RoomHooks,
  type Seat,
} from "./core/index.ts";
import { writeLog } from "./log.ts";
import { answerRequest } from "./room-requests.ts";
import type { RoomSettings } from "./settings.ts";
import { SqliteStore } from "./sqlite-store.ts";

/** What a room's class is made from. */
export interface RoomMake<S extends GameShape> {
  readonly game: Game<S>;
  readonly hooks: RoomHooks<S>;
  readonly settings: RoomSettings;
}

/**
 * The Durable Object around a room core: sockets, alarm, storage and clock, nothing that decides. Time is
 * read once per event, because in production it stands still within one. No handler lets an error out:
 * PartyServer would answer a socket or a request with its stack.
 */
export class RoomServer<S extends GameShape> extends Server {
  // A ticking room never hibernates, and hibernatable sockets cost several times as much per message.
  static override options = { hibernate: false };

  readonly #make: RoomMake<S>;
  /** Our own numbers: the id in a socket's URL is the client's to choose. */
  readonly #links = new WeakMap<Socket, string>();
  #linkCount = 0;
  #store: SqliteStore | undefined;
  #core: RoomCore<S> | undefined;
  readonly #analytics: Analytics;
  /** Brains of the room's bots, by name. */
  bots: Readonly<Record<string, BotBrain<S>>>;
  /** Who is asked for an admitted action with `call: true`, by the action's name. */
  calls: CallHandlers<S>;
  /** How what such a call did is undone if its action fails, by the action's name. */
  compensations: Compensations<S>;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env, make: RoomMake<S>) {
    super(ctx, env);
    this.#make = make;
    this.#analytics = new Analytics(env);
    this.bots = make.hooks.bots ?? {};
    this.calls = make.hooks.calls ?? {};
    this.compensations = make.hooks.compensations ?? {};
  }

  onCreate(room: RoomApi<S>, options: unknown): void {
    this.#make.hooks.onCreate?.(room, options);
  }

  onJoin(seat: Seat<S>, room: RoomApi<S>): void {
    this.#make.hooks.onJoin?.(seat, room);
  }

  onLeave(seat: Seat<S>, room: RoomApi<S>): void {
    this.#make.hooks.onLeave?.(seat, room);
  }

  authorize(request: JoinRequest): true | { readonly refuse: string } {
    return this.#make.hooks.authorize?.(request) ?? true;
  }

  override async onStart(): Promise<void> {
    await this.#ready();
  }

  override async onConnect(socket: Socket, { request }: ConnectionContext): Promise<void> {
    const core = await this.#ready();
    if (!core) {
      socket.close(CLOSE["room-restarting"].code, closeReason("room-restarting"));
      return;
    }
    const id = String(++this.#linkCount);
    this.#links.set(socket, id);
    const connection = {
      id,
      address: request.headers.get("tickroom-address") ?? undefined,
      send: (bytes: Uint8Array) => socket.send(bytes),
      close: (code: number, reason: string) => socket.close(code, reason),
    };
    this.#safely("connect", () => core.connect(connection, Date.now()));
  }

  override onMessage(socket: Socket, message: WSMessage): void {
    const id = this.#links.get(socket);
    if (id === undefined) return;
    this.#safely("message", () => this.#core?.receive(id, asData(message), Date.now()));
  }

  override onClose(socket: Socket): void {
    this.#gone(socket);
  }

  override onError(socket: Socket): void {
    this.#gone(socket);
  }

  override async onRequest(request: Request): Promise<Response> {
    const core = await this.#ready();
    if (!core) return Response.json({ error: "room-unavailable" }, { status: 503 });
    try {
      return await answerRequest(core, request, Date.now());
    } catch (error) {
      this.#report("request", error);
      return Response.json({ error: "internal-error" }, { status: 500 });
    }
  }

  override async onAlarm(): Promise<void> {
    // Taken before anything else looks: a room that this very alarm has constructed must not trust it.
    const firingMs = this.#store?.takeAlarm();
    const core = this.#core ?? (await this.#ready());
    let nextMs = this.#pump(core, firingMs);
    // Windows between commits set no alarm: they run within this one, which the platform repeats if it is cut short.
    while (nextMs !== undefined) {
      await scheduler.wait(Math.max(0, nextMs - Date.now()));
      nextMs = this.#pump(core, firingMs);
    }
    // After the window and its sends, so that it can delay neither.
    if (core)
      this.#safely("analytics", () => this.#analytics.offer(Date.now(), () => core.watch.report(Date.now())));
    // Without an alarm of its own the room can only be saved by the platform, which repeats one that threw.
    if (!core || (core.running && this.#store?.alarmMs() === undefined)) {
      throw new Error("the room could neither run nor set its next alarm");
    }
  }

  #pump(core: RoomCore<S> | undefined, firingMs: number | undefined): number | undefined {
    let nextMs: number | undefined;
    this.#safely("alarm", () => {
      nextMs = core?.pump(Date.now(), firingMs, true);
    });
    return nextMs;
  }

  #gone(socket: Socket): void {
    const id = this.#links.get(socket);
    if (id === undefined) return;
    this.#links.delete(socket);
    this.#safely("close", () => this.#core?.disconnect(id, Date.now()));
  }

  /** The room, loaded, with an alarm if it needs one [T5]; undefined when storage doesn't answer. */
  async #ready(): Promise<RoomCore<S> | undefined> {
    try {
      const alarmMs = await this.ctx.storage.getAlarm();
      this.#store ??= new SqliteStore(this.ctx.storage, alarmMs);
      this.#store.learnAlarm(alarmMs);
      if (this.#core) this.#core.poke(Date.now());
      else this.#core = this.#load(this.#store);
      return this.#core;
    } catch (error) {
      this.#report("start", error);
      return undefined;
    }
  }

  #load(store: SqliteStore): RoomCore<S> {
    const { game, settings } = this.#make;
    const core = new RoomCore({
      ...settings,
      game,
      store,
      roomName: this.name,
      // Through `this`, so that a subclass's methods count.
      hooks: {
        onCreate: (room, options) => this.onCreate(room, options),
        onJoin: (seat, room) => this.onJoin(seat, room),
        onLeave: (seat, room) => this.onLeave(seat, room),
        authorize: (request) => this.authorize(request),
        bots: this.bots,
      },
      calls: this.#callDesk(),
      seed: [...crypto.getRandomValues(new Uint32Array(4))] as [number, number, number, number],
      hashSecret: (secret) => new Uint8Array(createHash("sha256").update(secret).digest()),
      log: writeLog,
    });
    core.start(Date.now());
    return core;
  }

  #callDesk(): CallDesk<S> {
    return new CallDesk({
      handlers: () => this.calls,
      compensations: () => this.compensations,
      env: this.env,
      answer: (key, value) => this.#safely("answer", () => this.#core?.answer(key, value, Date.now())),
      compensated: (key) => this.#safely("compensated", () => this.#core?.compensated(key, Date.now())),
      wait: (ms) => scheduler.wait(ms),
      log: (event, detail) => this.#core?.watch.log({ level: "warn", event, ...detail }),
    });
  }

  #safely(where: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#report(where, error);
    }
  }

  #report(where: string, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const entry = { level: "error", event: "handler-threw", where, reason: text } as const;
    if (this.#core) this.#core.watch.log(entry);
    else writeLog({ room: this.ctx.id.name, ...entry });
  }
}

function asData(message: WSMessage): ArrayBuffer | string {
  if (typeof message === "string" || message instanceof ArrayBuffer) return message;
  return new Uint8Array(message.buffer, message.byteOffset, message.byteLength).slice().buffer as ArrayBuffer;
}
