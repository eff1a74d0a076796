import { describe, expect, it } from "vitest";
import worker from "../../demo/worker.ts";
import { freshName } from "./rooms.ts";
import { request } from "./socket-client.ts";

async function answer(response: Response): Promise<{ status: number; error?: string }> {
  const body = (await response.json()) as { error?: string; message?: string };
  if (body.error !== undefined) expect(body.message).toBeTruthy();
  return body.error === undefined
    ? { status: response.status }
    : { status: response.status, error: body.error };
}

const upgrade = { headers: { upgrade: "websocket" } };

describe("the Worker", () => {
  it("[S1] answers who can't join before anything reaches the room", async () => {
    const name = freshName("door");
    const closed = (path: string, init?: RequestInit) =>
      worker.fetch(new Request(`https://tickroom.test${path}`, init), {} as never);
    const forbidden = { status: 403, error: "join-not-permitted" };
    expect(await answer(await closed(`/rooms/${name}/socket`, upgrade))).toEqual(forbidden);
    expect(await answer(await closed(`/rooms/${name}/join`, { method: "POST" }))).toEqual(forbidden);
    expect(await answer(await closed(`/rooms/${name}`, { method: "POST" }))).toEqual(forbidden);
    expect(await answer(await closed(`/rooms/${name}/stats`))).toEqual(forbidden);
  });

  it("[X1] refuses unknown rooms, bad names and plain requests for the socket, each with its status", async () => {
    expect(await answer(await request("/rooms/chess:lobby/socket", upgrade))).toEqual({
      status: 404,
      error: "unknown-room",
    });
    expect(await answer(await request("/rooms/arena:No%20Room/join", { method: "POST" }))).toEqual({
      status: 400,
      error: "bad-room-name",
    });
    expect(await answer(await request(`/rooms/${freshName("plain")}/socket`))).toEqual({
      status: 426,
      error: "upgrade-required",
    });
    expect(await answer(await request("/nowhere"))).toEqual({ status: 404, error: "not-found" });
  });

  it("[X3] refuses pages of another origin", async () => {
    const foreign = { headers: { upgrade: "websocket", origin: "https://evil.example" } };
    expect(await answer(await request(`/rooms/${freshName("origin")}/socket`, foreign))).toEqual({
      status: 403,
      error: "origin-not-allowed",
    });
  });

  it("[T7] makes a room once, with its options, and it costs nothing until somebody comes", async () => {
    const name = freshName("made");
    const make = () => request(`/rooms/${name}`, { method: "POST", body: JSON.stringify({ bots: 5 }) });
    expect((await make()).status).toBe(201);
    expect((await make()).status).toBe(200);
    const stats = await (await request(`/rooms/${name}/stats`)).json();
    expect(stats).toMatchObject({ state: "sleeping", bots: 5, seats: 0, tick: 0 });
  });

  it("[X1] refuses options that are no JSON", async () => {
    const response = await request(`/rooms/${freshName("json")}`, { method: "POST", body: "{" });
    expect(await answer(response)).toEqual({ status: 400, error: "bad-options" });
  });
});
