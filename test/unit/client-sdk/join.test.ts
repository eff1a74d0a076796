import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type JoinOptions, join } from "../../../client-sdk/index.ts";
import { CLOSE, decodeClientFrame } from "../../../protocol/index.ts";
import { FakeSocket } from "./fake-socket.ts";
import { line } from "./games.ts";

const asked: string[] = [];
const options = (status = 200, body: unknown = { socket: "/rooms/line:a/socket" }): JoinOptions => ({
  url: "http://game.test",
  room: "line:a",
  name: "Ada",
  webSocket: FakeSocket,
  fetch: (input) => {
    asked.push(String(input));
    return Promise.resolve(Response.json(body, { status }));
  },
});
const newest = () => FakeSocket.made.at(-1) as FakeSocket;

async function joined(more: Partial<JoinOptions> = {}) {
  const joining = join(line, { ...options(), ...more });
  await vi.advanceTimersByTimeAsync(50);
  // Of the faults, if they are wanted.
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(250);
  return joining;
}

describe("join", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    FakeSocket.made = [];
    FakeSocket.answers = true;
    asked.length = 0;
  });
  afterEach(() => {
    for (const room of [...(globalThis.__TICKROOM__?.rooms ?? [])]) room.leave();
    vi.useRealTimers();
  });

  it("asks to be let in, then opens the room's socket and resolves with a seat", async () => {
    const room = await joined();
    expect(asked).toEqual(["http://game.test/rooms/line%3Aa/join"]);
    expect(newest().url).toBe("ws://game.test/rooms/line:a/socket");
    expect(newest().binaryType).toBe("arraybuffer");
    expect(room).toMatchObject({ status: "joined", seat: 4 });
    expect(globalThis.__TICKROOM__?.rooms).toEqual([room]);
  });

  it("[S1] fails with the server's words and status when joining is refused", async () => {
    const refusal = { error: "join-not-permitted", message: "joining needs a permission" };
    await expect(join(line, options(403, refusal))).rejects.toMatchObject({
      name: "JoinError",
      failure: "refused",
      status: 403,
      message: "joining needs a permission",
    });
    await expect(join(line, options(404, {}))).rejects.toMatchObject({ failure: "refused", status: 404 });
    expect(FakeSocket.made).toEqual([]);
  });

  it("fails when nobody answers, and keeps the cause", async () => {
    const cause = new TypeError("fetch failed");
    const joining = join(line, { ...options(), fetch: () => Promise.reject(cause) });
    await expect(joining).rejects.toMatchObject({ failure: "unreachable", cause });
  });

  it("[W2] [S4] fails with the room's close code when it ends the connection for good", async () => {
    const joining = join(line, options());
    const failed = expect(joining).rejects.toMatchObject({
      failure: "closed",
      code: 4412,
      message: "reload",
    });
    await vi.advanceTimersByTimeAsync(0);
    newest().send = () => newest().end(CLOSE["version-game"].code, "reload");
    await vi.advanceTimersByTimeAsync(5000);
    await failed;
    expect(FakeSocket.made.length).toBe(1);
    expect(globalThis.__TICKROOM__?.rooms).toEqual([]);
  });

  it("[S4] comes back by itself within 3 s of a room that was away for half a minute, in the same seat", async () => {
    const room = await joined();
    newest().end(1006);
    FakeSocket.answers = false;
    expect(room.status).toBe("reconnecting");
    await vi.advanceTimersByTimeAsync(30_000);
    expect(room.status).toBe("reconnecting");
    expect(FakeSocket.made.length).toBeGreaterThan(10);
    FakeSocket.answers = true;
    await vi.advanceTimersByTimeAsync(3000);
    expect(room.status).toBe("joined");
    expect(decodeClientFrame(newest().sent[0] as Uint8Array, line.schema)).toMatchObject({ inputSession: 1 });
    expect(asked.length).toBe(1);
  });

  it("[S4] asks to be let in again when its seat has ended", async () => {
    const room = await joined();
    newest().end(CLOSE["seat-unknown"].code);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked.length).toBe(2);
    expect(room.status).toBe("joined");
    expect(decodeClientFrame(newest().sent[0] as Uint8Array, line.schema)).toMatchObject({ inputSession: 0 });
  });

  it("delays frames in both directions by what its link is set to", async () => {
    const room = await joined();
    room.link.latencyMs = 200;
    const before = newest().sent.length;
    room.frame();
    // What was sent while the code of the faults was on its way is delayed from when it was sent.
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(190);
    expect(newest().sent.length).toBe(before);
    await vi.advanceTimersByTimeAsync(20);
    expect(newest().sent.length).toBe(before + 1);
    newest().end(1006);
    await vi.advanceTimersByTimeAsync(500);
    // The hello has gone out after 200 ms; its answer is still on the way.
    expect(newest().kinds()).toEqual(["hello"]);
    expect(room.status).toBe("reconnecting");
    await vi.advanceTimersByTimeAsync(200);
    expect(room.status).toBe("joined");
  });

  it("plays on without faults when their code can't be had", async () => {
    vi.doMock("../../../client-sdk/faulty-link.ts", () => {
      throw new Error("the server has another version of the page");
    });
    const room = await joined({ conditioner: { latencyMs: 10_000 } });
    vi.doUnmock("../../../client-sdk/faulty-link.ts");
    expect(room.status).toBe("joined");
    expect(room.link.latencyMs).toBe(0);
  });

  it("shows the room that it is still there when the page draws nothing", async () => {
    await joined();
    const before = newest().sent.length;
    await vi.advanceTimersByTimeAsync(5000);
    expect(newest().sent.length).toBeGreaterThanOrEqual(before + 4);
  });

  it("says goodbye at once when it leaves, whatever its link is set to, and stays away", async () => {
    const room = await joined({ conditioner: { latencyMs: 100 } });
    const socket = newest();
    room.leave();
    expect(socket.kinds().at(-1)).toBe("leave");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(FakeSocket.made.length).toBe(1);
    expect(globalThis.__TICKROOM__?.rooms).toEqual([]);
  });

  it("[X2] gives a dead connection up within ten seconds and comes back to its seat", async () => {
    const room = await joined();
    // Messages keep it alive, however few.
    await vi.advanceTimersByTimeAsync(7_000);
    newest().welcome(1);
    await vi.advanceTimersByTimeAsync(7_000);
    expect(FakeSocket.made.length).toBe(1);
    const codes: number[] = [];
    room.on("reconnecting", ({ code }) => codes.push(code));
    await vi.advanceTimersByTimeAsync(3_500);
    expect(codes).toEqual([1006]);
    expect(FakeSocket.made.length).toBe(2);
    expect(room.status).toBe("joined");
  });

  it("[X2] shows the room that it is there when messages come but timers are held back", async () => {
    await joined();
    const { sent } = newest();
    await vi.advanceTimersByTimeAsync(10);
    vi.clearAllTimers();
    const before = sent.length;
    for (let second = 0; second < 5; second++) {
      vi.advanceTimersByTime(1_000);
      newest().welcome(1);
    }
    expect(sent.length - before).toBeGreaterThanOrEqual(4);
  });

  it.each([429, 500, 503])(
    "[S4] tries again when the server answers %i to a page whose seat has ended",
    async (status) => {
      const answers = [200, status, 200];
      const fetch = () =>
        Promise.resolve(
          Response.json({ socket: "/rooms/line:a/socket" }, { status: answers.shift() ?? 200 }),
        );
      const room = await joined({ fetch });
      newest().end(CLOSE["seat-unknown"].code);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(answers).toEqual([]);
      expect(room.status).toBe("joined");
    },
  );
});
