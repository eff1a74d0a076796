import { describe, expect, it, vi } from "vitest";
import { MemorySessionStore, type SessionStore } from "../../../client-sdk/index.ts";
import { openKeptSession } from "../../../client-sdk/kept-session.ts";
import { savedSession } from "../../contract/session-store.ts";

/** A browser with one database and one set of locks, and as many tabs as are opened. */
class FakeBrowser {
  readonly stores = new Map<string, SessionStore>();
  readonly #held = new Map<string, Promise<unknown>>();

  readonly locks = {
    request: async (name: string, options: LockOptions, held: (lock: Lock | null) => unknown) => {
      const aborted = new Promise<never>((_, reject) => {
        options.signal?.addEventListener("abort", () => reject(options.signal?.reason as Error));
      });
      // Nobody waits for it once the lock is held, and it comes after the test.
      aborted.catch(() => undefined);
      while (this.#held.has(name)) {
        if (options.ifAvailable) return held(null);
        await Promise.race([this.#held.get(name), aborted]);
      }
      const holding = Promise.resolve(held({ name, mode: "exclusive" })).then(() => this.#held.delete(name));
      this.#held.set(name, holding);
      return holding;
    },
  };

  /** A tab; `copiedFrom` another one takes what that one remembers, as a duplicated tab does. */
  tab(copiedFrom?: Map<string, string>) {
    const memory = new Map(copiedFrom);
    const browser = {
      locks: this.locks as unknown as LockManager,
      tab: {
        getItem: (key: string) => memory.get(key) ?? null,
        setItem: (key: string, value: string) => void memory.set(key, value),
      },
      open: (name: string) => {
        const store = this.stores.get(name) ?? new MemorySessionStore();
        this.stores.set(name, store);
        return store;
      },
    };
    return { memory, open: (room = "line:a", build = "1") => openKeptSession(room, build, browser) };
  }
}

/** What a page of build 1 finds of what it has saved. */
function found(seed: number) {
  const { queue, actions } = savedSession(seed);
  return { queue: { ...queue, build: "1" }, actions };
}

describe("a kept session", () => {
  it("[S3] is found again by the same tab after a reload", async () => {
    const tab = new FakeBrowser().tab();
    const first = await tab.open();
    expect(first.saved).toBeUndefined();
    await first.store.save(savedSession(1));
    first.release();
    const { saved, secret } = await tab.open();
    expect(saved).toEqual(found(1));
    expect(secret).toEqual(savedSession(1).queue.secret);
  });

  it("[S3] [W2] of another build of the game has the seat, and nothing that can't be read any more", async () => {
    const tab = new FakeBrowser().tab();
    const first = await tab.open("line:a", "1");
    await first.store.save(savedSession(1));
    first.release();
    const { saved, secret, release, store } = await tab.open("line:a", "2");
    expect(saved).toBeUndefined();
    expect(secret).toEqual(savedSession(1).queue.secret);
    await store.save(savedSession(2));
    release();
    expect((await tab.open("line:a", "2")).saved?.queue.nextSeq).toBe(savedSession(2).queue.nextSeq);
  });

  it("[S3] is one tab's alone: a second one, or a copy of the first, has a seat of its own", async () => {
    const browser = new FakeBrowser();
    const one = browser.tab();
    const first = await one.open();
    await first.store.save(savedSession(1));
    const second = await browser.tab().open();
    expect(second.saved).toBeUndefined();
    await second.store.save(savedSession(2));
    const copy = await browser.tab(one.memory).open();
    expect(copy.saved).toBeUndefined();
    expect(browser.stores.size).toBe(3);
  });

  it("[S3] waits a moment for the page before the reload to let go of it", async () => {
    const tab = new FakeBrowser().tab();
    const first = await tab.open();
    await first.store.save(savedSession(1));
    const again = tab.open();
    setTimeout(() => first.release(), 50);
    expect((await again).saved).toEqual(found(1));
  });

  it("[S3] of two tabs that reload at once goes to each its own", async () => {
    const browser = new FakeBrowser();
    const tabs = [browser.tab(), browser.tab()];
    const kept = [await tabs[0]?.open(), await tabs[1]?.open()];
    for (const [i, session] of kept.entries()) {
      await session?.store.save(savedSession(i + 1));
      session?.release();
    }
    const again = await Promise.all([tabs[1]?.open(), tabs[0]?.open()]);
    expect(again.map((session) => session?.saved)).toEqual([found(2), found(1)]);
  });

  it("[S3] of one room isn't found in another", async () => {
    const tab = new FakeBrowser().tab();
    const first = await tab.open("line:a");
    await first.store.save(savedSession(1));
    expect((await tab.open("line:b")).saved).toBeUndefined();
  });

  it("is let go of when it can't be read", async () => {
    const browser = new FakeBrowser();
    const error = new Error("unreadable");
    const load = vi.fn(() => Promise.reject(error));
    browser.stores.set("line:a 0", { load, save: () => undefined, clear: () => undefined });
    await expect(browser.tab().open()).rejects.toBe(error);
    await expect(browser.tab().open()).rejects.toBe(error);
    expect(load).toHaveBeenCalledTimes(2);
  });
});
