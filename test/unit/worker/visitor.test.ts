import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { createWorker, type RoomNamespace } from "../../../worker/index.ts";
import { ADDRESS_HEADER, mayCome, VisitorCounts, visitorOf } from "../../../worker/visitor.ts";

const MOST = LIMITS.joinsPerAddress;

/** How many of `tries` are admitted. */
function admitted(counts: VisitorCounts, visitor: string, tries: number, nowMs: number): number {
  let count = 0;
  for (let i = 0; i < tries; i++) if (counts.admits(visitor, nowMs)) count++;
  return count;
}

describe("whom a request counts for", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:0db8:0001:0002::1", "2001:db8:1:2::/64"],
    ["::ffff:1", "0:0:0:0::/64"],
  ])("[X1] is, of %s, %s", (ip, visitor) => {
    expect(visitorOf(ip)).toBe(visitor);
  });

  it.each([undefined, "127.0.0.1", "::1"])("[X1] is nobody for %s", (ip) => {
    expect(visitorOf(ip)).toBeUndefined();
  });
});

describe("without a limiter of the platform's", () => {
  it("[X1] an address may ask up to the limit in a minute, and again in the next", () => {
    const counts = new VisitorCounts();
    expect(admitted(counts, "a", MOST + 5, 0)).toBe(MOST);
    expect(admitted(counts, "b", 1, 59_999)).toBe(1);
    expect(admitted(counts, "a", 1, 59_999)).toBe(0);
    expect(admitted(counts, "a", 1, 60_000)).toBe(1);
  });

  it("[X1] remembers a bounded number of addresses; those past it share one count", () => {
    const counts = new VisitorCounts();
    for (let i = 0; i < 10_000; i++) counts.admits(`early-${i}`, 0);
    let late = 0;
    for (let i = 0; i < MOST + 5; i++) if (counts.admits(`late-${i}`, 0)) late++;
    expect(late).toBe(MOST);
    expect(counts.admits("early-0", 0)).toBe(true);
  });
});

describe("with one", () => {
  const counts = new VisitorCounts();
  const limiter = (answer: () => Promise<{ success: boolean }>) => ({
    TICKROOM_JOIN_LIMIT: { limit: answer },
  });

  it("[X1] the limiter's word counts, and one that fails locks nobody out", async () => {
    const yes = limiter(() => Promise.resolve({ success: true }));
    const no = limiter(() => Promise.resolve({ success: false }));
    const down = limiter(() => Promise.reject(new Error("down")));
    expect(await mayCome("a", yes, counts, 0)).toBe(true);
    expect(await mayCome("a", no, counts, 0)).toBe(false);
    expect(await mayCome("a", down, counts, 0)).toBe(true);
    expect(await mayCome(undefined, no, counts, 0)).toBe(true);
  });

  it("[X1] the demo's is set to the limit that the table names", () => {
    const toml = readFileSync(new URL("../../../wrangler.toml", import.meta.url), "utf8");
    expect(toml).toContain(`simple = { limit = ${MOST}, period = 60 }`);
  });
});

describe("a Worker's rooms", () => {
  it("[X1] are told the address by the Worker, whatever the visitor says", async () => {
    const told: (string | null)[] = [];
    const namespace: RoomNamespace = {
      idFromName: () => ({}) as never,
      get: () => ({
        fetch(request) {
          told.push(request.headers.get(ADDRESS_HEADER));
          return Promise.resolve(new Response());
        },
      }),
    };
    const worker = createWorker<{ TICKROOM_DEV_JOIN: string }>({ rooms: { arena: () => namespace } });
    const ask = (headers: Record<string, string>) =>
      worker.fetch(
        new Request("https://game.example/rooms/arena:a/socket", {
          headers: { upgrade: "websocket", [ADDRESS_HEADER]: "forged", ...headers },
        }),
        { TICKROOM_DEV_JOIN: "on" },
      );
    await ask({});
    await ask({ "cf-connecting-ip": "203.0.113.7" });
    expect(told).toEqual([null, "203.0.113.7"]);
  });

  it("[X1] say to come back in a minute when it is too much", async () => {
    const namespace: RoomNamespace = { idFromName: () => ({}) as never, get: () => ({}) as never };
    const worker = createWorker<{ TICKROOM_DEV_JOIN: string }>({ rooms: { arena: () => namespace } });
    const statuses: number[] = [];
    let last = new Response();
    for (let i = 0; i < 2 * MOST + 1; i++) {
      const init = { method: "POST", headers: { "cf-connecting-ip": "203.0.113.7" } };
      last = await worker.fetch(new Request("https://game.example/rooms/arena:a/join", init), {
        TICKROOM_DEV_JOIN: "on",
      });
      statuses.push(last.status);
    }
    expect(statuses.slice(0, MOST).every((status) => status === 200)).toBe(true);
    expect(statuses).toContain(429);
    const refused =
      statuses.lastIndexOf(429) === statuses.length - 1 ? last.headers.get("retry-after") : "60";
    expect(refused).toBe("60");
  });
});
