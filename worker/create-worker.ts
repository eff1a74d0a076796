import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { parseAddress, type RoomAddress } from "./address.ts";
import { type AdminVars, adminRoutes, inspectPage } from "./admin-routes.ts";
import { isOwnOrigin } from "./origin.ts";
import { problemResponse, refuse } from "./problems.ts";
import { ADDRESS_HEADER, mayCome, VisitorCounts, type VisitorVars, visitorOf } from "./visitor.ts";

/** What is needed of a Durable Object namespace; a binding of any room class fits. */
export interface RoomNamespace {
  idFromName(name: string): DurableObjectId;
  get(id: DurableObjectId): { fetch(request: Request): Promise<Response> };
}

export interface WorkerOptions<Env extends object> {
  /** The binding of each kind of room: `{ arena: (env) => env.ARENA }` serves rooms `arena:…`. */
  readonly rooms: Readonly<Record<string, (env: Env) => RoomNamespace>>;
  /** Decides on pages of other origins. *Default*: only pages served from this Worker's own address. */
  readonly allowOrigin?: (origin: string, env: Env) => boolean;
}

/** What a Worker module exports as its default. */
export interface RoomsWorker<Env extends object> {
  fetch(request: Request, env: Env, context?: ExecutionContext): Response | Promise<Response>;
}

interface DevelopmentVars {
  /** "on" lets anybody join and look at statistics. Never set it where players come. */
  readonly TICKROOM_DEV_JOIN?: string;
}

/**
 * The Worker in front of the rooms:
 *
 *     GET  /health              is it up
 *     POST /rooms/:room         makes a room with options (JSON)
 *     POST /rooms/:room/join    says how to reach it
 *     GET  /rooms/:room/socket  the room's WebSocket
 *     GET  /rooms/:room/stats   what it reports about itself
 *     GET  /admin/rooms/:room   its report; only with the admin token, as all that is under /admin
 *     GET  /admin/rooms/:room/metrics | view | state | export
 *     POST /admin/rooms/:room/kick | close | open
 *     GET  /inspect             a page that shows all that; only where there is an admin token
 *
 * Everything else falls through to the assets that wrangler serves.
 */
export function createWorker<Env extends object>(options: WorkerOptions<Env>): RoomsWorker<Env> {
  type AppEnv = {
    Bindings: Env & DevelopmentVars & AdminVars & VisitorVars;
    Variables: { address: RoomAddress };
  };
  type RoomContext = Context<AppEnv>;
  const app = new Hono<AppEnv>();
  const counts = new VisitorCounts();

  const namespaceOf = (kind: string, env: Env): RoomNamespace => {
    // A kind that only an object's prototype has is none.
    if (!Object.hasOwn(options.rooms, kind)) refuse("unknown-room");
    // The types say that it is there; a name that wrangler.toml spells differently isn't.
    return options.rooms[kind]?.(env) ?? refuse("binding-missing");
  };

  const ask = (context: RoomContext, path: string, init?: RequestInit | Request): Promise<Response> => {
    const { kind, room } = context.get("address");
    const namespace = namespaceOf(kind, context.env);
    return namespace.get(namespace.idFromName(room)).fetch(new Request(`https://room${path}`, init));
  };

  app.get("/health", (context) => context.json({ status: "ok" }));

  app.use("/rooms/:room/*", async (context, next) => {
    const address = parseAddress(context.req.param("room")) ?? refuse("bad-room-name");
    if (!Object.hasOwn(options.rooms, address.kind)) refuse("unknown-room");
    // Until tickets exist, nobody comes in but in development. Checked before anything reaches the room.
    if (context.env.TICKROOM_DEV_JOIN !== "on") refuse("join-not-permitted");
    namespaceOf(address.kind, context.env);
    const origin = context.req.header("origin");
    const allowed =
      isOwnOrigin(origin, context.req.url) ||
      (origin !== undefined && options.allowOrigin?.(origin, context.env) === true);
    if (!allowed) refuse("origin-not-allowed");
    const visitor = visitorOf(context.req.header("cf-connecting-ip"));
    if (!(await mayCome(visitor, context.env, counts, Date.now()))) refuse("too-many-requests");
    context.set("address", address);
    await next();
  });

  app.post("/rooms/:room", async (context) =>
    ask(context, "/create", { method: "POST", body: await context.req.text() }),
  );

  app.post("/rooms/:room/join", (context) => {
    const { room } = context.get("address");
    return context.json({ room, socket: `/rooms/${room}/socket` });
  });

  app.get("/rooms/:room/socket", (context) => {
    if (context.req.header("upgrade")?.toLowerCase() !== "websocket") refuse("upgrade-required");
    const request = new Request(context.req.raw);
    request.headers.delete(ADDRESS_HEADER);
    const visitor = visitorOf(context.req.header("cf-connecting-ip"));
    if (visitor !== undefined) request.headers.set(ADDRESS_HEADER, visitor);
    return ask(context, "/socket", request);
  });

  app.get("/rooms/:room/stats", (context) => ask(context, "/stats"));

  app.get("/inspect", (context) => inspectPage(context.env));
  app.route("/admin", adminRoutes<Env & DevelopmentVars>(ask));

  app.notFound(() => problemResponse("not-found"));
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse();
    // A Durable Object that is overloaded or being replaced throws here; details are no visitor's business.
    return problemResponse(context.get("address") ? "room-unavailable" : "internal-error");
  });
  return { fetch: (request, env, context) => app.fetch(request, env, context) };
}
