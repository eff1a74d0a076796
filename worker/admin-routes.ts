import { type Context, Hono } from "hono";
import { parseAddress, type RoomAddress } from "./address.ts";
import { hasAdmin, isAdmin } from "./admin.ts";
import { INSPECT_PAGE, INSPECT_POLICY } from "./generated/inspect-page.ts";
import { refuse } from "./problems.ts";

export interface AdminVars {
  /** Secret of at least 16 characters that opens the admin routes; without one they don't exist. */
  readonly TICKROOM_ADMIN_TOKEN?: string;
}

/** What an admin may ask of a room: method and path under `/admin/rooms/:room`, and the room's own path for it. */
const ROUTES = [
  ["GET", "", "/report"],
  ["GET", "/metrics", "/metrics"],
  ["GET", "/view", "/view"],
  ["GET", "/state", "/state"],
  ["GET", "/export", "/export"],
  ["POST", "/kick", "/kick"],
  ["POST", "/close", "/close"],
  ["POST", "/open", "/open"],
] as const;

/** Passes a request on to a room. */
export type AskRoom<C> = (context: C, path: string, init?: RequestInit) => Promise<Response>;

/**
 * The admin routes. Whoever isn't an admin can't tell any of their addresses from one where nothing is [X4].
 * @param ask throws a 404 for a kind of room that there isn't
 */
export function adminRoutes<Env extends object>(
  ask: AskRoom<Context<{ Bindings: Env & AdminVars; Variables: { address: RoomAddress } }>>,
) {
  const app = new Hono<{ Bindings: Env & AdminVars; Variables: { address: RoomAddress } }>();
  app.use("*", async (context, next) => {
    const admin = await isAdmin(context.req.header("authorization"), context.env.TICKROOM_ADMIN_TOKEN);
    if (!admin) refuse("not-found");
    await next();
  });
  for (const [method, path, roomPath] of ROUTES) {
    app.on(method, `/rooms/:room${path}`, async (context) => {
      context.set("address", parseAddress(context.req.param("room")) ?? refuse("not-found"));
      const body = method === "POST" ? await context.req.text() : undefined;
      return ask(context, roomPath, { method, ...(body !== undefined && { body }) });
    });
  }
  return app;
}

/**
 * The page that shows a room to its admin. It holds nothing secret and asks for the token itself, since a browser
 * can't send it with the address; where there is no admin there is no page either.
 */
export function inspectPage(vars: AdminVars): Response {
  if (!hasAdmin(vars.TICKROOM_ADMIN_TOKEN)) refuse("not-found");
  return new Response(INSPECT_PAGE, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": INSPECT_POLICY,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });
}
