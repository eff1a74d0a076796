import { encodeExport } from "../protocol/index.ts";
import type { GameShape } from "../sim/index.ts";
import { prometheusText, type RoomCore } from "./core/index.ts";

/** Largest body of creation options. */
const MAX_OPTIONS_BYTES = 16_384;

/** Entities that a look at a room writes out: thousands would take a window's time. */
const MAX_ENTITIES = 500;

const PRIVATE = { "cache-control": "no-store" };

type Answer<S extends GameShape> = (
  core: RoomCore<S>,
  request: Request,
  nowMs: number,
) => Response | Promise<Response>;

/**
 * What the Worker asks a room over HTTP. Nobody else can: a Durable Object has no address of its own. The
 * Worker has checked the permission, which for everything but /stats and /create is the admin's [X4].
 */
export function answerRequest<S extends GameShape>(
  core: RoomCore<S>,
  request: Request,
  nowMs: number,
): Response | Promise<Response> {
  const { pathname } = new URL(request.url);
  const answers: Readonly<Record<string, Answer<S>>> = {
    "GET /stats": () => Response.json(core.stats()),
    "GET /report": () => Response.json(core.watch.report(nowMs), { headers: PRIVATE }),
    "GET /metrics": metrics,
    "GET /view": () => Response.json(core.watch.view(MAX_ENTITIES), { headers: PRIVATE }),
    "GET /state": state,
    "GET /export": exported,
    "POST /create": create,
    "POST /kick": kick,
    "POST /close": close,
    "POST /open": open,
  };
  const name = `${request.method} ${pathname}`;
  const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
  return answer?.(core, request, nowMs) ?? refusal(404, "not-found", "a room has nothing at this address");
}

/** All of the state, for people and their scripts. */
function state<S extends GameShape>(core: RoomCore<S>): Response {
  const { log: _, ...view } = core.watch.view(Number.POSITIVE_INFINITY);
  return Response.json(view, { headers: PRIVATE });
}

function metrics<S extends GameShape>(core: RoomCore<S>, _: Request, nowMs: number): Response {
  const headers = { ...PRIVATE, "content-type": "text/plain; version=0.0.4; charset=utf-8" };
  return new Response(prometheusText(core.watch.report(nowMs)), { headers });
}

/** All that a replay elsewhere needs, as one message of storage.capnp. */
function exported<S extends GameShape>(core: RoomCore<S>): Response {
  const records = core.export();
  if (records.checkpoints.length === 0) return refusal(404, "not-found", "the room has no records");
  try {
    const headers = { ...PRIVATE, "content-type": "application/octet-stream" };
    return new Response(encodeExport(records), { headers });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refusal(507, "export-too-large", error.message);
  }
}

async function create<S extends GameShape>(
  core: RoomCore<S>,
  request: Request,
  nowMs: number,
): Promise<Response> {
  const options = await readJson(request);
  if (options instanceof Response) return options;
  try {
    const result = core.create(options, nowMs);
    return Response.json({ result }, { status: result === "created" ? 201 : 200 });
  } catch (error) {
    return refusal(
      500,
      "create-failed",
      error instanceof Error ? error.message : "the room could not be made",
    );
  }
}

async function kick<S extends GameShape>(core: RoomCore<S>, request: Request): Promise<Response> {
  const asked = await readJson(request);
  if (asked instanceof Response) return asked;
  const { seat, reason = "" } = asked as { seat?: unknown; reason?: unknown };
  if (typeof seat !== "number" || typeof reason !== "string")
    return refusal(400, "bad-request", "kick takes { seat: number, reason?: text }");
  const result = core.admin.kick(seat, reason);
  if (result === "kicked") return Response.json({ result });
  return refusal(404, result, "no player has this seat");
}

async function close<S extends GameShape>(
  core: RoomCore<S>,
  request: Request,
  nowMs: number,
): Promise<Response> {
  const asked = await readJson(request);
  if (asked instanceof Response) return asked;
  const { inSeconds = 0, reason = "" } = asked as { inSeconds?: unknown; reason?: unknown };
  if (typeof inSeconds !== "number" || !(inSeconds >= 0) || typeof reason !== "string")
    return refusal(400, "bad-request", "close takes { inSeconds?: number, reason?: text }");
  return Response.json({ result: core.admin.close({ inMs: inSeconds * 1000, reason }, nowMs) });
}

function open<S extends GameShape>(core: RoomCore<S>): Response {
  core.admin.open();
  return Response.json({ result: "open" });
}

/** The body as JSON, `{}` for none. */
async function readJson(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text.length > MAX_OPTIONS_BYTES) return refusal(413, "options-too-large", "the options are too large");
  try {
    const value: unknown = text === "" ? {} : JSON.parse(text);
    return value ?? {};
  } catch {
    return refusal(400, "bad-options", "the options are no JSON");
  }
}

function refusal(status: number, error: string, message: string): Response {
  return Response.json({ error, message }, { status });
}
