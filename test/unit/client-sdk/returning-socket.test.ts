import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ReturningSocket } from "../../../client-sdk/returning-socket.ts";

/** A socket whose other end is the test, and answers nothing by itself. */
class SilentSocket extends EventTarget {
  static made: SilentSocket[] = [];
  readyState = 0;
  closedWith: number | undefined;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    SilentSocket.made.push(this);
  }

  say(type: string, detail: object = {}): void {
    if (type === "open") this.readyState = 1;
    this.dispatchEvent(Object.assign(new Event(type), detail));
  }

  send(): void {
    throw new Error("nothing is sent here");
  }

  close(code?: number): void {
    this.readyState = 3;
    this.closedWith = code;
  }
}

function rig(url: () => Promise<string> = () => Promise.resolve("ws://room.test")) {
  const events: string[] = [];
  const socket = new ReturningSocket({
    url,
    webSocket: SilentSocket,
    random: () => 0,
    opened: () => events.push("opened"),
    received: (data) => events.push(`received ${data}`),
    closed: (code, reason) => {
      events.push(`closed ${code} ${reason}`.trim());
      return true;
    },
  });
  return { socket, events };
}

const newest = () => SilentSocket.made.at(-1) as SilentSocket;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("a socket that comes back", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    SilentSocket.made = [];
  });
  afterEach(() => vi.useRealTimers());

  it("[S4] gives up an attempt that the network swallows, and tries again", async () => {
    const { events } = rig();
    await pass(2990);
    expect(SilentSocket.made.length).toBe(1);
    await pass(200);
    expect(events).toEqual(["closed 1006 timeout"]);
    expect(SilentSocket.made[0]?.readyState).toBe(3);
    expect(SilentSocket.made.length).toBe(2);
  });

  it("[S4] waits longer after each failure, up to a second, and not for long after a good connection", async () => {
    rig();
    const waited: number[] = [];
    await pass(1);
    for (let failure = 0; failure < 8; failure++) {
      const before = SilentSocket.made.length;
      newest().say("close", { code: 1006, reason: "" });
      let ms = 0;
      for (; SilentSocket.made.length === before; ms++) await pass(1);
      waited.push(ms);
    }
    expect(waited).toEqual([150, 225, 337, 506, 759, 1000, 1000, 1000]);
    newest().say("open");
    await pass(2000);
    newest().say("close", { code: 1006, reason: "" });
    const before = SilentSocket.made.length;
    await pass(150);
    expect(SilentSocket.made.length).toBe(before + 1);
  });

  it("[S4] counts an address that can't be had as a failed attempt", async () => {
    let asked = 0;
    const { events } = rig(() =>
      ++asked < 3 ? Promise.reject(new Error("not now")) : Promise.resolve("ws://room.test"),
    );
    await pass(500);
    expect(events).toEqual(["closed 1006", "closed 1006"]);
    expect(newest().url).toBe("ws://room.test");
  });

  it("ignores what a connection says that it has given up", async () => {
    const { events } = rig();
    await pass(3100);
    events.length = 0;
    SilentSocket.made[0]?.say("open");
    SilentSocket.made[0]?.say("message", { data: 1 });
    SilentSocket.made[0]?.say("close", { code: 1006, reason: "" });
    expect(events).toEqual([]);
  });

  it("stays away once it is closed, also while it waits for its address", async () => {
    const { socket, events } = rig();
    await pass(1);
    newest().say("open");
    socket.close(1000, "left");
    expect(newest().closedWith).toBe(1000);
    await pass(10_000);
    const late = rig();
    late.socket.close(1000, "left");
    await pass(10_000);
    expect(SilentSocket.made.length).toBe(1);
    expect([...events, ...late.events]).toEqual(["opened"]);
  });
});
