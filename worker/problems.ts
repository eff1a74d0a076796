import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";

interface Problem {
  readonly status: ContentfulStatusCode;
  readonly message: string;
}

/** Every refusal of the Worker: its HTTP status and what it says. Sent as `{ error: <name>, message }`. */
export const PROBLEMS = {
  "not-found": { status: 404, message: "there is nothing at this address" },
  "bad-room-name": {
    status: 400,
    message: "a room is addressed as kind:name, lower-case letters, digits and -",
  },
  "unknown-room": { status: 404, message: "there is no such kind of room" },
  "join-not-permitted": {
    status: 403,
    message: "joining this room needs a permission that the request lacks",
  },
  "origin-not-allowed": { status: 403, message: "pages of this origin may not join" },
  "too-many-requests": { status: 429, message: "too many requests from this address; try again in a minute" },
  "upgrade-required": { status: 426, message: "this address speaks WebSocket only" },
  "room-unavailable": { status: 503, message: "the room does not answer; try again" },
  "binding-missing": {
    status: 500,
    message:
      "this kind of room has no Durable Object binding; compare wrangler.toml with createWorker's rooms",
  },
  "internal-error": { status: 500, message: "something went wrong here" },
} as const satisfies Record<string, Problem>;

export type ProblemName = keyof typeof PROBLEMS;

const HEADERS: Partial<Record<ProblemName, Record<string, string>>> = {
  "upgrade-required": { upgrade: "websocket" },
  "too-many-requests": { "retry-after": "60" },
};

/** The response for a problem. */
export function problemResponse(name: ProblemName): Response {
  const { status, message } = PROBLEMS[name];
  const headers = new Headers(HEADERS[name]);
  return Response.json({ error: name, message }, { status, headers });
}

/** Stops the request with a documented refusal. */
export function refuse(name: ProblemName): never {
  throw new HTTPException(PROBLEMS[name].status, { res: problemResponse(name) });
}
