import { describe, expect, it } from "vitest";
import worker from "../../demo/worker.ts";
import { CLOSE } from "../../protocol/index.ts";
import type { RoomReport, RoomView } from "../../room/index.ts";
import { freshName } from "./rooms.ts";
import { request, SocketClient } from "./socket-client.ts";

const COMMAND = { moveX: 1, moveY: 0, sprint: false };
const headers = { authorization: "Bearer a token for these tests only" };

function admin(room: string, path = "", body?: unknown): Promise<Response> {
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  return request(`/admin/rooms/${room}${path}`, init);
}

async function joined(room: string, secretByte: number): Promise<SocketClient> {
  const player = new SocketClient(room, secretByte);
  await player.join();
  return player;
}

describe("the admin routes", () => {
  it("[X4] report what a room in play does, from the storage's own counters", async () => {
    const room = freshName("report");
    const ada = await joined(room, 1);
    const { length } = ada.client.snapshots;
    while (ada.client.snapshots.length < length + 30) {
      const seen = ada.client.snapshots.length;
      ada.send(ada.client.input([COMMAND, COMMAND, COMMAND]));
      await ada.until(() => ada.client.snapshots.length > seen);
    }
    const report = (await (await admin(room)).json()) as RoomReport;
    expect(report).toMatchObject({ room, state: "running", game: "arena", seats: 1, tickRate: 60 });
    expect(report.perSecond.rows / report.perSecond.commits).toBeCloseTo(3, 1);
    expect(report.costPerHour.total).toBeGreaterThan(report.costPerHour.rows);
    expect(report.ledger.toTick).toBe(report.tick);
    expect(report.storedBytes).toBeGreaterThan(10_000);
    expect(report.lateness.counts.reduce((sum, count) => sum + count)).toBe(report.windows);
    const metrics = await admin(room, "/metrics");
    expect(metrics.headers.get("content-type")).toContain("text/plain");
    expect(await metrics.text()).toContain(`tickroom_seats{room="${room}",game="arena"} 1\n`);
    const view = (await (await admin(room, "/view")).json()) as RoomView;
    expect(view.seats).toContainEqual(expect.objectContaining({ seat: 1, kind: "player", state: "live" }));
    expect(view.entities).toContainEqual(expect.objectContaining({ archetype: "player", owner: 1 }));
    const state = (await (await admin(room, "/state")).json()) as {
      entities: unknown[];
      entityCount: number;
    };
    expect(state.entities).toHaveLength(state.entityCount);
    // It has written a point to Analytics Engine, too, which the platform has taken.
    expect(view.log.map(({ event }) => event)).toEqual(["joined"]);
    ada.close();
  });

  it("[X4] send one player away and leave the others in peace", async () => {
    const room = freshName("kick");
    const [ada, bob] = [await joined(room, 1), await joined(room, 2)];
    expect((await admin(room, "/kick", { seat: 1, reason: "spoils the game" })).status).toBe(200);
    await ada.until(() => ada.closed !== undefined);
    expect(ada.closed).toEqual({
      code: CLOSE.kicked.code,
      reason: "the player was sent away: spoils the game",
    });
    await bob.until(() => bob.client.roster.every(({ seat }) => seat !== 1));
    expect(bob.closed).toBeUndefined();
    expect((await admin(room, "/kick", { seat: 1 })).status).toBe(404);
    bob.close();
  });

  it("[X4] close a room after a notice, by the room's own alarm", async () => {
    const room = freshName("close");
    const ada = await joined(room, 1);
    expect(await (await admin(room, "/close", { inSeconds: 1, reason: "new maps" })).json()).toEqual({
      result: "closing",
    });
    await ada.until(() => ada.closed !== undefined);
    expect(ada.client.notices).toEqual([{ type: "notice", inMs: 1000, reason: "new maps" }]);
    expect(ada.closed).toEqual({ code: CLOSE["room-closed"].code, reason: "the room was closed: new maps" });
    expect(await (await admin(room)).json()).toMatchObject({ state: "closed", seats: 0 });
    expect((await admin(room, "/open", {})).status).toBe(200);
    const bob = await joined(room, 2);
    bob.close();
  });

  it.each([
    ["/kick", {}],
    ["/kick", { seat: "1" }],
    ["/kick", { seat: 1, reason: 7 }],
    ["/close", { inSeconds: -1 }],
    ["/close", { inSeconds: "soon" }],
    ["/close", { reason: [] }],
  ])("[X4] refuse %s with %j, and nothing happens", async (path, body) => {
    const room = freshName("bad");
    expect((await admin(room, path, body)).status).toBe(400);
    expect(await (await admin(room)).json()).toMatchObject({ state: "sleeping" });
  });

  it.each([
    ["without a token", {}],
    ["with another token", { authorization: "Bearer a token for these tests onlx" }],
    ["with the right token and more", { authorization: "Bearer a token for these tests only." }],
    ["with an empty token", { authorization: "Bearer " }],
    ["with another scheme", { authorization: "Basic a token for these tests only" }],
  ])("[X4] answer like an address where nothing is, %s", async (_, credentials) => {
    const room = freshName("guess");
    const nothing = await request("/admin/nothing/here", { headers: credentials });
    const expected = { status: nothing.status, body: await nothing.text() };
    expect(expected.status).toBe(404);
    const gets = ["", "/metrics", "/view", "/state", "/export"];
    const posts = ["/kick", "/close", "/open"];
    for (const [method, path] of [
      ...gets.map((path) => ["GET", path]),
      ...posts.map((path) => ["POST", path]),
    ]) {
      const response = await request(`/admin/rooms/${room}${path}`, {
        method: method as string,
        headers: credentials,
      });
      expect({ status: response.status, body: await response.text() }, `${method} ${path}`).toEqual(expected);
    }
  });

  it("[X4] are never reached by a room's own paths, nor under another method", async () => {
    const room = freshName("paths");
    for (const path of ["report", "metrics", "view", "state", "export"]) {
      expect((await request(`/rooms/${room}/${path}`, { headers })).status, path).toBe(404);
    }
    for (const path of ["kick", "close", "open"]) {
      expect((await request(`/rooms/${room}/${path}`, { method: "POST", headers })).status, path).toBe(404);
      expect((await admin(room, `/${path}`)).status, path).toBe(404);
    }
    expect((await admin("arena:No%20Room")).status).toBe(404);
    expect((await admin("chess:lobby")).status).toBe(404);
  });

  it("[X4][X3] have a page that loads nothing from elsewhere, and none where there is no admin", async () => {
    const response = await request("/inspect");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/]+='; style-src 'sha256-[\w+/]+='; connect-src 'self'/,
    );
    const page = await response.text();
    expect(page).toContain("Room inspector");
    expect(page).not.toMatch(/(src|href)="(?!data:)/);
    for (const token of [undefined, "too short"]) {
      const vars = { ...(token && { TICKROOM_ADMIN_TOKEN: token }) };
      const refused = await worker.fetch(new Request("https://tickroom.test/inspect"), vars as never);
      expect(refused.status, token).toBe(404);
    }
  });
});
