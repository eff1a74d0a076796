import { encodeExport } from "../protocol/index.ts";
import type { GameShape } from "../sim/index.ts";
import type { RoomCore } from "./core/index.ts";

/** Largest body of creation options. */
const MAX_OPTIONS_BYTES = 16_384;

/**
 * What the Worker asks a room over HTTP. Nobody else can: a Durable Object has no address of its own. The
 * Worker has checked the permission.
 */
export async function answerRequest<S extends GameShape>(
  core: RoomCore<S>,
  request: Request,
  nowMs: number,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/stats" && request.method === "GET") return Response.json(core.stats());
  if (pathname === "/export" && request.method === "GET") return exported(core);
  if (pathname === "/create" && request.method === "POST") {
    const text = await request.text();
    if (text.length > MAX_OPTIONS_BYTES)
      return refusal(413, "options-too-large", "the options are too large");
    return create(core, text, nowMs);
  }
  return refusal(404, "not-found", "a room answers /create, /stats and /export");
}

/** All that a replay elsewhere needs, as one message of storage.capnp. */
function exported<S extends GameShape>(core: RoomCore<S>): Response {
  const records = core.export();
  if (records.checkpoints.length === 0) return refusal(404, "not-found", "the room has no records");
  try {
    const headers = { "content-type": "application/octet-stream", "cache-control": "no-store" };
    return new Response(encodeExport(records), { headers });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refusal(507, "export-too-large", error.message);
  }
}

function create<S extends GameShape>(core: RoomCore<S>, text: string, nowMs: number): Response {
  let options: unknown;
  try {
    options = text === "" ? {} : JSON.parse(text);
  } catch {
    return refusal(400, "bad-options", "the options are no JSON");
  }
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

function refusal(status: number, error: string, message: string): Response {
  return Response.json({ error, message }, { status });
}
