import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type JoinOptions, join } from "../../../client-sdk/index.ts";
import { decodeClientFrame } from "../../../protocol/index.ts";
import { FakeSocket } from "./fake-socket.ts";
import { line } from "./games.ts";

const options: JoinOptions = {
  url: "http://game.test",
  room: "line:a",
  webSocket: FakeSocket,
  fetch: () => Promise.resolve(Response.json({})),
  keep: "reload",
};

/** What the browser's database holds, by name. */
const kept = vi.hoisted(() => new Map<string, unknown>());
vi.mock("../../../client-sdk/indexed-store.ts", () => ({
  IndexedSessionStore: class {
    readonly #name: string;
    constructor(name: string) {
      this.#name = name;
    }
    load() {
      return Promise.resolve(kept.get(this.#name));
    }
    save(session: unknown) {
      kept.set(this.#name, session);
      return Promise.resolve();
    }
    clear() {
      kept.delete(this.#name);
      return Promise.resolve();
    }
  },
}));

describe("join with keep: reload", () => {
  const locked = new Set<string>();
  const locks = {
    request: async (name: string, _options: LockOptions, held: (lock: Lock | null) => Promise<void>) => {
      if (locked.has(name)) return held(null);
      locked.add(name);
      await held({ name, mode: "exclusive" });
      locked.delete(name);
    },
  };
  const page = new EventTarget();

  beforeEach(() => {
    vi.useFakeTimers();
    FakeSocket.made = [];
    FakeSocket.answers = true;
    kept.clear();
    locked.clear();
    const tab = new Map<string, string>();
    vi.stubGlobal("navigator", { locks });
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => tab.get(key) ?? null,
      setItem: (key: string, value: string) => void tab.set(key, value),
    });
    vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
    vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  });
  afterEach(() => {
    for (const room of [...(globalThis.__TICKROOM__?.rooms ?? [])]) room.leave();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  const joinedKept = async () => {
    const joining = join(line, options);
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(300);
    return joining;
  };
  const newest = () => FakeSocket.made.at(-1) as FakeSocket;
  const hello = () => decodeClientFrame(newest().sent[0] as Uint8Array, line.schema);
  const hide = () => page.dispatchEvent(Object.assign(new Event("pagehide"), { persisted: false }));

  it("[S3] keeps the seat when the page goes, and proves it again after the reload", async () => {
    await joinedKept();
    const first = hello();
    hide();
    expect(newest().kinds()).not.toContain("leave");
    expect([...kept.keys()]).toEqual(["http://game.test line:a 0"]);
    // The page's locks go with it.
    locked.clear();
    await vi.advanceTimersByTimeAsync(1);
    await joinedKept();
    expect(FakeSocket.made.length).toBe(2);
    expect(hello()).toMatchObject({
      secret: first.type === "hello" && first.secret,
      inputSession: 1,
    });
  });

  it("[S3] gives a second tab a seat of its own, and keeps nothing of a seat that was left", async () => {
    const one = await joinedKept();
    const two = await joinedKept();
    const secrets = FakeSocket.made.map(({ sent }) => {
      const frame = decodeClientFrame(sent[0] as Uint8Array, line.schema);
      return frame.type === "hello" ? frame.secret.join() : "";
    });
    expect(new Set(secrets).size).toBe(2);
    expect(kept.size).toBe(2);
    one.leave();
    two.leave();
    await vi.advanceTimersByTimeAsync(1);
    expect(kept.size).toBe(0);
    expect(locked.size).toBe(0);
  });

  it("plays on where the browser can't keep anything", async () => {
    vi.stubGlobal("navigator", {});
    const room = await joinedKept();
    expect(room.status).toBe("joined");
    hide();
    expect(newest().kinds().at(-1)).toBe("leave");
  });
});
